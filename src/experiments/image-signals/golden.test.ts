import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../evidence/identity/sha256';
import { decodeImage } from '../../pixels/decode/decode';
import { measureWasm } from '../../pixels/signals/measure';
import { FROZEN } from './protocol';
import { planSignals } from './signals';

const folder = new URL('../../../fixtures/image-signals/golden/', import.meta.url);
const { images } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
const FIELDS = [
  'left_red_dominance',
  'right_blue_dominance',
  'bottom_yellow_presence',
  'nonwhite_blob_count',
];

describe('the reference pictures', () => {
  test('there are 47', () => {
    expect(images).toHaveLength(47);
  });

  test.each<Record<string, unknown> & { file: string }>(images)(
    '$file: pixels and signals',
    async (expected) => {
      const bytes = new Uint8Array(readFileSync(new URL(expected.file, folder)));
      expect(sha256Hex(bytes)).toBe(expected.sha256);
      const image = await decodeImage(bytes, expected.file);
      expect(image.exact).toBe(true);
      expect([image.width, image.height]).toEqual([expected.width, expected.height]);
      expect(sha256Hex(image.data)).toBe(expected.rgb_sha256);
      const plan = planSignals(FROZEN, image.width, image.height);
      const signals = plan.signals(measureWasm(image, plan.task));
      expect(Object.keys(signals.values)).toEqual(FIELDS);
      for (const field of FIELDS) expect(signals.values[field]).toEqual(expected[field]);
      expect(signals.mask_total).toBe(expected.nonwhite_total);
      expect(signals.gates_passed).toBe(expected.gates_passed);
      // The reference lists the readings in floating point only where the bounds differ.
      const variant = expected.float64_bounds_variant;
      expect(signals.rounding.double_mask).toEqual(variant ?? {});
    },
  );
});
