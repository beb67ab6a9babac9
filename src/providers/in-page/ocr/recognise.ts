import { type Box, type Picture, planes, resampled } from '../picture';

/** What a recognition network is given: one strip, 48 pixels high. */
export interface RecognitionInput {
  readonly shape: readonly [1, 3, 48, number];
  readonly data: Float32Array<ArrayBuffer>;
}

const HEIGHT = 48;
/**
 * The widths a strip is padded to. Few of them, because the runtime plans its memory again for each new shape; a
 * longer strip is squeezed into the last one.
 */
export const STRIP_WIDTHS = [96, 160, 320, 640, 960] as const;
const HALF = [0.5, 0.5, 0.5] as const;

/** The strip of a box: its pixels at height 48 with the sides' ratio kept, then grey up to the next width. */
export function recognitionInput(picture: Picture, box: Box): RecognitionInput {
  const natural = Math.max(1, Math.round(((box.x1 - box.x0) * HEIGHT) / (box.y1 - box.y0)));
  const width =
    STRIP_WIDTHS.find((each) => each >= natural) ?? STRIP_WIDTHS[STRIP_WIDTHS.length - 1] ?? natural;
  const strip = resampled(picture, box, Math.min(natural, width), HEIGHT);
  return { shape: [1, 3, HEIGHT, width], data: planes(strip, width, HALF, HALF) };
}
