import { describe, expect, test } from 'vitest';
import { encodePng } from '../../pixels/png-encode';
import { wasmEngine } from '../../pixels/signals/engine';
import { advance, attemptsOf, type Cell, startCells, stateOf } from './cells';
import { planMatrix, verifyPrompt } from './matrix-plan';
import { summarise } from './matrix-report';
import { FROZEN, PROMPT } from './protocol';
import { type MeasuredRecord, measureFile } from './record';
import { addReview, agreements, mayReveal, type Review } from './review';
import { drawScene } from './scene';

const coded = (code: string) => expect.objectContaining({ code });
const shown = { note: 'seen' };

describe('the frozen plan', () => {
  test('holds the published prompt, 613 bytes, and nothing of the machine', () => {
    expect(new TextEncoder().encode(PROMPT)).toHaveLength(613);
    expect(() => verifyPrompt()).not.toThrow();
    expect(() => verifyPrompt(`${PROMPT} `)).toThrow(coded('prompt_altered'));
    expect(planMatrix().plan_id).toBe(planMatrix().plan_id);
    expect(planMatrix().frozen).toMatchObject({ repetitions: 3, seeded: false, cell: 'R4S-ATTR-001' });
  });

  test('the five checkpoints start blocked and unexecuted', () => {
    const cells = startCells(planMatrix());
    expect(cells).toHaveLength(24);
    const blocked = cells.filter((cell) => stateOf(cell) === 'blocked');
    expect(blocked).toHaveLength(15);
    expect(blocked.every((cell) => attemptsOf(cell).length === 0)).toBe(true);
    expect(blocked[0]?.steps.at(-1)?.reason).toMatch(/blocked and has not been run/);
  });
});

describe('cells', () => {
  const cell: Cell = startCells(planMatrix()).find(({ arm }) => arm === 'minimax') ?? {
    arm: '',
    repetition: 0,
    steps: [],
  };

  test('keep every attempt', () => {
    let now = advance(cell, 'running', 'Started.', null);
    now = advance(now, 'moderated', 'The provider refused the prompt.', shown);
    now = advance(now, 'running', 'Tried again.', null);
    now = advance(now, 'done', 'A picture came.', shown);
    now = advance(now, 'discarded', 'Wrong canvas.', shown);
    expect(attemptsOf(now).map(({ state }) => state)).toEqual(['moderated', 'discarded']);
    expect(stateOf(now)).toBe('discarded');
  });

  test('refuse what cannot follow, silence, and claims without evidence', () => {
    expect(() => advance(cell, 'discarded', 'x', shown)).toThrow(coded('cell_transition'));
    expect(() => advance(cell, 'running', ' ', null)).toThrow(coded('cell_reason'));
    expect(() => advance(cell, 'done', 'x', null)).toThrow(coded('cell_evidence'));
    const blocked = advance(cell, 'blocked', 'No card.', null);
    expect(() => advance(blocked, 'done', 'x', shown)).toThrow(coded('cell_transition'));
  });
});

test('a summary keeps failures in the denominators and prints the interval', async () => {
  const record = async (layout: 'correct' | 'swapped', seed: number) =>
    (await measureFile(
      's.png',
      encodePng(drawScene({ layout, seed, width: 256, height: 256 })),
      FROZEN,
      wasmEngine,
    )) as MeasuredRecord;
  const pictures = [await record('correct', 1), await record('swapped', 1)];
  const [a, b, c] = startCells(planMatrix()).filter(({ arm }) => arm === 'drawn');
  if (a === undefined || b === undefined || c === undefined) throw new Error('three cells');
  const cells = [
    advance(a, 'done', 'Drawn.', shown),
    advance(advance(b, 'done', 'Drawn.', shown), 'discarded', 'Not released.', shown),
    advance(c, 'failed', 'Out of paper.', shown),
  ];
  const [summary] = summarise(cells, FROZEN, (cell) => pictures[cell.repetition - 1] ?? null);
  expect(summary).toMatchObject({
    arm: 'drawn',
    states: { done: 1, discarded: 1, failed: 1 },
    attempts: 3,
    images: 2,
    repeated_pixels: 0,
  });
  expect(
    summary?.signals.map(({ passes, of_attempts, of_images }) => [passes, of_attempts, of_images]),
  ).toEqual([
    [1, 3, 2],
    [1, 3, 2],
    [1, 3, 2],
  ]);
  expect(summary?.signals[0]?.interval?.low).toBeCloseTo(0.0945, 3);
  expect(summary?.signals[0]?.lowest).toBe(summary?.signals[0]?.highest);
});

describe('review', () => {
  const image = 'a'.repeat(64);
  const review = (reviewer: string, item: Review['item'], score: Review['score'], of = image): Review => ({
    reviewer,
    image: of,
    item,
    score,
    note: '',
  });

  test('numbers stay hidden until all three items are scored', () => {
    let reviews = addReview([], review('Ann', 'prompt_adherence', 2));
    reviews = addReview(reviews, review('Ann', 'attribute_binding', 1));
    expect(mayReveal(reviews, 'Ann', image)).toBe(false);
    reviews = addReview(reviews, review('Ann', 'spatial_layout', 0));
    expect(mayReveal(reviews, 'Ann', image)).toBe(true);
    expect(mayReveal(reviews, 'Ben', image)).toBe(false);
    expect(() => addReview(reviews, review('Ann', 'spatial_layout', 2))).toThrow(coded('review_repeated'));
    expect(() => addReview(reviews, review(' ', 'spatial_layout', 2))).toThrow(coded('review_invalid'));
    expect(() => addReview(reviews, review('Ben', 'spatial_layout', 2, 'x'))).toThrow(
      coded('review_invalid'),
    );
  });

  test('agreement is counted by pairs and never merged', () => {
    const scores: [Review['score'], Review['score']][] = [
      [2, 2],
      [2, 1],
      [0, 0],
      [1, 1],
    ];
    const reviews = scores.flatMap(([a, b], i) => [
      review('Ann', 'spatial_layout', a, `${i}`.repeat(64)),
      review('Ben', 'spatial_layout', b, `${i}`.repeat(64)),
    ]);
    const spatial = agreements(reviews).find(({ item }) => item === 'spatial_layout');
    // Worked by hand: 3 of 4 equal; by chance 1/4*1/4 + 1/4*2/4 + 2/4*1/4 = 5/16; kappa = (12/16 - 5/16) / (11/16).
    expect(spatial).toMatchObject({ reviewers: ['Ann', 'Ben'], pictures: 4, equal: 3 });
    expect(spatial?.kappa).toBeCloseTo(7 / 11, 12);
    const none = agreements(reviews).find(({ item }) => item === 'prompt_adherence');
    expect(none).toMatchObject({ pictures: 0, equal: 0, kappa: null });
  });
});
