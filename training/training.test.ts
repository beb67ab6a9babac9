import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../src/evidence/identity/sha256';
import {
  ARCADE_READER_CARD,
  ARCADE_READER_MODEL,
  ARCADE_READER_MODELS,
} from '../src/providers/in-page/arcade-reader-card';
import { modelCard } from './card';
import { toOnnx } from './export';
import { trainNetwork } from './fit';
import { measure } from './measure';
import { Network } from './network';
import { trainingRenders } from './pictures';
import { answersOf, drawsOf, heldOut } from './recipe';
import { parametersOf } from './train';

const shipped = new Uint8Array(readFileSync('public/models/arcade-reader/model.onnx'));
const card = JSON.parse(readFileSync('public/models/arcade-reader/card.json', 'utf8'));

/** Three passes over the renders of eight states: made here once, and the same on every machine. */
const SHORT = 'sha256:52fc6b977edbf0bffa35818727a7dda1cb572831e6761778aff3e0b726dc7582';

it('a shortened training gives the same bytes, here and on every machine', async () => {
  const eight = new Set([1, 18, 35, 52, 69, 86, 103, 111]);
  const renders = await trainingRenders((index) => eight.has(index));
  const once = () => sha256(toOnnx(trainNetwork({ epochs: 3, renders }), ARCADE_READER_MODEL));
  expect(once()).toBe(SHORT);
  expect(once()).toBe(SHORT);
});

it('gradients are those of the loss: a small step along one changes the loss as it says', () => {
  const { draw } = drawsOf(1);
  const network = new Network(
    { channels: 3, height: 8, width: 8 },
    [4, 4],
    [
      ['a', 3],
      ['b', 2],
    ],
    draw,
  );
  const input = Float32Array.from({ length: 192 }, () => draw() - 0.5);
  const pulls = [
    [0.3, -0.5, 0.2],
    [1, -1],
  ];
  // A loss that is linear in the scores: its gradients by the scores are `pulls`.
  const loss = () =>
    network
      .forward(input)
      .reduce(
        (sum, scores, head) =>
          sum + scores.reduce((part, one, at) => part + one * (pulls[head]?.[at] ?? 0), 0),
        0,
      );
  loss();
  network.backward(pulls);
  let checked = 0;
  for (const { name, data, gradient } of network.parameters) {
    for (const at of [0, data.length >> 1, data.length - 1]) {
      const before = data[at] ?? 0;
      const step = 1 / 4096;
      data[at] = before + step;
      const up = loss();
      data[at] = before - step;
      const down = loss();
      data[at] = before;
      expect((up - down) / (2 * step), `${name} ${at}`).toBeCloseTo(gradient[at] ?? 0, 2);
      checked += 1;
    }
  }
  expect(checked).toBe(24);
});

describe('the split', () => {
  const states = Array.from({ length: 112 }, (_, index) => index);

  it('keeps 28 whole states, and every class of every variable is on both sides', () => {
    const kept = states.filter(heldOut);
    expect(kept).toHaveLength(28);
    for (const side of [kept, states.filter((index) => !heldOut(index))]) {
      for (const [variable, classes] of [7, 8, 2].entries())
        expect(new Set(side.map((index) => answersOf(index)[variable])).size).toBe(classes);
    }
  });
});

describe('the shipped model', () => {
  it('is the one that the program knows, of the size that the recipe gives', () => {
    expect(ARCADE_READER_MODELS.get(ARCADE_READER_MODEL)).toMatchObject({
      sha256: sha256(shipped),
      bytes: shipped.length,
    });
    expect(card.sha256).toBe(sha256(shipped));
    expect(card.asked_by).toEqual(ARCADE_READER_CARD);
    expect(card.parameters).toBe(parametersOf([8, 16, 16]));
  });

  it('is as often right as its card says, in every representation', { timeout: 240_000 }, async () => {
    const accuracy = await measure(shipped);
    expect(JSON.parse(JSON.stringify(await modelCard(shipped, card.parameters, accuracy)))).toEqual(card);
  });
});
