import type { RgbImage } from '../rgb-image';
import { atWorkbench, type Workbench } from '../workbench';
import {
  type Components,
  FEATURES,
  MAX_LISTED,
  MAX_TERMS,
  type Measured,
  type MeasureTask,
  type Predicate,
} from './task';

/** Raised with every change that could change a number. */
export const WASM_ENGINE = { id: 'wasm-simd', version: '1' } as const;

/** Words of 32 bits: a region is x0 x1 y0 y1, feature, terms, n, unused, sum (64 bits); a term is three words. */
const REGION_WORDS = 10;
const TERM_WORDS = 3;
const KEPT_WORDS = 6;

/** Measures an image in WebAssembly, in one walk over its pixels and one over the mask. */
export function measureWasm(image: RgbImage, task: MeasureTask): Measured {
  return atWorkbench((bench) => {
    const { width, height, data } = image;
    const count = task.regions.length;
    const pixels = bench.lay(data.length);
    const regions = bench.lay(count * REGION_WORDS * 4);
    const terms = bench.lay((count + 1) * MAX_TERMS * TERM_WORDS * 4);
    const maskTerms = terms + count * MAX_TERMS * TERM_WORDS * 4;
    const words = bench.lay(Math.ceil(width / 64) * 8 * height);
    bench.bytes(pixels, data.length).set(data);
    for (const [i, { rectangle, where, sum }] of task.regions.entries()) {
      const { x0, x1, y0, y1 } = rectangle;
      const feature = sum === null ? -1 : FEATURES.indexOf(sum);
      bench
        .ints(regions + i * REGION_WORDS * 4, REGION_WORDS)
        .set([x0, x1, y0, y1, feature, where.length, 0, 0, 0, 0]);
      writeTerms(bench, terms + i * MAX_TERMS * TERM_WORDS * 4, where);
    }
    writeTerms(bench, maskTerms, task.mask);
    const mask_total = bench.wasm.measureRegions(
      pixels,
      width,
      height,
      regions,
      terms,
      count,
      maskTerms,
      task.mask.length,
      words,
    );
    const results = task.regions.map((_, i) => {
      const [n = 0, , low = 0, high = 0] = bench.ints(regions + i * REGION_WORDS * 4 + 24, 4);
      return { n, sum: high * 2 ** 32 + (low >>> 0) };
    });
    const components =
      task.least_area === null ? null : componentsOf(bench, words, width, height, task.least_area);
    return { regions: results, mask_total, components };
  });
}

function componentsOf(
  bench: Workbench,
  words: number,
  width: number,
  height: number,
  least: number,
): Components {
  const out = bench.lay((MAX_LISTED + 1) * KEPT_WORDS * 4);
  const scratch = bench.lay(bench.wasm.blobScratch(width));
  bench.wasm.labelBlobs(words, width, height, least, out, MAX_LISTED, scratch);
  const areas: number[] = [];
  const boxes: [number, number, number, number][] = [];
  for (let i = 0; i < bench.wasm.blobsListed(); i++) {
    const [area = 0, x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bench.ints(out + i * KEPT_WORDS * 4, KEPT_WORDS);
    areas.push(area);
    boxes.push([x0, y0, x1, y1]);
  }
  return { count: bench.wasm.blobsCounted(), areas, boxes, components_total: bench.wasm.blobsTotal() };
}

function writeTerms(bench: Workbench, at: number, predicate: Predicate): void {
  bench
    .ints(at, predicate.length * TERM_WORDS)
    .set(predicate.flatMap((term) => [FEATURES.indexOf(term.feature), ...limitsOf(term)]));
}

/** The limits inside the feature's own range, which the kernels' narrow lanes hold; an impossible term as 1..0. */
export function limitsOf({ feature, least, greatest }: Predicate[number]): [number, number] {
  const floor = FEATURES.indexOf(feature) < FEATURES.indexOf('red_dominance') ? 0 : -255;
  const low = Math.max(floor, least);
  const high = Math.min(255, greatest);
  return low > high ? [1, 0] : [low, high];
}
