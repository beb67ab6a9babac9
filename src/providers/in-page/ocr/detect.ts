import { type Box, type Picture, planes, resampled } from '../picture';

/** Where text stands: a box of the whole picture, and how sure the detector was in it (0..1). */
export interface TextBox {
  readonly box: Box;
  readonly score: number;
}

/** What a detection network is given, and how its map lies on the picture. */
export interface DetectionInput {
  readonly shape: readonly [1, 3, number, number];
  readonly data: Float32Array<ArrayBuffer>;
}

/** Longest side of what the detector looks at; a longer picture is made smaller first. PaddleOCR's `det_limit_side_len`. */
const LONGEST = 960;
/** The network halves its input five times. */
const STRIDE = 32;
/** ImageNet's, in the order of the planes, as PaddleOCR's configuration applies them. */
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** PaddleOCR's `det_db_thresh`, `det_db_box_thresh` and `det_db_unclip_ratio`. */
const PIXEL_THRESHOLD = 0.3;
const BOX_THRESHOLD = 0.6;
const GROWTH = 1.5;
/** Shortest side of a component, in pixels of the map. */
const SMALLEST = 3;
/** More regions than this are no page of text; the strongest stay. */
const MOST_BOXES = 200;

/** Sides of the detector's input: at most 960 at the longest, each a multiple of 32 and at least 32. */
export function detectionSize(width: number, height: number): readonly [number, number] {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const fitted = (side: number) => Math.max(STRIDE, Math.round((side * scale) / STRIDE) * STRIDE);
  return [fitted(width), fitted(height)];
}

export function detectionInput(picture: Picture): DetectionInput {
  const [width, height] = detectionSize(picture.width, picture.height);
  const whole = { x0: 0, y0: 0, x1: picture.width, y1: picture.height };
  const fitted = resampled(picture, whole, width, height);
  return { shape: [1, 3, height, width], data: planes(fitted, width, MEAN, DEVIATION) };
}

/** How many times larger the lower edge is looked at, and how large it may become. */
const CLOSER = 3;
const LONGEST_CLOSE = 2688;
/** The lower edge is this part of the picture's height. */
const EDGE = 8;

/** The lower eighth of a picture, enlarged for the network, and where it lies. */
export function footerInput(picture: Picture): { readonly band: Box; readonly input: DetectionInput } {
  const y0 = picture.height - Math.max(1, Math.round(picture.height / EDGE));
  const band = { x0: 0, y0, x1: picture.width, y1: picture.height };
  const scale = Math.min(CLOSER, LONGEST_CLOSE / picture.width);
  const fitted = (side: number) => Math.max(STRIDE, Math.round((side * scale) / STRIDE) * STRIDE);
  const [width, height] = [fitted(picture.width), fitted(picture.height - y0)];
  const enlarged = resampled(picture, band, width, height);
  return { band, input: { shape: [1, 3, height, width], data: planes(enlarged, width, MEAN, DEVIATION) } };
}

/**
 * The boxes in a probability map of `width` x `height`, in pixels of a picture of the sides given: components of
 * pixels above 0.3 that touch (corners count), at least 3 pixels a side and 0.6 sure on the mean, grown on every side by
 * area * 1.5 / perimeter. Boxes are upright: text at an angle is cut, not turned. In reading order: by lines from the
 * top, in a line from the left.
 */
export function textBoxes(
  map: ArrayLike<number>,
  [width, height]: readonly [number, number],
  picture: Pick<Picture, 'width' | 'height'>,
): TextBox[] {
  const found: TextBox[] = [];
  const seen = new Uint8Array(width * height);
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start] === 1 || !((map[start] ?? 0) > PIXEL_THRESHOLD)) continue;
    const { box, score } = component(map, seen, start, width, height);
    if (Math.min(box.x1 - box.x0, box.y1 - box.y0) < SMALLEST || score < BOX_THRESHOLD) continue;
    found.push({ box: onPicture(grown(box), [width, height], picture), score });
  }
  const strongest = found.sort((a, b) => b.score - a.score).slice(0, MOST_BOXES);
  return inReadingOrder(strongest);
}

/** Marks the component that holds `start` and gives its bounds and mean. */
function component(
  map: ArrayLike<number>,
  seen: Uint8Array,
  start: number,
  width: number,
  height: number,
): TextBox {
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  let [sum, count] = [0, 0];
  const open = [start];
  seen[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.trunc(at / width)];
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
    sum += map[at] ?? 0;
    count += 1;
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny += 1) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx += 1) {
        const next = ny * width + nx;
        if (seen[next] === 1 || !((map[next] ?? 0) > PIXEL_THRESHOLD)) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
  }
  return { box: { x0, y0, x1, y1 }, score: sum / count };
}

function grown({ x0, y0, x1, y1 }: Box): Box {
  const [width, height] = [x1 - x0, y1 - y0];
  const by = (width * height * GROWTH) / (2 * (width + height));
  return { x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by };
}

/** From the map to whole pixels of the picture, cut at its edges. */
function onPicture(
  { x0, y0, x1, y1 }: Box,
  [width, height]: readonly [number, number],
  picture: Pick<Picture, 'width' | 'height'>,
): Box {
  const place = (at: number, from: number, to: number) =>
    Math.min(to, Math.max(0, Math.round((at * to) / from)));
  const box = {
    x0: place(x0, width, picture.width),
    y0: place(y0, height, picture.height),
    x1: place(x1, width, picture.width),
    y1: place(y1, height, picture.height),
  };
  return { ...box, x1: Math.max(box.x1, box.x0 + 1), y1: Math.max(box.y1, box.y0 + 1) };
}

/** A box belongs to the line whose first box it overlaps by half of the lower one's height. */
function inReadingOrder(boxes: readonly TextBox[]): TextBox[] {
  const lines: TextBox[][] = [];
  const fromTop = [...boxes].sort((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0);
  for (const each of fromTop) {
    const line = lines.find(([first]) => first !== undefined && sameLine(first.box, each.box));
    if (line === undefined) lines.push([each]);
    else line.push(each);
  }
  return lines.flatMap((line) => line.sort((a, b) => a.box.x0 - b.box.x0));
}

function sameLine(a: Box, b: Box): boolean {
  const shared = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return shared * 2 >= Math.min(a.y1 - a.y0, b.y1 - b.y0);
}
