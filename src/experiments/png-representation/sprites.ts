import data from '../../../fixtures/png-representation/sprites.json' with { type: 'json' };
import { type Mask, type Rgb, type Sprite, uploadMask, uploadSprite } from '../../pixels/surface';

/** The normative pixel data of both renderers and all overlays, uploaded once. Shapes are never drawn, only placed. */
export const BACKGROUND: Rgb = rgb(data.palette.b);
export const GRID: Rgb = rgb(data.palette.g);
export const GREEN: Rgb = rgb(data.palette.G);
export const RED: Rgb = rgb(data.palette.R);
export const WHITE: Rgb = rgb(data.palette.w);

/** A sprite and the offset of its top left from its anchor. */
export interface Placed<T> {
  readonly shape: T;
  readonly dx: number;
  readonly dy: number;
}

const LETTERS = Object.keys(data.palette);
const COLOURS = Object.values(data.palette).map(rgb);

function rgb(values: readonly number[]): Rgb {
  const [r = 0, g = 0, b = 0] = values;
  return [r, g, b];
}

function sprite(rows: readonly string[], dx: number, dy: number): Placed<Sprite> {
  const width = rows[0]?.length ?? 0;
  const indexes = Uint8Array.from(rows.join(''), (letter) => LETTERS.indexOf(letter) + 1);
  return { shape: uploadSprite(width, rows.length, indexes, COLOURS), dx, dy };
}

function mask(text: {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly alpha_hex_rows: readonly string[];
}): Placed<Mask> {
  const hex = text.alpha_hex_rows.join('');
  const coverage = Uint8Array.from({ length: text.w * text.h }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  );
  return { shape: uploadMask(text.w, text.h, coverage), dx: text.x, dy: text.y };
}

const named = (name: keyof typeof data.sprites) =>
  sprite(data.sprites[name].rows, data.sprites[name].dx, data.sprites[name].dy);

/** Index 0 is ready, 1 is blocked. */
export const INDICATOR = [named('indicator_ready'), named('indicator_blocked')] as const;
export const COOLDOWN_SHAPE = [named('cooldown_shape_ready'), named('cooldown_shape_blocked')] as const;
export const COOLDOWN_DUAL = [named('cooldown_dual_ready'), named('cooldown_dual_blocked')] as const;
export const COOLDOWN_TEXT = [mask(data.text.ready), mask(data.text.blocked)] as const;
/** Anchored at (lane centre, 72). */
export const ALIEN = named('alien');
/** Anchored at (lane centre, grid bottom). */
export const TANK = named('tank');
export const NUMERALS = data.text.numerals.map(mask);

/** Lane boundary overlays with the x of their anchors; y is absolute. */
const EVEN = sprite(data.lane_overlay.even.rows, data.lane_overlay.even.dx, data.lane_overlay.even.y);
const ODD = sprite(data.lane_overlay.odd.rows, data.lane_overlay.odd.dx, data.lane_overlay.odd.y);
export const LANE_OVERLAYS = data.lane_overlay.x_positions.map((x, i) => {
  const overlay = i % 2 === 0 ? EVEN : ODD;
  return { shape: overlay.shape, dx: x + overlay.dx, dy: overlay.dy };
});

export const GRIDS = { labelled: data.grid_labelled, unlabelled: data.grid_unlabelled };

/** Inclusive rectangles [x0, y0, x1, y1]. */
export const TEXT_BOX = data.text.bboxes.union;
export const NUMERAL_BOXES = data.text.bboxes.numerals;
