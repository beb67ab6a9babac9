import type { Picture } from '../picture';

/** Pillow's LANCZOS: three lobes to each side. */
const LOBES = 3;

function kernel(x: number): number {
  if (x === 0) return 1;
  if (x <= -LOBES || x >= LOBES) return 0;
  const turn = Math.PI * x;
  return (LOBES * Math.sin(turn) * Math.sin(turn / LOBES)) / (turn * turn);
}

interface Tap {
  readonly first: number;
  readonly weights: readonly number[];
}

/** For each sample along one axis the pixels it is made of; a smaller picture widens the kernel. */
function taps(from: number, to: number): Tap[] {
  const scale = from / to;
  const stretch = Math.max(scale, 1);
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const first = Math.max(0, Math.floor(centre - LOBES * stretch + 0.5));
    const end = Math.min(from, Math.floor(centre + LOBES * stretch + 0.5));
    const raw = Array.from({ length: end - first }, (_, each) =>
      kernel((first + each + 0.5 - centre) / stretch),
    );
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: raw.map((weight) => weight / sum) };
  });
}

/**
 * A whole picture at another size, across and then down, rounded to 8 bits after each as Pillow does. A canvas would
 * give other pixels in every browser, and Node has none.
 */
export function lanczos({ width, height, data }: Picture, toWidth: number, toHeight: number): Picture {
  const across = new Uint8ClampedArray(toWidth * height * 3);
  for (const [x, { first, weights }] of taps(width, toWidth).entries()) {
    for (let y = 0; y < height; y += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (const [each, weight] of weights.entries())
          sum += weight * (data[(y * width + first + each) * 3 + channel] ?? 0);
        across[(y * toWidth + x) * 3 + channel] = Math.floor(sum + 0.5);
      }
    }
  }
  const out = new Uint8ClampedArray(toWidth * toHeight * 3);
  for (const [y, { first, weights }] of taps(height, toHeight).entries()) {
    for (let at = 0; at < toWidth * 3; at += 1) {
      let sum = 0;
      for (const [each, weight] of weights.entries())
        sum += weight * (across[(first + each) * toWidth * 3 + at] ?? 0);
      out[y * toWidth * 3 + at] = Math.floor(sum + 0.5);
    }
  }
  return { width: toWidth, height: toHeight, data: new Uint8Array(out.buffer) };
}
