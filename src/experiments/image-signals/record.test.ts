import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../evidence/identity/sha256';
import { encodePng } from '../../pixels/png-encode';
import { wasmEngine } from '../../pixels/signals/engine';
import { csvColumns, csvHeader, csvRow } from './csv';
import { FROZEN } from './protocol';
import { failedRecord, measureFile } from './record';
import { recordJson } from './record-json';
import { drawScene, LAYOUTS } from './scene';

const golden = (file: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/image-signals/golden/${file}`, import.meta.url)));

test('a record has the published keys first and in their order', async () => {
  const record = recordJson(await measureFile('a.png', golden('g35_scene_256.png'), FROZEN, wasmEngine));
  expect(Object.keys(record)).toEqual([
    'file',
    'sha256',
    'width',
    'height',
    'decoder',
    'rgb_sha256',
    'left_red_dominance',
    'right_blue_dominance',
    'bottom_yellow_presence',
    'nonwhite_blob_count',
    'nonwhite_total',
    'gates_passed',
    'decoder_exact',
    'definition',
    'engine',
    'reasons',
    'rounding_sensitivity',
    'warnings',
  ]);
  expect(record.engine).toEqual({ id: 'wasm-simd', version: '1' });
});

test('a file that cannot be read is a record too, and faults of our own are not hidden', async () => {
  const bytes = golden('g01_white.png').slice(0, 30);
  const record = recordJson(await measureFile('a.png', bytes, FROZEN, wasmEngine));
  expect(Object.keys(record)).toEqual(['file', 'sha256', 'error']);
  expect(record.error).toEqual({
    code: 'png_truncated',
    message: 'The file breaks off inside chunk IHDR. Expected: 33 bytes or more. Got: 30 bytes.',
  });
  expect(() => failedRecord('a', null, new Error('ours'))).toThrow('ours');
});

test('a verdict that hangs on rounding is warned of', async () => {
  const record = recordJson(
    await measureFile('a.png', golden('g13_float_trap_10x100.png'), FROZEN, wasmEngine),
  );
  expect(record.warnings).toMatchObject([{ code: 'rounding_changes_verdict' }]);
});

test('CSV: one column a field, texts that spreadsheets would run are defused', async () => {
  const columns = csvColumns(FROZEN);
  const header = csvHeader(columns);
  expect(header).toMatch(/^file,sha256,width,.*,bottom_yellow_presence_yellow,.*,error_message\r\n$/);
  const record = await measureFile('=cmd|"x",1.png', golden('g01_white.png'), FROZEN, wasmEngine);
  const row = csvRow(columns, record);
  expect(row.startsWith('"\'=cmd|""x"",1.png",')).toBe(true);
  expect(row.split(',').length - 1).toBe(header.split(',').length);
  const failed = csvRow(columns, failedRecordOf());
  expect(failed).toBe(`b,,${','.repeat(header.split(',').length - 4)}file_unreadable,gone\r\n`);
});

function failedRecordOf() {
  return { file: 'b', sha256: null, error: { code: 'file_unreadable', message: 'gone' } };
}

test.each([
  ['correct', [true, true, true], 3],
  ['swapped', [false, false, true], 3],
  ['no-lemon', [true, true, false], 2],
  ['lemon-high', [true, true, false], 3],
  ['small-lemon', [true, true, false], null],
  ['grey-background', [true, false, true], 1],
  ['joined-by-shadow', [true, true, true], 2],
  ['extra-objects', [true, true, true], 5],
  ['blank', [false, false, false], 0],
] as const)('drawn scene %s: each signal sees what is wrong with it', async (layout, passes, blobs) => {
  for (const [seed, width, height] of [
    [1, 512, 512],
    [2, 768, 432],
    [77, 256, 256],
  ] as const) {
    const scene = drawScene({ layout, seed, width, height });
    expect(sha256Hex(drawScene({ layout, seed, width, height }).data)).toBe(sha256Hex(scene.data));
    const record = recordJson(await measureFile('s.png', encodePng(scene), FROZEN, wasmEngine));
    const gates = ['left_red_dominance', 'right_blue_dominance', 'bottom_yellow_presence'];
    expect(gates.map((gate) => (record[gate] as { pass: boolean }).pass)).toEqual(passes);
    if (blobs !== null) expect(record.nonwhite_blob_count).toMatchObject({ count: blobs });
  }
});

test('every layout is covered above, and sizes are limited', () => {
  expect(LAYOUTS).toHaveLength(9);
  expect(() => drawScene({ layout: 'correct', seed: 1, width: 63, height: 64 })).toThrow(
    expect.objectContaining({ code: 'scene_size' }),
  );
});
