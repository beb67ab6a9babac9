import { describe, expect, test } from 'vitest';
import { measureWasm } from '../../pixels/signals/measure';
import { measureSlowly } from '../../pixels/testing/slow-signals';
import { type DefinitionFile, parseDefinition } from './definition';
import { FROZEN, FROZEN_FILE } from './protocol';
import { drawScene } from './scene';
import { planSignals } from './signals';

/** The frozen file with one thing changed, as JSON a person might have written. */
function changed(
  change: (file: Record<string, never> & { signals: Record<string, unknown>[] }) => void,
): unknown {
  const file = JSON.parse(JSON.stringify(FROZEN_FILE));
  change(file);
  return file;
}

describe('definitions', () => {
  test('the frozen cell is one, and survives JSON', () => {
    const again = parseDefinition(JSON.parse(JSON.stringify(FROZEN_FILE)));
    expect(again).toEqual(FROZEN);
    expect(again.signals.map(({ id }) => id)).toEqual([
      'left-red-dominance',
      'right-blue-dominance',
      'bottom-yellow-presence',
      'nonwhite-blob-count',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no object', 7, '(the whole file)'],
    ['another schema', changed((f) => Object.assign(f, { schema: 'x' })), 'schema'],
    ['an unknown field', changed((f) => Object.assign(f, { extra: 1 })), 'extra'],
    [
      'an unknown feature',
      changed((f) => Object.assign(f, { predicates: { nonwhite: [{ feature: 'hue', at_least: 1 }] } })),
      'predicates.nonwhite.0.feature',
    ],
    [
      'a term without limits',
      changed((f) => Object.assign(f, { predicates: { nonwhite: [{ feature: 'min' }] } })),
      'predicates.nonwhite.0',
    ],
    [
      'a predicate with a taken name',
      changed((f) =>
        Object.assign(f, { predicates: { total: [{ feature: 'min', at_least: 1 }] }, mask: 'total' }),
      ),
      'predicates.total',
    ],
    [
      'a predicate that every object inherits',
      JSON.parse(
        JSON.stringify(FROZEN_FILE).replace(
          '"predicates":{',
          '"predicates":{"__proto__":[{"feature":"min","at_most":9}],',
        ),
      ),
      'predicates.__proto__',
    ],
    [
      'limits that no level meets',
      changed((f) =>
        Object.assign(f, { predicates: { nonwhite: [{ feature: 'min', at_least: 9, at_most: 8 }] } }),
      ),
      'predicates.nonwhite.0',
    ],
    [
      'a signal that would overwrite a field of the record',
      changed((f) => Object.assign(f.signals[0] ?? {}, { id: 'rgb-sha256' })),
      'signals.0.id',
    ],
    [
      'a signal that would overwrite the total of the mask',
      changed((f) => Object.assign(f.signals[0] ?? {}, { id: 'nonwhite-total' })),
      'signals.0.id',
    ],
    [
      'a region of three bounds',
      changed((f) => Object.assign(f.signals[0] ?? {}, { region: { x: ['0', '1/2', '1'], y: ['0', '1'] } })),
      'signals.0.region.x.2',
    ],
    ['a mask that is not there', changed((f) => Object.assign(f, { mask: 'dark' })), 'mask'],
    [
      'a predicate that is not there',
      changed((f) => Object.assign(f.signals[0] ?? {}, { where: 'dark' })),
      'signals.0.where',
    ],
    [
      'a region that is empty',
      changed((f) => Object.assign(f.signals[0] ?? {}, { region: { x: ['1/2', '1/2'], y: ['0', '1'] } })),
      'signals.0.region.x',
    ],
    [
      'a region that leaves the image',
      changed((f) => Object.assign(f.signals[0] ?? {}, { region: { x: ['0', '1'], y: ['0', '3/2'] } })),
      'signals.0.region.y',
    ],
    [
      'a fraction over nothing',
      changed((f) => Object.assign(f.signals[0] ?? {}, { pass: { at_least: '1/0' } })),
      'signals.0.pass',
    ],
    [
      'two signals of one name',
      changed((f) => Object.assign(f.signals[1] ?? {}, { id: 'left-red-dominance' })),
      'signals.1.id',
    ],
    [
      'two signals of components',
      changed((f) => f.signals.push({ id: 'more', statistic: 'components', least_area: '0' })),
      'signals.4',
    ],
    [
      'a share of components beyond the image',
      changed((f) => Object.assign(f.signals[3] ?? {}, { least_area: '2' })),
      'signals.3.least_area',
    ],
  ])('%s is refused, with its place', (_, json, path) => {
    expect(() => parseDefinition(json)).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        message: expect.stringContaining(`at ${path}.`),
      }),
    );
  });

  test('one of one’s own: other regions, colours, an upper limit, no threshold, no components', () => {
    const file: DefinitionFile = {
      schema: 'pixelproof-signals/1',
      id: 'mine',
      title: 'Green low',
      predicates: {
        green: [{ feature: 'green_dominance', at_least: 20 }],
        any: [{ feature: 'min', at_least: 0 }],
      },
      mask: 'green',
      signals: [
        {
          id: 'green-share',
          statistic: 'share',
          region: { x: ['0', '1'], y: ['1/7', '5/9'] },
          where: 'green',
          pass: { at_most: '1/50' },
        },
        {
          id: 'grey-level',
          statistic: 'mean',
          region: { x: ['1/3', '2/3'], y: ['0', '1'] },
          of: 'max',
          where: 'any',
        },
      ],
    };
    const definition = parseDefinition(file);
    const image = drawScene({ layout: 'extra-objects', seed: 3, width: 101, height: 77 });
    const plan = planSignals(definition, 101, 77);
    const fast = plan.signals(measureWasm(image, plan.task));
    expect(fast).toEqual(plan.signals(measureSlowly(image, plan.task)));
    expect(fast.values.green_share).toMatchObject({ roi: [0, 101, 11, 43], total: 101 * 32 });
    expect(Object.keys(fast.values.green_share ?? {})).toEqual(['roi', 'green', 'total', 'value', 'pass']);
    expect(fast.values.grey_level).toMatchObject({ pass: false, n: 34 * 77 });
  });
});

