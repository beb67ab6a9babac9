import {
  CANONICAL_STATES,
  materialiseStepsWithPixels,
  recipeOf,
  variantOf,
} from '../src/experiments/png-representation';
import { Xorshift32 } from '../src/numeric/xorshift32';
import type { RgbImage } from '../src/pixels/rgb-image';
import { type Pixels, resize } from '../src/providers/in-page/reduce';
import { INPUT, RECIPE } from './recipe';

/** The renders that are trained on, by state in canonical order, variant by variant. */
export async function trainingRenders(
  wanted: (index: number) => boolean,
): Promise<readonly { readonly index: number; readonly image: RgbImage }[]> {
  const found: { index: number; image: RgbImage }[] = [];
  for (const variant of RECIPE.variants) {
    const recipe = recipeOf(variantOf(variant));
    for (const [index, state] of CANONICAL_STATES.entries()) {
      if (!wanted(index)) continue;
      found.push({ index, image: (await materialiseStepsWithPixels(recipe, state)).final.rgb });
    }
  }
  return found;
}

/** The picture moved by whole pixels, its edges repeated, in the size that the network sees. */
export function moved(image: RgbImage, dx: number, dy: number): Pixels {
  const { width, height } = image;
  const data = new Uint8Array(image.data.length);
  const clamp = (value: number, top: number) => Math.min(top, Math.max(0, value));
  for (let y = 0; y < height; y += 1) {
    const from = clamp(y - dy, height - 1) * width;
    const to = y * width;
    const [left, right] = [Math.max(0, dx), Math.min(width, width + dx)];
    data.set(image.data.subarray((from + left - dx) * 3, (from + right - dx) * 3), (to + left) * 3);
    for (let x = 0; x < left; x += 1) data.set(image.data.subarray(from * 3, from * 3 + 3), (to + x) * 3);
    const edge = (from + width - 1) * 3;
    for (let x = right; x < width; x += 1) data.set(image.data.subarray(edge, edge + 3), (to + x) * 3);
  }
  return resize({ width, height, data }, INPUT.width, INPUT.height, 'area');
}

/**
 * What the network sees of a reduced picture: planes of red, green and blue, with another brightness and noise on every
 * value, cut to 0..255, each value (v / 255 - 0.5) / 0.5.
 */
export function noisyPlanes(pixels: Pixels, brightness: number, seed: number, into: Float32Array): void {
  const places = pixels.width * pixels.height;
  const noise = new Xorshift32(seed);
  const reach = RECIPE.noise.pixel;
  for (let p = 0; p < places; p += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const value = (pixels.data[p * 3 + channel] as number) * brightness + noise.between(-reach, reach);
      into[channel * places + p] = (Math.min(255, Math.max(0, value)) / 255 - 0.5) / 0.5;
    }
  }
}
