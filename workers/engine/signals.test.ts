import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import type { SignalsFound } from '../api';
import { api } from './signals';
import { unpackPictures } from './unpack';

const golden = (file: string) =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/image-signals/golden/${file}`, import.meta.url)));
const refused = (code: string) => expect.objectContaining({ code });
const picture = golden('g35_scene_256.png');

async function measure(files: readonly { name: string; blob: Blob }[], engine = 'wasm-simd') {
  const found: SignalsFound[] = [];
  const whole = await api.measure(
    files.map((file, id) => ({ id, ...file })),
    { definition: null, engine: engine as 'wasm-simd' },
    (more) => {
      found.push(...more);
    },
  );
  return { whole, found };
}

test('nothing is looked at before a picture is open, nor after one that could not be opened', async () => {
  await expect(api.layer(null, 'nonwhite')).rejects.toThrow(refused('picture_not_open'));
  await expect(api.explore({})).rejects.toThrow(refused('picture_not_open'));
  const view = await api.open(new Blob([picture]), 'scene.png');
  expect([view.width, view.height, view.rgb.length]).toEqual([256, 256, 256 * 256 * 3]);
  expect((await api.layer(null, 'nonwhite')).rgba.length).toBeGreaterThan(0);
  await expect(api.open(new Blob(['no picture']), 'notes.txt')).rejects.toThrow(
    refused('image_format_unknown'),
  );
  await expect(api.layer(null, 'nonwhite')).rejects.toThrow(refused('picture_not_open'));
});

test('bad files get a line each, and the rest goes on', async () => {
  const large = new Blob(['x']);
  vi.spyOn(large, 'size', 'get').mockReturnValue(2 ** 31);
  const gone = new Blob(['x']);
  vi.spyOn(gone, 'arrayBuffer').mockRejectedValue(new Error('the disk was taken out'));
  const { whole, found } = await measure([
    { name: 'large.png', blob: large },
    { name: 'gone.png', blob: gone },
    { name: 'notes.txt', blob: new Blob(['notes']) },
    { name: 'cut.png', blob: new Blob([picture.subarray(0, 900)]) },
    { name: 'scene.jpg', blob: new Blob([picture]) },
  ]);
  expect(whole).toBe(true);
  expect(found.map(({ record }) => ('error' in record ? record.error.code : record.gates_passed))).toEqual([
    'file_too_large',
    'file_unreadable',
    'image_format_unknown',
    'png_truncated',
    3,
  ]);
  expect(found[4]?.record).toMatchObject({ warnings: [{ code: 'extension_mismatch' }] });
  await expect(measure([], 'abacus')).rejects.toThrow(refused('engine_missing'));
});

test('a zip gives its pictures; folders, hidden files and empty ones are left out', async () => {
  const zip = zipSync({
    'a/one.png': picture,
    'a/two.png': [picture, { level: 0 }],
    '__MACOSX/a/._one.png': picture,
    'a/.hidden': picture,
    'a/empty.png': new Uint8Array(0),
  });
  const found = await unpackPictures(new Blob([zip as Uint8Array<ArrayBuffer>]));
  expect(found.map(({ name }) => name)).toEqual(['a/one.png', 'a/two.png']);
  for (const { blob } of found) expect(new Uint8Array(await blob.arrayBuffer())).toEqual(picture);
});

test('a zip that is damaged, packed in another way, or a bomb is refused by name', async () => {
  const zip = zipSync({ 'one.png': new Uint8Array(5000).fill(7) }) as Uint8Array<ArrayBuffer>;
  const unpack = (bytes: Uint8Array<ArrayBuffer>) => unpackPictures(new Blob([bytes]));
  // Local header: 30 bytes and the name; the method stands at 8.
  const damaged = zip.slice();
  damaged.fill(255, 37, 45);
  await expect(unpack(damaged)).rejects.toThrow(refused('zip_damaged'));
  await expect(unpack(zip.slice(0, 40))).rejects.toThrow(refused('zip_damaged'));
  const other = zip.slice();
  other[8] = 12;
  await expect(unpack(other)).rejects.toThrow(refused('zip_unsupported'));
  const many: Record<string, Uint8Array> = {};
  for (let i = 0; i <= 10_000; i++) many[`${i}`] = new Uint8Array(0);
  await expect(unpack(zipSync(many) as Uint8Array<ArrayBuffer>)).rejects.toThrow(refused('zip_bomb'));
});
