import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { canonicalId, canonicalJson } from '../identity/canonical';
import type { Json, JsonObject } from '../identity/json';
import { openJson } from './json-reader';
import { containerBegun, openBundle } from './open';
import { bundleCases, bundleExchanges, bundleRun } from './records';
import { openZip } from './zip-reader';

const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));
const utf8 = new TextEncoder();

interface Forged {
  readonly name: string;
  readonly data: Uint8Array;
  readonly method?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly localName?: string;
}

/** A ZIP with headers as one pleases. */
function forge(entries: readonly Forged[], tail = 0): Uint8Array<ArrayBuffer> {
  const parts: number[] = [];
  const directory: number[] = [];
  const u16 = (n: number) => [n & 255, (n >> 8) & 255];
  const u32 = (n: number) => [...u16(n & 65535), ...u16(n >>> 16)];
  for (const {
    name,
    data,
    method = 0,
    size = data.length,
    crc = 0,
    flags = 0,
    localName = name,
  } of entries) {
    const offset = parts.length;
    const fields = [...u32(crc), ...u32(data.length), ...u32(size)];
    const head = [...u16(20), ...u16(flags), ...u16(method), ...u32(0x00210000), ...fields];
    parts.push(...u32(0x04034b50), ...head, ...u16(localName.length), ...u16(0), ...utf8.encode(localName));
    for (const byte of data) parts.push(byte);
    directory.push(...u32(0x02014b50), ...u16(20), ...head, ...u16(name.length), ...u16(0), ...u16(0));
    directory.push(...u16(0), ...u16(0), ...u32(0), ...u32(offset), ...utf8.encode(name));
  }
  const end = [...u32(0x06054b50), ...u32(0), ...u16(entries.length), ...u16(entries.length)];
  const from = parts.length;
  parts.push(...directory, ...end, ...u32(directory.length), ...u32(from), ...u16(tail));
  return new Uint8Array(parts);
}

const DATA = strToU8('data');

function edited(at: number, bytes: readonly number[], source = forge([{ name: 'a', data: DATA }])) {
  const copy = source.slice();
  copy.set(bytes, at < 0 ? copy.length + at : at);
  return copy;
}

describe('a hostile ZIP', () => {
  it.each<[string, Uint8Array<ArrayBuffer>]>([
    ['zip_truncated', fixture('toy.zip').slice(0, -1)],
    ['zip_truncated', fixture('toy.zip').slice(0, 100)],
    ['zip_truncated', strToU8('PK') as Uint8Array<ArrayBuffer>],
    ['zip_layout', forge([{ name: 'a', data: DATA }], 5)],
    ['zip_layout', edited(-6, [200])],
    ['zip_layout', edited(-14, [9, 0, 9, 0])],
    ['zip_layout', edited(0, [0])],
    ['zip_layout', edited(-22 - 47, [0])],
    ['zip_unsupported', edited(-12, [255, 255])],
    ['zip_unsupported', forge([{ name: 'a', data: DATA, flags: 1 }])],
    ['zip_unsupported', forge([{ name: 'a', data: DATA, method: 99 }])],
    ['zip_unsupported', forge([{ name: 'a', data: DATA, size: 0xffffffff, method: 8 }])],
    ['zip_header', forge([{ name: 'a', data: DATA, localName: 'b' }])],
    ['zip_header', forge([{ name: 'a', data: DATA, size: 5 }])],
    ['zip_header', edited(6, [8])],
    ['zip_header', edited(8, [8])],
    ['zip_header', edited(10, [8])],
    ['zip_header', edited(14, [8])],
    ['bundle_path', forge([{ name: '../a', data: DATA }])],
    ['bundle_path', forge([{ name: '/a', data: DATA }])],
    ['bundle_path', forge([{ name: 'C:a', data: DATA }])],
    ['bundle_path', forge([{ name: 'a/', data: DATA }])],
    [
      'bundle_duplicate',
      forge([
        { name: 'a', data: DATA },
        { name: 'a', data: DATA },
      ]),
    ],
    [
      'bundle_duplicate',
      forge([
        { name: 'a', data: DATA },
        { name: 'A', data: DATA },
      ]),
    ],
    ['zip_bomb', forge([{ name: 'a', data: DATA, method: 8, size: 5 * 1024 * 1024 }])],
    ['zip_bomb', forge([{ name: 'a', data: new Uint8Array(600_000), method: 8, size: 590 * 1024 * 1024 }])],
    [
      'zip_bomb',
      forge(
        ['a', 'b', 'c'].map((name) => ({
          name,
          data: new Uint8Array(500_000),
          method: 8,
          size: 400_000_000,
        })),
      ),
    ],
  ])('%s', (code, bytes) => {
    expect(() => openZip(bytes)).toThrowError(expect.objectContaining({ code }));
  });

  it('is never unpacked beyond what it declares', async () => {
    const bomb = deflateSync(new Uint8Array(50 * 1024 * 1024));
    const lying = openZip(forge([{ name: 'a', data: bomb, method: 8, size: 1000 }]));
    await expect(lying.bytes('a')).rejects.toMatchObject({ code: 'zip_size' });
    const short = openZip(forge([{ name: 'a', data: deflateSync(DATA), method: 8, size: 1000 }]));
    await expect(short.bytes('a')).rejects.toMatchObject({ code: 'zip_size' });
  });

  it('is found out by its CRC and by broken deflate', async () => {
    await expect(openZip(forge([{ name: 'a', data: DATA }])).bytes('a')).rejects.toMatchObject({
      code: 'zip_crc',
    });
    const broken = openZip(forge([{ name: 'a', data: new Uint8Array([7, 7, 7]), method: 8, size: 10 }]));
    await expect(broken.bytes('a')).rejects.toMatchObject({ code: 'zip_deflate' });
    expect(await broken.bytes('b')).toBeNull();
  });

  it('packed by another program is read', async () => {
    const zip = openZip(
      zipSync({ 'a.txt': DATA, folder: { 'b.txt': DATA } }, { mtime: '2020-01-01' }) as never,
    );
    expect(zip.paths).toEqual(['a.txt', 'folder/b.txt']);
    expect(await zip.bytes('a.txt')).toEqual(DATA);
  });
});

