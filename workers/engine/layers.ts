import type { RgbImage } from '../../src/pixels/rgb-image';
import { featuresOf, holds } from '../../src/pixels/signals/features';
import type { Predicate } from '../../src/pixels/signals/task';
import type { LayerView, ThumbView } from '../api';

/** The longest side of a picture in the list, in pixels. */
const THUMB = 48;
/** Pixels of a layer: larger pictures are shown coarser, and measured whole all the same. */
const MOST = 4_000_000;
/** How dark the rest is where a mask does not hold, of 255. */
const DIM = 190;
/** Colours of components in turn, told apart with any colour vision. */
const BLOB_COLOURS = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [86, 180, 233],
  [213, 94, 0],
] as const;

export function thumbOf(image: RgbImage): ThumbView {
  const step = Math.max(1, Math.ceil(Math.max(image.width, image.height) / THUMB));
  const { width, height, rgba } = sampled(image, step);
  return { width, height, rgba };
}

export function shownOf(image: RgbImage): LayerView {
  return sampled(image, stepOf(image));
}

/** Transparent where the mask holds, dark elsewhere. */
export function maskLayer(image: RgbImage, predicate: Predicate): LayerView {
  const layer = empty(image, stepOf(image));
  each(image, layer, (from, to) => {
    const { data } = image;
    const features = featuresOf(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0);
    layer.rgba[to + 3] = holds(predicate, features) ? 0 : DIM;
  });
  return layer;
}

/** Components of the mask that reach the least area in colours of their own; all others stay dark. */
export function blobLayer(image: RgbImage, predicate: Predicate, least: number): LayerView {
  const { width, height, data } = image;
  const labels = labelled(image, predicate);
  const areas = new Map<number, number>();
  for (const label of labels) if (label >= 0) areas.set(label, (areas.get(label) ?? 0) + 1);
  const counted = [...areas].filter(([, area]) => area >= least).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const place = new Map(counted.map(([label], i) => [label, i]));
  const layer = empty({ width, height, data }, stepOf(image));
  each(image, layer, (from, to) => {
    const index = place.get(labels[from / 3] ?? -1);
    const colour = index === undefined ? null : BLOB_COLOURS[index % BLOB_COLOURS.length];
    layer.rgba.set(colour == null ? [0, 0, 0, DIM] : [...colour, 170], to);
  });
  return layer;
}

/** Each pixel's component by its first pixel in scan order, -1 outside the mask. Union-find with path halving. */
function labelled({ width, height, data }: RgbImage, predicate: Predicate): Int32Array {
  const parent = new Int32Array(width * height).fill(-1);
  const find = (start: number): number => {
    let at = start;
    for (;;) {
      const up = parent[at] ?? at;
      if (up === at) return at;
      const next = parent[up] ?? up;
      parent[at] = next;
      at = next;
    }
  };
  const join = (a: number, b: number): void => {
    const [one, two] = [find(a), find(b)];
    if (one < two) parent[two] = one;
    else parent[one] = two;
  };
  for (let i = 0, from = 0; i < parent.length; i++, from += 3) {
    if (!holds(predicate, featuresOf(data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0))) continue;
    parent[i] = i;
    if (i % width > 0 && (parent[i - 1] ?? -1) >= 0) join(i, i - 1);
    if (i >= width && (parent[i - width] ?? -1) >= 0) join(i, i - width);
  }
  for (let i = 0; i < parent.length; i++) if ((parent[i] ?? -1) >= 0) parent[i] = find(i);
  return parent;
}

function stepOf({ width, height }: RgbImage): number {
  return Math.max(1, Math.ceil(Math.sqrt((width * height) / MOST)));
}

function empty({ width, height }: RgbImage, step: number): LayerView {
  const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
  return { width: w, height: h, step, rgba: new Uint8ClampedArray(w * h * 4) };
}

function each(image: RgbImage, layer: LayerView, put: (from: number, to: number) => void): void {
  for (let y = 0, to = 0; y < layer.height; y++)
    for (let x = 0; x < layer.width; x++, to += 4)
      put((y * layer.step * image.width + x * layer.step) * 3, to);
}

function sampled(image: RgbImage, step: number): LayerView {
  const layer = empty(image, step);
  const { data } = image;
  each(image, layer, (from, to) => {
    layer.rgba[to] = data[from] ?? 0;
    layer.rgba[to + 1] = data[from + 1] ?? 0;
    layer.rgba[to + 2] = data[from + 2] ?? 0;
    layer.rgba[to + 3] = 255;
  });
  return layer;
}
