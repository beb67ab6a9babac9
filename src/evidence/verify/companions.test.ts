import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { toyExperiment } from '../../runner/testing/toy';
import { COMPANION_PATHS, CRATE_PATH, STATEMENT_PATH } from '../bundle/companions';
import { verifyBundle } from './verify';

const EXPERIMENTS = [toyExperiment];
const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));

describe('companions', () => {
  const crate = JSON.parse(new TextDecoder().decode(unzipSync(fixture('toy.zip'))[CRATE_PATH]));
  const manifest = JSON.parse(new TextDecoder().decode(unzipSync(fixture('toy.zip'))['pixelproof.json']));

  it('name every file with its digest and length', () => {
    const files = unzipSync(fixture('toy.zip'));
    const entities = crate['@graph'].filter((entity: { '@type': string }) => entity['@type'] === 'File');
    expect(entities.map((entity: { '@id': string }) => entity['@id']).sort()).toEqual(
      Object.keys(files)
        .filter((path) => !COMPANION_PATHS.includes(path))
        .sort(),
    );
    for (const { '@id': path, sha256, contentSize } of entities) {
      expect(sha256).toBe(
        createHash('sha256')
          .update(files[path] ?? '')
          .digest('hex'),
      );
      expect(contentSize).toBe(String(files[path]?.length));
    }
    const root = crate['@graph'].find((entity: { '@id': string }) => entity['@id'] === './');
    expect(root.hasPart.map((part: { '@id': string }) => part['@id']).sort()).toEqual(
      entities.map((entity: { '@id': string }) => entity['@id']).sort(),
    );
  });

  it('say what the manifest says, and are about its bytes', () => {
    const files = unzipSync(fixture('toy.zip'));
    const statement = JSON.parse(new TextDecoder().decode(files[STATEMENT_PATH]));
    expect(statement._type).toBe('https://in-toto.io/Statement/v1');
    expect(statement.subject).toEqual([
      {
        name: 'pixelproof.json',
        digest: {
          sha256: createHash('sha256')
            .update(files['pixelproof.json'] ?? '')
            .digest('hex'),
        },
      },
    ]);
    for (const key of ['root_digest', 'record_digest', 'plan_id', 'kind'] as const)
      expect(statement.predicate[key]).toBe(manifest[key]);
  });

  it.each([CRATE_PATH, STATEMENT_PATH])('%s that says something else is named', async (path) => {
    const files = unzipSync(fixture('toy.zip'));
    files[path] = strToU8(new TextDecoder().decode(files[path]).replace('toy', 'joy'));
    const changed = zipSync(files) as Uint8Array<ArrayBuffer>;
    const result = await verifyBundle(changed, EXPERIMENTS, { repacked: true });
    const failures = result.findings.filter(({ level }) => level === 'failure');
    expect(failures.map(({ code }) => code)).toEqual(['companion_mismatch']);
    expect(failures[0]?.where).toMatch(new RegExp(`^${path} byte \\d+$`));
  });
});