/** The fixture's JSON document, changed, with its manifest id made right again. */
function changed(
  change: (manifest: Record<string, Json>, contents: Record<string, string>[]) => void,
): Uint8Array<ArrayBuffer> {
  const document = JSON.parse(new TextDecoder().decode(fixture('toy.json')));
  change(document.manifest, document.contents);
  const { manifest_id: given, ...rest } = document.manifest;
  const manifest_id = given === 'wrong' ? canonicalId('wrong') : canonicalId(rest);
  return utf8.encode(canonicalJson({ ...document, manifest: { ...rest, manifest_id } }));
}

const text = (value: string) => utf8.encode(value);

describe('a hostile JSON bundle', () => {
  it.each<[string, Uint8Array<ArrayBuffer>]>([
    ['bundle_foreign', text('hello')],
    ['bundle_foreign', text('')],
    ['bundle_foreign', text('{}')],
    ['bundle_foreign', text('{"manifest":{"format":"other/1"}}')],
    ['bundle_foreign', text('{"manifest":{"format":"pixelproof-bundle/1"}}')],
    ['bundle_newer', text('{"manifest":{"format":"pixelproof-bundle/2"},"more":1}')],
    ['json_syntax', fixture('toy.json').slice(0, -5)],
    ['json_forbidden_key', text('{"__proto__":{}}')],
    ['bundle_utf8', new Uint8Array([0x7b, 0xff])],
    ['bundle_newer', changed((manifest) => void Object.assign(manifest, { format: 'pixelproof-bundle/17' }))],
    ['bundle_manifest', changed((manifest) => void Object.assign(manifest, { root_digest: 'sha256:0' }))],
    ['bundle_manifest', changed((manifest) => void Object.assign(manifest, { extra: 1 }))],
    ['bundle_manifest', changed((manifest) => void Object.assign(manifest, { case_count: -1 }))],
    ['bundle_manifest', changed((manifest) => void Object.assign(manifest, { kind: 'dreamt' }))],
    ['bundle_manifest_id', changed((manifest) => void Object.assign(manifest, { manifest_id: 'wrong' }))],
    ['bundle_duplicate', changed((_, contents) => void contents.push({ path: 'cases.jsonl', text: '' }))],
    ['bundle_path', changed((_, contents) => void contents.push({ path: '../x', text: '' }))],
    [
      'bundle_path',
      changed((manifest) => void Object.assign(manifest, { files: [{ ...fileOf(manifest), path: '..' }] })),
    ],
    [
      'bundle_duplicate',
      changed((manifest) => void Object.assign(manifest, { files: [fileOf(manifest), fileOf(manifest)] })),
    ],
  ])('%s', async (code, bytes) => {
    await expect(openBundle(bytes)).rejects.toMatchObject({ code });
  });

  it('is refused before it is parsed when it is too large', () => {
    const huge = new Uint8Array(0);
    Object.defineProperty(huge, 'length', { value: 300 * 1024 * 1024 });
    expect(() => openJson(huge)).toThrowError(expect.objectContaining({ code: 'bundle_too_large' }));
  });

  it('without a manifest is foreign', async () => {
    const zip = forge([{ name: 'readme.txt', data: DATA }]);
    await expect(openBundle(zip)).rejects.toMatchObject({ code: 'bundle_foreign' });
  });

  it('whose folder was packed instead of its contents is told so', async () => {
    const zip = forge([{ name: 'run/pixelproof.json', data: DATA }]);
    await expect(openBundle(zip)).rejects.toMatchObject({
      code: 'bundle_foreign',
      expected: 'pixelproof.json at the top',
      got: 'run/pixelproof.json',
    });
  });

  it.each<[string, string, string]>([
    ['bundle_base64', 'toy/images/grey-0.png', '***'],
    ['bundle_length', 'toy/images/grey-0.png', 'AAAA'],
    ['bundle_digest', 'toy/images/grey-0.png', 'cGljdHVyZSBvZiBncmV5IDE='],
  ])('%s in a file', async (code, path, base64) => {
    const bytes = changed((_, contents) => {
      const entry = contents.find((one) => one.path === path);
      if (entry) entry.base64 = base64;
    });
    await expect((await openBundle(bytes)).read(path)).rejects.toMatchObject({ code });
  });

  it.each<[string, string, (text: string) => string]>([
    ['bundle_record', 'cases.jsonl', (all) => all.replace('"outcome":"correct"', '"outcome":""')],
    ['bundle_record', 'cases.jsonl', (all) => all.replace('"ordinal":0', '"ordinal":0.5')],
    ['bundle_lines', 'cases.jsonl', (all) => all.slice(0, -1)],
    ['json_syntax', 'cases.jsonl', (all) => all.replace('{', '[')],
    ['json_syntax', 'cases.jsonl', (all) => `\n${all}`],
    ['bundle_details', 'details.jsonl', (all) => all.replace('"ordinal":0', '"ordinal":1')],
    ['bundle_details', 'details.jsonl', (all) => all + all],
    ['bundle_details', 'details.jsonl', () => ''],
    ['bundle_record', 'exchanges.jsonl', (all) => all.replace('"attempt":1', '"attempt":0')],
    ['bundle_record', 'environment.json', (all) => all.replace('toy-run', '../toy-run')],
    ['bundle_record', 'runtime.json', (all) => all.replace('"runtime_name"', '"name"')],
  ])('%s in %s', async (code, path, change) => {
    const bundle = await openBundle(rewritten(path, change));
    const walk = async () => {
      for await (const _ of bundleCases(bundle));
      for await (const _ of bundleExchanges(bundle));
      await bundleRun(bundle);
    };
    await expect(walk()).rejects.toMatchObject({ code });
  });
});

