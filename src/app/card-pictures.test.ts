import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import golden from '../../fixtures/png-representation/golden.json' with { type: 'json' };
import { sha256, sha256Hex } from '../evidence/identity/sha256';

const file = (name: string) => new Uint8Array(readFileSync(new URL(name, import.meta.url)));

test.each(['unlabelled-v1', 'lane-enhanced-v1'] as const)(
  'the card of %s shows the reference’s own file',
  (variant) => {
    const row = golden.variants[variant].rows.find((each) => each.row_id === 'tank=3|target=1|cooldown=1');
    expect(sha256(file(`pages/png-representation/card-${variant}.png`))).toBe(row?.png_sha256.at(-1));
  },
);

test('the figures on the card of image signals are of the picture on it', () => {
  const record = JSON.parse(
    readFileSync(new URL('pages/image-signals/card-scene.json', import.meta.url), 'utf8'),
  );
  expect(record.sha256).toBe(sha256Hex(file('pages/image-signals/card-scene.png')));
});
