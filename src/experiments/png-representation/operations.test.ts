import { expect, test } from 'vitest';
import { Surface } from '../../pixels/surface';
import { applyOperation } from './operations';
import { makeRecipe, type Recipe, recipeOf } from './recipes';
import { stateOfRow } from './states';
import { materialiseSteps } from './steps';

const code = (code: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code } : { code, message });
const operationOf = (recipe: Recipe) => {
  const [first] = recipe.operations;
  if (first === undefined) throw new Error('no operation');
  return first;
};

test('an operation that changes nothing is refused', async () => {
  const erase = operationOf(recipeOf('lane-numerals-v1'));
  const recipe = makeRecipe('x', 'unlabelled', [erase], {});
  await expect(materialiseSteps(recipe, stateOfRow('tank=0|target=none|cooldown=0'))).rejects.toThrow(
    code('operation_no_change', "intervention operation 'cooldown_text_erase' produced no pixel change"),
  );
});

test.each(['footer_reserved_area', 'toString', '__proto__'])('operation %s is unknown', (operation) => {
  const surface = new Surface(4, 4);
  expect(() => applyOperation(surface, { operation, operation_version: 'v1', parameters: {} })).toThrow(
    code('operation_unknown', `unknown intervention operation: '${operation}'`),
  );
});

test('an overlay that finds no indicator says what it found', () => {
  const surface = new Surface(896, 512);
  surface.fill(0, 0, 895, 511, [1, 2, 3]);
  for (const variant of ['cooldown-shape-v1', 'cooldown-dual-v1', 'cooldown-text-v1'] as const) {
    expect(() => applyOperation(surface, operationOf(recipeOf(variant)))).toThrow(
      code(
        'cooldown_not_detected',
        'cannot detect cooldown indicator colour at (20, 18, 56, 54): pixel=(1, 2, 3)',
      ),
    );
  }
});

test('a colour at distance 60 is read, one beyond is not', () => {
  const surface = new Surface(896, 512);
  const overlay = operationOf(recipeOf('cooldown-dual-v1'));
  surface.fill(0, 0, 895, 511, [70 + 60, 225, 125]);
  applyOperation(surface, overlay);
  expect(surface.pixel(38, 36)).toEqual([70, 225, 125]);
  surface.fill(0, 0, 895, 511, [70 + 60, 226, 125]);
  expect(() => applyOperation(surface, overlay)).toThrow(code('cooldown_not_detected'));
});

test('an operation without its parameters is refused', () => {
  const surface = new Surface(896, 512);
  const bare = { operation: 'cooldown_text_erase', operation_version: 'v1', parameters: {} };
  expect(() => applyOperation(surface, bare)).toThrow(code('operation_parameters'));
});
