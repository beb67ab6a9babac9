import { Xorshift32 } from '../../numeric/xorshift32';
import { encodeSurface } from '../../pixels/png-encode';
import { type Rgb, Surface } from '../../pixels/surface';
import { LETTER_HEIGHT, LETTER_WIDTH, letterSquares } from './demo-letters';

export const DEMO_WIDTH = 1280;
export const DEMO_HEIGHT = 720;

/** The screens that can be drawn: three of one invented site, two of another. */
export const DEMO_SCREENS = ['tide-table', 'tide-chart', 'tide-about', 'seed-shelf', 'seed-basket'] as const;
export type DemoScreen = (typeof DEMO_SCREENS)[number];

const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [38, 44, 52];
const LINE: Rgb = [214, 219, 225];
const NAVY: Rgb = [16, 52, 96];
const FOAM: Rgb = [120, 208, 226];
const LEAF: Rgb = [60, 122, 62];
const SAND: Rgb = [247, 241, 226];
const CLAY: Rgb = [188, 96, 54];
const RIBBON: Rgb = [255, 214, 64];

let surface: Surface | null = null;

/**
 * Draws a screen in whole numbers, 1280 x 720, and gives its PNG file: the same bytes everywhere. Each carries a ribbon
 * that says it is a demo picture; the sites and everything on them are invented.
 */
export function drawDemoScreen(screen: DemoScreen): Uint8Array<ArrayBuffer> {
  surface ??= new Surface(DEMO_WIDTH, DEMO_HEIGHT);
  const page = new Drawing(surface);
  if (screen.startsWith('tide')) tideChrome(page);
  else seedChrome(page);
  SCREENS[screen](page);
  page.box(0, 684, DEMO_WIDTH, 36, RIBBON);
  page.text('DEMO PICTURE   DRAWN BY PIXELPROOF   NOT A REAL SITE', 250, 692, 3, INK);
  return encodeSurface(surface);
}

function tideChrome(page: Drawing): void {
  page.box(0, 0, DEMO_WIDTH, DEMO_HEIGHT, WHITE);
  page.box(0, 0, DEMO_WIDTH, 84, NAVY);
  for (const [row, colour] of [WHITE, FOAM, WHITE].entries()) page.wave(28, 26 + row * 14, 72, colour);
  page.text('TIDE BOARD', 124, 24, 5, WHITE);
  for (const [index, word] of ['TABLE', 'CHART', 'ABOUT'].entries())
    page.text(word, 820 + index * 140, 32, 3, FOAM);
}

function seedChrome(page: Drawing): void {
  page.box(0, 0, DEMO_WIDTH, DEMO_HEIGHT, SAND);
  page.box(0, 0, DEMO_WIDTH, 10, CLAY);
  page.disc(70, 64, 34, LEAF);
  page.box(66, 34, 8, 64, SAND);
  page.text('SEED SHOP', 130, 44, 6, LEAF);
  page.box(860, 44, 300, 44, WHITE);
  page.text('FIND A SEED', 880, 56, 3, INK);
  page.box(1168, 44, 72, 44, CLAY);
}

