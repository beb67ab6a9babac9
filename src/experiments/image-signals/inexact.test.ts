// A machine whose decoder of one format is off by one level in one pixel: the self-test must see it, and say so.
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { selfTest } from '../../pixels/decode/self-test';
import { wasmEngine } from '../../pixels/signals/engine';
import { csvColumns, csvRow } from './csv';
import { FROZEN } from './protocol';
import { measureFile } from './record';
import { recordJson } from './record-json';

vi.mock('../../pixels/decode/decode-as', async (original) => {
  const real = await original<typeof import('../../pixels/decode/decode-as')>();
  return {
    decodeAs: async (...given: Parameters<typeof real.decodeAs>) => {
      const image = await real.decodeAs(...given);
      if (given[0] === 'jpeg') image.data[0] = (image.data[0] ?? 0) ^ 1;
      if (given[0] === 'webp') throw new Error('no WebP on this machine');
      return image;
    },
  };
});

const golden = (file: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/image-signals/golden/${file}`, import.meta.url)));
const measure = (file: string) => measureFile(file, golden(file), FROZEN, wasmEngine);

test('the self-test says which formats are exact here', async () => {
  expect((await selfTest()).exact).toEqual({ png: true, jpeg: false, webp: false });
});

test('a record of an inexact decoder is marked, in JSON and in CSV; its numbers are kept', async () => {
  const record = await measure('g36_q90_420.jpg');
  expect(record).toMatchObject({
    decoder_exact: false,
    warnings: [{ code: 'not_bit_exact', message: expect.stringContaining('JPEG') }],
  });
  expect(recordJson(record)).toMatchObject({ decoder_exact: false, gates_passed: expect.any(Number) });
  expect(csvRow(csvColumns(FROZEN), record)).toContain('not_bit_exact');
});

test('a format that is exact is not marked', async () => {
  expect(await measure('g35_scene_256.png')).toMatchObject({ decoder_exact: true, warnings: [] });
});
