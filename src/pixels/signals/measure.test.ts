import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RgbImage } from '../rgb-image';
import { measureSlowly } from '../testing/slow-signals';
import { Workbench } from '../workbench';
import { measureWasm } from './measure';
import { FEATURES, type MeasureTask, type Term } from './task';

/** A mask drawn as rows of text: anything but a space is dark. */
function drawn(...rows: readonly string[]): RgbImage {
  const width = rows[0]?.length ?? 0;
  const data = new Uint8Array(width * rows.length * 3).fill(255);
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x++)
      if (row[x] !== ' ') data.fill(0, (y * width + x) * 3, (y * width + x) * 3 + 3);
  });
  return { width, height: rows.length, data };
}
function filled(width: number, height: number, dark: (x: number, y: number) => boolean): RgbImage {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (dark(x, y) ? '#' : ' ')).join(''),
  );
  return drawn(...rows);
}
const DARK = [{ feature: 'min', least: 0, greatest: 229 }] as const;
const componentsOf = (image: RgbImage, least_area = 1) =>
  measureWasm(image, { regions: [], mask: DARK, least_area }).components;

const term: fc.Arbitrary<Term> = fc.record({
  feature: fc.constantFrom(...FEATURES),
  least: fc.integer({ min: -300, max: 300 }),
  greatest: fc.integer({ min: -300, max: 300 }),
});
const images: fc.Arbitrary<RgbImage> = fc
  .record({
    width: fc.oneof(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 60, max: 70 }),
      fc.integer({ min: 126, max: 130 }),
    ),
    height: fc.integer({ min: 1, max: 16 }),
    white: fc.integer({ min: 0, max: 10 }),
    seed: fc.nat(),
  })
  .map(({ width, height, white, seed }) => {
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    };
    const data = Uint8Array.from({ length: width * height * 3 }, next);
    for (let i = 0; i < data.length; i += 3) if (next() % 11 < white) data.fill(255, i, i + 3);
    return { width, height, data };
  });

describe('measuring in WebAssembly', () => {
  test('equals the plain reading for any regions, predicates and sums', () => {
    const cases = images.chain((image) =>
      fc.record({
        image: fc.constant(image),
        regions: fc.array(
          fc.record({
            rectangle: fc
              .tuple(fc.nat(image.width), fc.nat(image.width), fc.nat(image.height), fc.nat(image.height))
              .map(([a, b, c, d]) => ({
                x0: Math.min(a, b),
                x1: Math.max(a, b),
                y0: Math.min(c, d),
                y1: Math.max(c, d),
              })),
            where: fc.array(term, { maxLength: 4 }),
            sum: fc.option(fc.constantFrom(...FEATURES)),
          }),
          { maxLength: 5 },
        ),
        mask: fc.array(term, { maxLength: 3 }),
        least_area: fc.option(fc.integer({ min: 1, max: 12 })),
      }),
    );
    fc.assert(
      fc.property(cases, ({ image, ...task }) => {
        expect(measureWasm(image, task satisfies MeasureTask)).toEqual(measureSlowly(image, task));
      }),
      { numRuns: 400 },
    );
  });

  test('every limit of every feature, at both ends', () => {
    const image = filled(40, 2, (x) => x % 2 === 0);
    image.data.set(Uint8Array.from({ length: 120 }, (_, i) => (i * 37) & 255));
    for (const feature of FEATURES) {
      for (const edge of [-256, -255, -1, 0, 1, 127, 128, 254, 255, 256]) {
        for (const limits of [
          { least: edge, greatest: 255 },
          { least: -255, greatest: edge },
        ]) {
          const where = [{ feature, ...limits }];
          const task = {
            regions: [{ rectangle: { x0: 0, x1: 40, y0: 0, y1: 2 }, where, sum: feature }],
            mask: where,
            least_area: 1,
          };
          expect(measureWasm(image, task)).toEqual(measureSlowly(image, task));
        }
      }
    }
  });
});

describe('4-connected components', () => {
  test('a corner joins nothing, an edge does', () => {
    expect(componentsOf(drawn('# ', ' #'))?.components_total).toBe(2);
    expect(componentsOf(drawn('##', ' #'))).toEqual({
      count: 1,
      areas: [3],
      boxes: [[0, 0, 2, 2]],
      components_total: 1,
    });
  });

  test('rows do not wrap around', () => {
    expect(componentsOf(drawn('  #', '#  '))?.components_total).toBe(2);
    const wide = filled(128, 2, (x, y) => (y === 0 ? x === 127 : x === 0));
    expect(componentsOf(wide)?.components_total).toBe(2);
  });

  test('equal areas in scan order of their first pixels, boxes half-open', () => {
    const found = componentsOf(drawn('   ##', '#    ', '# ###'));
    expect(found?.areas).toEqual([3, 2, 2]);
    expect(found?.boxes).toEqual([
      [2, 2, 5, 3],
      [3, 0, 5, 1],
      [0, 1, 1, 3],
    ]);
  });

  test('combs, spirals, checkerboards and full frames', () => {
    const spiral = (x: number, y: number, side: number) => {
      const ring = Math.min(x, y, side - 1 - x, side - 1 - y);
      return ring % 2 === 0 ? !(x === ring && y === ring + 1 && ring > 0) : x === ring && y === ring + 1;
    };
    const shapes: readonly RgbImage[] = [
      filled(129, 60, (x, y) => x % 2 === 0 || y === 59),
      filled(129, 60, (x, y) => x % 2 === 0 || y === 0),
      filled(63, 63, (x, y) => spiral(x, y, 63)),
      filled(200, 101, (x, y) => (x + y) % 2 === 0),
      filled(192, 40, () => true),
      filled(192, 40, () => false),
      filled(1, 70, (_, y) => y % 3 !== 0),
      filled(300, 1, (x) => x % 3 !== 0),
    ];
    const task = { regions: [], mask: DARK, least_area: 2 };
    for (const shape of shapes) expect(measureWasm(shape, task)).toEqual(measureSlowly(shape, task));
  });

  test('more components than labels: the finished ones are cleared away and none is lost', () => {
    const image = filled(512, 300, (x, y) => (x + y) % 2 === 0 || (x === 256 && y < 299));
    const components = componentsOf(image, 3);
    expect(components?.count).toBe(1);
    expect(components?.boxes).toEqual([[255, 0, 258, 299]]);
    expect(components?.components_total).toBe(
      measureSlowly(image, { regions: [], mask: DARK, least_area: 3 }).components?.components_total,
    );
  });
});

test('memory that is not to be had is said by name', () => {
  const bench = new Workbench();
  bench.clear();
  expect(() => bench.lay(5_000_000_000)).toThrow(expect.objectContaining({ code: 'memory_exhausted' }));
});
