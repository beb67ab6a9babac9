import { expect, test } from 'vitest';
import { readDefinition } from './definition-text';
import { readParameters } from './parameters';
import { FROZEN, FROZEN_FILE, RUBRIC } from './protocol';
import { addReview, type Review } from './review';

const frozen = JSON.stringify(FROZEN_FILE);
const refused = (code: string) => expect.objectContaining({ code });

test('a definition as text, with and without a byte order mark', () => {
  expect(readDefinition(frozen)).toEqual(FROZEN);
  expect(readDefinition(`\uFEFF${frozen}`)).toEqual(FROZEN);
});

test.each<[string, string, () => string]>([
  ['no JSON', 'json_syntax', () => '{ "schema": '],
  ['nothing', 'json_syntax', () => ''],
  ['NaN', 'json_syntax', () => frozen.replace('"at_most":229', '"at_most":NaN')],
  ['a number beyond every float', 'json_number', () => frozen.replace('"at_most":229', '"at_most":1e999')],
  ['a huge number', 'definition_invalid', () => frozen.replace('"at_most":229', '"at_most":1e300')],
  ['a number as text', 'definition_invalid', () => frozen.replace('"at_most":229', '"at_most":"229"')],
  ['a fraction of nothing', 'definition_invalid', () => frozen.replace('"2/5"', '"2/0"')],
  ['a fraction as a number', 'definition_invalid', () => frozen.replace('"2/5"', '0.4')],
  ['a list', 'definition_invalid', () => `[${frozen}]`],
  ['null', 'definition_invalid', () => 'null'],
  ['100,000 levels', 'json_depth', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['100,000 levels inside', 'json_depth', () => frozen.replace('"2/5"', '{"a":'.repeat(100_000))],
  ['a prototype', 'json_forbidden_key', () => frozen.replace('{', '{"__proto__":{"mask":"nonwhite"},')],
  ['a key twice', 'json_duplicate_key', () => frozen.replace('{', '{"schema":"pixelproof-signals/1",')],
  ['50 MB', 'definition_too_large', () => frozen + ' '.repeat(50_000_000)],
])('a definition that is %s: %s', (_, code, text) => {
  expect(() => readDefinition(text())).toThrow(refused(code));
  expect(Object.prototype).not.toHaveProperty('mask');
});

const picture = { sha256: `sha256:${'0'.repeat(64)}` };
test.each<[string, unknown]>([
  ['no pictures', { pictures: [] }],
  ['pictures that are no list', { pictures: picture }],
  ['a prototype in a picture', { pictures: [JSON.parse('{"__proto__":{"arm":"x"},"sha256":7}')] }],
  ['a digest of other length', { pictures: [{ sha256: 'sha256:00' }] }],
  ['too many pictures', { pictures: Array(10_001).fill(picture) }],
  [
    'a scene with NaN',
    { pictures: [{ scene: { layout: 'correct', seed: Number.NaN, width: 8, height: 8 } }] },
  ],
  [
    'a scene of endless width',
    { pictures: [{ scene: { layout: 'correct', seed: 1, width: Infinity, height: 8 } }] },
  ],
  ['a repetition below 1', { pictures: [{ ...picture, cell: { arm: 'minimax', repetition: 0 } }] }],
  ['an arm that is a path', { pictures: [{ ...picture, arm: '../../x' }] }],
  [
    'a state that no cell has',
    {
      pictures: [picture],
      cells: [{ arm: 'a', repetition: 1, steps: [{ state: 'won', reason: '', evidence: null }] }],
    },
  ],
  [
    'a score that is no score',
    { pictures: [picture], reviews: [{ reviewer: 'A', image: 'x', item: RUBRIC[0], score: 9, note: '' }] },
  ],
  [
    'a note of 50 MB',
    {
      pictures: [picture],
      reviews: [{ reviewer: 'A', image: 'x', item: RUBRIC[0], score: 1, note: 'x'.repeat(5e7) }],
    },
  ],
  ['an engine of its own', { pictures: [picture], engine: 'abacus' }],
])('a plan with %s: plan_parameters', (_, given) => {
  expect(() => readParameters(given as Parameters<typeof readParameters>[0])).toThrow(
    refused('plan_parameters'),
  );
});

test.each<[string, object]>([
  ['a blank name', { reviewer: '  ' }],
  ['no digest', { image: 'x' }],
  ['an item that every object inherits', { item: '__proto__' }],
  ['a score as text', { score: '2' }],
  ['a score that is no number', { score: Number.NaN }],
])('a review with %s: review_invalid, and what was there stays', (_, change) => {
  const good = {
    reviewer: 'Ada',
    image: 'a'.repeat(64),
    item: 'spatial_layout',
    score: 2,
    note: '',
  } as Review;
  const before = addReview([], { ...good, item: RUBRIC[0] });
  expect(() => addReview(before, { ...good, item: RUBRIC[1], ...change } as Review)).toThrow(
    refused('review_invalid'),
  );
  expect(before).toHaveLength(1);
});