describe('bounds', () => {
  const roiOf = (value: unknown) => (value as { roi: number[] }).roi;
  const roisAt = (width: number, height: number) => {
    const white = { width, height, data: new Uint8Array(width * height * 3).fill(255) };
    const plan = planSignals(FROZEN, width, height);
    return plan.signals(measureWasm(white, plan.task));
  };

  // Source: the table of bounds of the published description's reading (exact, double mask, truncation).
  test.each([
    [1024, 1024, [410, 615, 308, 717, 564], 564, [409, 614, 307, 716, 563], 4195],
    [1280, 720, [512, 768, 384, 896, 396], 397, [512, 768, 384, 896, 396], 3687],
    [1344, 768, [538, 807, 404, 941, 423], 423, [537, 806, 403, 940, 422], 4129],
    [512, 512, [205, 308, 154, 359, 282], 282, [204, 307, 153, 358, 281], 1049],
  ])('%i x %i', (width, height, exact, masked, cut, least) => {
    const { values, rounding } = roisAt(width, height);
    const [left, right, x0, x1, low] = exact;
    expect(values.left_red_dominance).toMatchObject({ roi: [0, left, 0, height] });
    expect(values.right_blue_dominance).toMatchObject({ roi: [right, width, 0, height] });
    expect(values.bottom_yellow_presence).toMatchObject({ roi: [x0, x1, low, height] });
    expect(values.nonwhite_blob_count).toMatchObject({ min_area: least });
    const yellow = roiOf(rounding.double_mask.bottom_yellow_presence ?? values.bottom_yellow_presence);
    expect(yellow[2]).toBe(masked);
    const truncated = roiOf(rounding.truncation.bottom_yellow_presence ?? values.bottom_yellow_presence);
    expect(truncated.slice(0, 3)).toEqual(cut.slice(2));
    expect(rounding.verdict_changes).toEqual([]);
  });

  test('reasons say why a value is missing', () => {
    expect(roisAt(2, 2).reasons).toEqual({
      left_red_dominance: 'no nonwhite pixels',
      right_blue_dominance: 'empty region',
      bottom_yellow_presence: 'empty region',
    });
    expect(roisAt(5, 1).reasons.bottom_yellow_presence).toBe('empty region');
  });
});
