import { PixelproofError } from '../../errors';
import type { PyObject, PyValue } from '../../evidence/identity/python-json';
import type { Rgb, Surface } from '../../pixels/surface';
import type { RecipeOperation } from './recipes';
import {
  COOLDOWN_DUAL,
  COOLDOWN_SHAPE,
  COOLDOWN_TEXT,
  LANE_OVERLAYS,
  NUMERAL_BOXES,
  TEXT_BOX,
} from './sprites';

/**
 * An operation changes pixels from visible pixels and its own parameters alone; it never sees the state. Shapes stand
 * ready as sprites for the published geometry, which is the only one that recipes of this benchmark name.
 */
type Operation = (image: Surface, parameters: PyObject) => void;

const OPERATIONS: { readonly [name: string]: Operation } = {
  cooldown_shape_overlay: (image, parameters) => {
    const sprite = COOLDOWN_SHAPE[detectCooldown(image, parameters)];
    image.blit(sprite.shape, sprite.dx, sprite.dy);
  },
  cooldown_dual_overlay: (image, parameters) => {
    const sprite = COOLDOWN_DUAL[detectCooldown(image, parameters)];
    image.blit(sprite.shape, sprite.dx, sprite.dy);
  },
  // The crop is half-open: the box's last column and row are not copied.
  cooldown_marker_duplicate: (image, parameters) => {
    const [x0, y0, x1, y1] = box(parameters.source_position);
    const [toX, toY] = box(parameters.target_position);
    image.copyRect(x0, y0, toX, toY, x1 - x0, y1 - y0);
  },
  lane_separator_enhance: (image) => {
    for (const overlay of LANE_OVERLAYS) image.blit(overlay.shape, overlay.dx, overlay.dy);
  },
  cooldown_text_overlay: (image, parameters) => {
    const text = COOLDOWN_TEXT[detectCooldown(image, parameters)];
    image.blend(text.shape, text.dx, text.dy, colour(parameters.text_color));
  },
  cooldown_text_erase: (image, parameters) => {
    const [x0, y0, x1, y1] = box(TEXT_BOX);
    image.fill(x0, y0, x1, y1, colour(parameters.background_color));
  },
  lane_numerals_erase: (image, parameters) => {
    for (const numeral of NUMERAL_BOXES) {
      const [x0, y0, x1, y1] = box(numeral);
      image.fill(x0, y0, x1, y1, colour(parameters.background_color));
    }
  },
};

/** Throws `operation_unknown`, and `cooldown_not_detected` where an overlay finds no indicator to read. */
export function applyOperation(image: Surface, { operation, parameters }: RecipeOperation): void {
  const apply = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (apply === undefined) {
    throw new PixelproofError('operation_unknown', `unknown intervention operation: '${operation}'`, {
      expected: Object.keys(OPERATIONS).join(', '),
      got: operation,
    });
  }
  apply(image, parameters);
}

/** Largest Euclidean RGB distance at which a pixel counts as the indicator's colour, squared. */
const DETECTION_DISTANCE_SQUARED = 60 * 60;

/** 0 ready, 1 blocked, by the pixel at the integer centre of the indicator's box. */
function detectCooldown(image: Surface, parameters: PyObject): 0 | 1 {
  const [x0, y0, x1, y1] = box(parameters.position);
  const pixel = image.pixel((x0 + x1) >> 1, (y0 + y1) >> 1);
  if (distanceSquared(pixel, colour(parameters.ready_color)) <= DETECTION_DISTANCE_SQUARED) return 0;
  if (distanceSquared(pixel, colour(parameters.blocked_color)) <= DETECTION_DISTANCE_SQUARED) return 1;
  throw new PixelproofError(
    'cooldown_not_detected',
    `cannot detect cooldown indicator colour at (${x0}, ${y0}, ${x1}, ${y1}): pixel=(${pixel.join(', ')})`,
    { expected: 'a colour within 60 of the ready or the blocked one', got: pixel.join(',') },
  );
}

function distanceSquared(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function numbers(value: PyValue | undefined, count: number): number[] {
  if (Array.isArray(value) && value.length === count && value.every((item) => typeof item === 'number')) {
    return value as number[];
  }
  throw new PixelproofError('operation_parameters', 'An operation lacks a parameter it needs.', {
    expected: `a list of ${count} integers`,
    got: JSON.stringify(value) ?? 'nothing',
  });
}

function box(value: PyValue | undefined): [number, number, number, number] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers(value, 4);
  return [x0, y0, x1, y1];
}

function colour(value: PyValue | undefined): Rgb {
  const [r = 0, g = 0, b = 0] = numbers(value, 3);
  return [r, g, b];
}
