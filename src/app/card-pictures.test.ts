import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import golden from '../../fixtures/png-representation/golden.json' with { type: 'json' };
import published from '../../fixtures/png-representation/recorded-replies.json' with { type: 'json' };
import demo from '../../fixtures/vision-controls/demo-manifest.json' with { type: 'json' };
import { sha256, sha256Hex } from '../evidence/identity/sha256';
import { boxesFromRam } from '../experiments/pong-controls/boxes';
import { PongEnvironment } from '../experiments/pong-controls/environment';
import { insertCartridge } from '../experiments/pong-controls/machine';
import { paddleRom } from '../experiments/pong-controls/paddle';
import { RULE_4PX, ruleAction } from '../experiments/pong-controls/rule';
import { encodePng } from '../pixels/png-encode';
import { CARD_READINGS, CARD_STATE } from './pages/png-representation/card';
import { rowId } from './pages/png-representation/states';

const file = (name: string) => new Uint8Array(readFileSync(new URL(name, import.meta.url)));

test.each(['unlabelled-v1', 'lane-enhanced-v1'] as const)(
  'the card of %s shows the reference’s own file',
  (variant) => {
    const row = golden.variants[variant].rows.find((each) => each.row_id === rowId(CARD_STATE));
    expect(sha256(file(`pages/png-representation/card-${variant}.png`))).toBe(row?.png_sha256.at(-1));
  },
);

test.each(['unlabelled-v1', 'lane-enhanced-v1'] as const)(
  'what the card says was read from %s is what was published',
  (variant) => {
    const found = published.variants[variant].cases.find((each) => each.row_id === rowId(CARD_STATE));
    expect(found?.prediction?.row_id).toBe(rowId(CARD_READINGS[variant]));
  },
);

test('the figures on the card of image signals are of the picture on it', () => {
  const record = JSON.parse(
    readFileSync(new URL('pages/image-signals/card-scene.json', import.meta.url), 'utf8'),
  );
  expect(record.sha256).toBe(sha256Hex(file('pages/image-signals/card-scene.png')));
});

test.each([
  ['present', 0],
  ['swapped', 3],
] as const)(
  'the card of the vision controls shows the demo picture that is %s in the first row',
  (control, order) => {
    const row = demo.rows.find(({ stream_order }) => stream_order === order);
    expect(sha256Hex(file(`pages/vision-controls/card-${control}.png`))).toBe(row?.screenshot.sha256);
  },
);

test('the card of the Pong controls shows a frame of our cartridge, with the boxes of its RAM', async () => {
  const card = JSON.parse(
    readFileSync(new URL('pages/pong-controls/card-frame.json', import.meta.url), 'utf8'),
  );
  const { machine } = await insertCartridge(await paddleRom());
  const environment = new PongEnvironment(machine);
  environment.reset(card.seed);
  while (environment.rawFrame < card.frame) environment.step(ruleAction(RULE_4PX, boxesFromRam(machine.ram)));
  expect(boxesFromRam(machine.ram)).toEqual(card.boxes);
  const png = encodePng({ width: 160, height: 210, data: machine.rgb().slice() });
  expect(sha256(file('pages/pong-controls/card-frame.png'))).toBe(sha256(png));
});
