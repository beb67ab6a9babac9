import { PixelproofError } from '../../errors';
import { Xorshift32 } from '../../numeric/xorshift32';
import type { RgbImage } from '../../pixels/rgb-image';

/** Drawn scenes for checking the wiring without any model: the right layout, and layouts that are wrong in one thing. */
export const LAYOUTS = [
  'correct',
  'swapped',
  'no-lemon',
  'lemon-high',
  'small-lemon',
  'grey-background',
  'joined-by-shadow',
  'extra-objects',
  'blank',
] as const;
type Layout = (typeof LAYOUTS)[number];

export interface SceneOptions {
  readonly layout: Layout;
  /** Places, sizes, shades and grain vary with it. */
  readonly seed: number;
  readonly width: number;
  readonly height: number;
}

type Colour = readonly [number, number, number];
/** Light falls from the left: a colour is shaded by up to `depth` levels towards the right edge of its shape. */
interface Paint {
  readonly colour: Colour;
  readonly depth: number;
}

const RED: Paint = { colour: [196, 38, 34], depth: 40 };
const BLUE: Paint = { colour: [32, 74, 190], depth: 44 };
const YELLOW: Paint = { colour: [244, 208, 44], depth: 26 };
const STEEL: Paint = { colour: [150, 156, 164], depth: 40 };
const GREEN: Paint = { colour: [60, 140, 60], depth: 30 };
const SHADOW: Paint = { colour: [214, 214, 216], depth: 0 };

/**
 * Draws a scene in whole numbers only, so that a seed gives the same bytes everywhere. Sides are 64 to 4096 pixels;
 * throws `scene_size` otherwise.
 */
export function drawScene({ layout, seed, width, height }: SceneOptions): RgbImage {
  if (![width, height].every((side) => Number.isInteger(side) && side >= 64 && side <= 4096)) {
    throw new PixelproofError('scene_size', 'A drawn scene has sides of 64 to 4096 pixels.', {
      expected: '64 to 4096',
      got: `${width} x ${height}`,
    });
  }
  const random = new Xorshift32(seed);
  const canvas = new Canvas(width, height, layout === 'grey-background' ? 226 : 252, random);
  /** Thousandths of a side, moved a little by the seed. */
  const across = (at: number, jitter = 12) =>
    Math.round((width * (at + random.between(-jitter, jitter))) / 1000);
  const down = (at: number, jitter = 12) =>
    Math.round((height * (at + random.between(-jitter, jitter))) / 1000);
  if (layout === 'blank') return canvas.image();

  const swapped = layout === 'swapped';
  if (layout === 'joined-by-shadow') canvas.box(across(150), down(610), across(860), down(660), SHADOW);
  const mugX = swapped ? across(760) : across(215);
  const mugWidth = across(210, 8);
  canvas.ring(mugX - Math.trunc(mugWidth / 2), down(500), across(78, 4), across(42, 3), RED);
  canvas.box(mugX - Math.trunc(mugWidth / 2), down(360), mugX + Math.trunc(mugWidth / 2), down(640), RED);

  const flaskX = swapped ? across(230) : across(790);
  const flaskWidth = across(110, 8);
  const top = down(270);
  canvas.box(flaskX - Math.trunc(flaskWidth / 2), top, flaskX + Math.trunc(flaskWidth / 2), down(640), BLUE);
  canvas.box(
    flaskX - Math.trunc(flaskWidth / 3),
    top - down(60, 4),
    flaskX + Math.trunc(flaskWidth / 3),
    top,
    STEEL,
  );

  if (layout !== 'no-lemon') {
    const small = layout === 'small-lemon' ? 3 : 1;
    const y = layout === 'lemon-high' ? down(240) : down(810);
    canvas.ellipse(
      across(500),
      y,
      Math.trunc(across(112, 6) / small),
      Math.trunc(down(72, 5) / small),
      YELLOW,
    );
  }
  if (layout === 'extra-objects') {
    canvas.ellipse(across(500), down(170), across(60, 4), down(60, 4), GREEN);
    canvas.box(across(900), down(760), across(975), down(900), STEEL);
  }
  return canvas.image();
}

class Canvas {
  private readonly data: Uint8Array<ArrayBuffer>;
  private readonly width: number;
  private readonly height: number;
  private readonly random: Xorshift32;

  constructor(width: number, height: number, background: number, random: Xorshift32) {
    this.width = width;
    this.height = height;
    this.random = random;
    this.data = new Uint8Array(width * height * 3);
    // Grain of one grey level or two, as a camera has it; below 230 only where the background is.
    for (let i = 0; i < this.data.length; i += 3) {
      this.data.fill(background - (random.next() & 1), i, i + 3);
    }
  }

  image(): RgbImage {
    return { width: this.width, height: this.height, data: this.data };
  }

  box(x0: number, y0: number, x1: number, y1: number, paint: Paint): void {
    for (let y = Math.max(0, y0); y < Math.min(this.height, y1); y++)
      for (let x = Math.max(0, x0); x < Math.min(this.width, x1); x++) this.put(x, y, x - x0, x1 - x0, paint);
  }

  ellipse(cx: number, cy: number, rx: number, ry: number, paint: Paint): void {
    this.within(
      cx,
      cy,
      rx,
      ry,
      (dx, dy) => dx * dx * ry * ry + dy * dy * rx * rx <= rx * rx * ry * ry,
      paint,
    );
  }

  ring(cx: number, cy: number, outer: number, inner: number, paint: Paint): void {
    const on = (d: number) => d <= outer * outer && d >= inner * inner;
    this.within(cx, cy, outer, outer, (dx, dy) => on(dx * dx + dy * dy), paint);
  }

  private within(
    cx: number,
    cy: number,
    rx: number,
    ry: number,
    inside: (dx: number, dy: number) => boolean,
    paint: Paint,
  ): void {
    for (let y = Math.max(0, cy - ry); y < Math.min(this.height, cy + ry + 1); y++)
      for (let x = Math.max(0, cx - rx); x < Math.min(this.width, cx + rx + 1); x++)
        if (inside(x - cx, y - cy)) this.put(x, y, x - cx + rx, 2 * rx + 1, paint);
  }

  private put(x: number, y: number, from: number, span: number, { colour, depth }: Paint): void {
    const shade = Math.trunc((depth * from) / span) + (this.random.next() & 3);
    const at = (y * this.width + x) * 3;
    for (let c = 0; c < 3; c++) this.data[at + c] = Math.max(0, (colour[c] ?? 0) - shade);
  }
}