const SCREENS: { readonly [screen in DemoScreen]: (page: Drawing) => void } = {
  'tide-table': (page) => {
    page.text('TODAY', 60, 120, 5, NAVY);
    for (let row = 0; row < 9; row += 1) {
      const y = 184 + row * 52;
      page.box(60, y, 1160, 44, row % 2 === 0 ? [236, 246, 250] : WHITE);
      page.lines(80, y + 14, 220, 1, row + 3);
      page.box(420, y + 10, 120 + ((row * 37) % 90), 24, FOAM);
      page.lines(820, y + 14, 160, 1, row + 40);
      page.lines(1040, y + 14, 120, 1, row + 70);
    }
  },
  'tide-chart': (page) => {
    page.text('HIGH WATER', 60, 120, 5, NAVY);
    page.box(60, 190, 1160, 420, [240, 248, 251]);
    for (let column = 0; column < 1140; column += 1) {
      const height = 190 + Drawing.swing(column, 380, 130);
      page.box(70 + column, 600 - height, 1, height, column % 95 < 2 ? NAVY : FOAM);
    }
    page.lines(60, 632, 900, 1, 5);
  },
  'tide-about': (page) => {
    page.text('ABOUT THE BOARD', 60, 120, 5, NAVY);
    page.lines(60, 190, 700, 14, 11);
    page.box(830, 190, 390, 300, [226, 240, 246]);
    page.disc(1025, 320, 90, WHITE);
    for (let row = 0; row < 4; row += 1) page.wave(900, 400 + row * 20, 250, FOAM);
    page.lines(830, 520, 390, 4, 21);
  },
  'seed-shelf': (page) => {
    page.text('SHELF', 60, 140, 5, CLAY);
    for (let index = 0; index < 8; index += 1) {
      const [x, y] = [60 + (index % 4) * 296, 200 + Math.trunc(index / 4) * 236];
      page.box(x, y, 272, 216, WHITE);
      page.disc(x + 136, y + 74, 34 + (index % 3) * 8, [90 + index * 14, 150 - index * 6, 66]);
      page.box(x + 130, y + 90, 12, 50, LEAF);
      page.lines(x + 24, y + 158, 180, 2, index + 90);
      page.box(x + 220, y + 176, 36, 24, CLAY);
    }
  },
  'seed-basket': (page) => {
    page.text('YOUR BASKET', 60, 140, 5, CLAY);
    for (let row = 0; row < 4; row += 1) {
      const y = 200 + row * 112;
      page.box(60, y, 780, 96, WHITE);
      page.disc(120, y + 48, 30, [120 + row * 24, 140, 60]);
      page.lines(190, y + 26, 360, 2, row + 130);
      page.box(720, y + 32, 90, 32, LEAF);
    }
    page.box(880, 200, 340, 320, WHITE);
    page.lines(910, 240, 260, 5, 150);
    page.box(910, 440, 280, 52, CLAY);
    page.text('PAY', 1010, 452, 4, WHITE);
  },
};

/** Whole-number shapes on a surface; what leaves the picture is cut off. */
class Drawing {
  readonly #surface: Surface;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  box(x: number, y: number, width: number, height: number, colour: Rgb): void {
    const [x0, y0] = [Math.max(0, x), Math.max(0, y)];
    const [x1, y1] = [Math.min(DEMO_WIDTH, x + width) - 1, Math.min(DEMO_HEIGHT, y + height) - 1];
    if (x0 <= x1 && y0 <= y1) this.#surface.fill(x0, y0, x1, y1, colour);
  }

  disc(cx: number, cy: number, radius: number, colour: Rgb): void {
    for (let dy = -radius; dy <= radius; dy += 1) {
      let half = 0;
      while ((half + 1) * (half + 1) + dy * dy <= radius * radius) half += 1;
      this.box(cx - half, cy + dy, 2 * half + 1, 1, colour);
    }
  }

  text(words: string, x: number, y: number, size: number, colour: Rgb): void {
    for (const [index, letter] of [...words].entries()) {
      const left = x + index * (LETTER_WIDTH + 1) * size;
      for (const [column, row] of letterSquares(letter))
        this.box(left + column * size, y + row * size, size, size, colour);
    }
  }

  /** Bars that stand for lines of small print; their lengths come from the seed. */
  lines(x: number, y: number, width: number, count: number, seed: number): void {
    const random = new Xorshift32(seed);
    for (let line = 0; line < count; line += 1) {
      let at = 0;
      const top = y + line * (LETTER_HEIGHT + 21);
      while (at < width - 12) {
        const word = random.between(12, 64);
        this.box(x + at, top, Math.min(word, width - at), 12, line === 0 ? INK : LINE);
        at += word + 10;
      }
    }
  }

  wave(x: number, y: number, width: number, colour: Rgb): void {
    for (let column = 0; column < width; column += 1)
      this.box(x + column, y + Drawing.swing(column, 36, 5), 1, 5, colour);
  }

  /** A wave in whole numbers, from parabolas: -height..height over one period. */
  static swing(at: number, period: number, height: number): number {
    const half = Math.trunc(period / 2);
    const place = at % period;
    const inHalf = place % half;
    const arch = Math.trunc((4 * height * inHalf * (half - inHalf)) / (half * half));
    return place < half ? arch : -arch;
  }
}
