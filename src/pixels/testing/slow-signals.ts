import type { RgbImage } from '../rgb-image';
import type { Feature, Measured, MeasureTask, Predicate } from '../signals/task';

/** The measurements pixel by pixel, as the definition reads: the yardstick of every engine. */
export function measureSlowly(image: RgbImage, task: MeasureTask): Measured {
  const inMask = (x: number, y: number) => holds(task.mask, pixel(image, x, y));
  let mask_total = 0;
  for (let y = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++) if (inMask(x, y)) mask_total += 1;
  return {
    regions: task.regions.map(({ rectangle: { x0, x1, y0, y1 }, where, sum }) => {
      let [n, total] = [0, 0];
      for (let y = y0; y < y1; y++) {
        for (let x = x0; x < x1; x++) {
          const rgb = pixel(image, x, y);
          if (!holds(where, rgb)) continue;
          n += 1;
          if (sum !== null) total += featureOf(sum, rgb);
        }
      }
      return { n, sum: total };
    }),
    mask_total,
    components: task.least_area === null ? null : flood(image, inMask, task.least_area),
  };
}

type Pixel = readonly [number, number, number];

function pixel({ width, data }: RgbImage, x: number, y: number): Pixel {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

function holds(predicate: Predicate, rgb: Pixel): boolean {
  return predicate.every(({ feature, least, greatest }) => {
    const value = featureOf(feature, rgb);
    return value >= least && value <= greatest;
  });
}

function featureOf(feature: Feature, [r, g, b]: Pixel): number {
  switch (feature) {
    case 'red':
      return r;
    case 'green':
      return g;
    case 'blue':
      return b;
    case 'min':
      return Math.min(r, g, b);
    case 'max':
      return Math.max(r, g, b);
    case 'red_dominance':
      return r - Math.max(g, b);
    case 'green_dominance':
      return g - Math.max(r, b);
    case 'blue_dominance':
      return b - Math.max(r, g);
    case 'yellow_dominance':
      return Math.min(r, g) - b;
    case 'magenta_dominance':
      return Math.min(r, b) - g;
    case 'cyan_dominance':
      return Math.min(g, b) - r;
    case 'chroma':
      return Math.max(r, g, b) - Math.min(r, g, b);
  }
}

/** Flood fill with an explicit stack. Components are met in scan order of their first pixel. */
function flood({ width, height }: RgbImage, inMask: (x: number, y: number) => boolean, least: number) {
  const seen = new Set<number>();
  const found: { area: number; box: [number, number, number, number] }[] = [];
  for (let start = 0; start < width * height; start++) {
    if (seen.has(start) || !inMask(start % width, Math.floor(start / width))) continue;
    seen.add(start);
    const stack = [start];
    let area = 0;
    const box: [number, number, number, number] = [width, height, 0, 0];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      area += 1;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x + 1);
      box[3] = Math.max(box[3], y + 1);
      for (const [dx, dy] of [
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const) {
        const [u, v] = [x + dx, y + dy];
        if (u < 0 || v < 0 || u >= width || v >= height || seen.has(v * width + u) || !inMask(u, v)) continue;
        seen.add(v * width + u);
        stack.push(v * width + u);
      }
    }
    found.push({ area, box });
  }
  // Array.sort is stable: equal areas stay in scan order.
  const counted = found.filter(({ area }) => area >= least).sort((a, b) => b.area - a.area);
  const listed = counted.slice(0, 64);
  return {
    count: counted.length,
    areas: listed.map(({ area }) => area),
    boxes: listed.map(({ box }) => box),
    components_total: found.length,
  };
}
