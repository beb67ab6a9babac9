import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../identity/json';
import { requireManifest } from './manifest';

const schema = JSON.parse(readFileSync('public/schemas/bundle-1.schema.json', 'utf8'));
const valid = new Ajv2020().compile(schema);
const manifest: Record<string, Json> = JSON.parse(
  readFileSync('fixtures/evidence/toy.json', 'utf8'),
).manifest;
const files = manifest.files as Record<string, Json>[];
const provider = manifest.provider as Record<string, Json>;

/** The manifest with something changed and its id made right: keys stay in canonical order. */
function changed(change: Record<string, Json | undefined>): Record<string, Json> {
  const { manifest_id: _, ...rest } = { ...manifest, ...change };
  const sorted = JSON.parse(JSON.stringify(rest));
  return {
    ...sorted,
    manifest_id: `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`,
  };
}

async function accepted(value: Record<string, Json>): Promise<boolean> {
  return requireManifest(value).then(
    () => true,
    () => false,
  );
}

describe('the JSON Schema and the program say the same', () => {
  it('of the committed manifest', async () => {
    expect(valid(manifest), JSON.stringify(valid.errors)).toBe(true);
    expect(await accepted(changed({}))).toBe(true);
    expect(schema.$id).toBe('urn:pixelproof:schema:bundle:1');
  });

  const file = (change: Record<string, Json | undefined>) => ({
    files: [{ ...files[0], ...change } as Json],
  });
  it.each<Record<string, Json | undefined>>([
    { format: 'pixelproof-bundle/2' },
    { experiment: 'Toy' },
    { plan_id: 'sha256:00' },
    { root_digest: undefined },
    { plan: [] },
    { case_count: 1.5 },
    { case_count: -1 },
    { complete: 'yes' },
    { kind: 'dreamt' },
    { provider: { ...provider, key: 'secret' } },
    { provider: { ...provider, seed: 0.5 } },
    { provider: { ...provider, label: 'x'.repeat(401) } },
    { container: 'tar/1' },
    { files: {} },
    { more: 1 },
    file({ path: '../a' }),
    file({ path: 'a/../b' }),
    file({ path: 'a/.' }),
    file({ path: '/a' }),
    file({ path: '' }),
    file({ path: 'é' }),
    file({ sha256: 'sha256:XX' }),
    file({ bytes: -1 }),
    file({ media_type: 'text' }),
    file({ role: 'other' }),
    file({ inlined: undefined }),
  ])('of %j: no', async (change) => {
    const value = changed(change);
    expect(valid(value)).toBe(false);
    expect(await accepted(value)).toBe(false);
  });

  it.each<Record<string, Json>>([
    { experiment: 'other-1' },
    { case_count: 0, complete: false },
    { kind: 'measured' },
    { provider: { ...provider, base_url: 'http://127.0.0.1:11434' } },
    { container: 'zip/2' },
    { files: [] },
    file({ path: 'a/..b/.c/d..' }) as Record<string, Json>,
  ])('of %j: yes', async (change) => {
    const value = changed(change);
    expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
    expect(await accepted(value)).toBe(true);
  });
});

it('lets only a JSON bundle leave a file out', async () => {
  const [first, ...others] = files;
  const left = [{ ...first, inlined: false } as Json, ...others];
  await expect(requireManifest(changed({ files: left }))).resolves.toMatchObject({ container: 'json/1' });
  for (const container of ['zip/1', 'directory/1']) {
    await expect(requireManifest(changed({ files: left, container }))).rejects.toMatchObject({
      code: 'bundle_manifest',
    });
  }
});