function fileOf(manifest: Record<string, Json>): JsonObject {
  const files = manifest.files as readonly JsonObject[];
  return files[0] ?? {};
}

/** The fixture with one of its text files changed, and listed as it is now. */
function rewritten(path: string, change: (text: string) => string): Uint8Array<ArrayBuffer> {
  return changed((manifest, contents) => {
    const entry = contents.find((one) => one.path === path);
    if (entry?.text === undefined) throw new Error(`no ${path}`);
    const now = change(entry.text);
    entry.text = now;
    manifest.files = (manifest.files as readonly JsonObject[]).map((file) =>
      file.path === path ? { ...file, bytes: utf8.encode(now).length, sha256: sha256Of(now) } : file,
    );
  });
}

function sha256Of(value: string): string {
  return `sha256:${createHash('sha256').update(value).digest('hex')}`;
}

describe('a large file that is no bundle', () => {
  const SIZE = 200 * 1024 * 1024;
  const large = (head: string, fill: string) => {
    const bytes = new Uint8Array(SIZE).fill(fill.charCodeAt(0));
    bytes.set(new TextEncoder().encode(head));
    return bytes;
  };

  it.each([
    ['anything', 'no bundle', 'x', 'bundle_foreign'],
    ['a brace and anything', '{', 'a', 'bundle_foreign'],
    ['a brace and blanks', '{', ' ', 'bundle_foreign'],
    ['a string that never ends', '{"', 'a', 'bundle_foreign'],
    ['the beginning of a bundle and anything', '{"contents":[{"path":"', '\\', 'json_syntax'],
    ['the mark of a ZIP', 'PK', '0', 'zip_truncated'],
  ])('is refused at once: %s', async (_what, head, fill, code) => {
    const bytes = large(head, fill);
    const started = performance.now();
    await expect(openBundle(bytes)).rejects.toMatchObject({ code });
    // Reading it whole took 21 seconds; a machine under load gets ten times what this takes.
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('is told by its first bytes alone', () => {
    const begins = (text: string) => containerBegun(new TextEncoder().encode(text));
    expect([begins('PK\u0003\u0004'), begins('{"co'), begins('\ufeff{'), begins('')]).toEqual([
      'zip',
      'json',
      null,
      null,
    ]);
  });
});
