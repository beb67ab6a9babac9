import { PixelproofError } from '../errors';
import type { RgbImage } from './rgb-image';
import { memoryAt, wasm } from './wasm';

/** A colour as red, green, blue, each 0..255. */
export type Rgb = readonly [number, number, number];

/** A sprite of palette indexes, uploaded once. Index 0 is transparent. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly at: number;
  readonly palette: number;
}

/** A coverage mask, one byte a pixel, uploaded once. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly at: number;
}

function packed(colour: Rgb): number {
  return (colour[0] << 16) | (colour[1] << 8) | colour[2];
}

/** `indexes` holds width * height bytes; entry k of `palette` is the colour of index k + 1. */
export function uploadSprite(
  width: number,
  height: number,
  indexes: Uint8Array,
  palette: readonly Rgb[],
): Sprite {
  const at = wasm.allocate(indexes.length);
  memoryAt(at, indexes.length).set(indexes);
  const paletteAt = wasm.allocate((palette.length + 1) * 4);
  new Uint32Array(wasm.memory.buffer, paletteAt, palette.length + 1).set([0, ...palette.map(packed)]);
  return { width, height, at, palette: paletteAt };
}

/** `coverage` holds width * height bytes. */
export function uploadMask(width: number, height: number, coverage: Uint8Array): Mask {
  const at = wasm.allocate(coverage.length);
  memoryAt(at, coverage.length).set(coverage);
  return { width, height, at };
}

/**
 * An RGB image inside the WebAssembly memory, for composing. Memory is never given back, so surfaces are made once and
 * reused. Every drawing call throws `image_bounds` when its rectangle leaves the image.
 */
export class Surface {
  readonly width: number;
  readonly height: number;
  readonly at: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.at = wasm.allocate(width * height * 3);
  }

  /** Fills columns x0..x1 and rows y0..y1, all inclusive. */
  fill(x0: number, y0: number, x1: number, y1: number, colour: Rgb): void {
    this.check(x0, y0, x1 - x0 + 1, y1 - y0 + 1);
    wasm.fillRect(this.at, this.width, x0, y0, x1, y1, packed(colour));
  }

  blit(sprite: Sprite, x: number, y: number): void {
    this.check(x, y, sprite.width, sprite.height);
    wasm.blitPalette(this.at, this.width, sprite.at, sprite.width, sprite.height, x, y, sprite.palette);
  }

  /** t = fg*a + bg*(255-a) + 128; out = ((t >> 8) + t) >> 8. */
  blend(mask: Mask, x: number, y: number, colour: Rgb): void {
    this.check(x, y, mask.width, mask.height);
    wasm.blendMask(this.at, this.width, mask.at, mask.width, mask.height, x, y, packed(colour));
  }

  /** Copies a rectangle inside the image; the two places must not overlap. */
  copyRect(fromX: number, fromY: number, toX: number, toY: number, width: number, height: number): void {
    this.check(fromX, fromY, width, height);
    this.check(toX, toY, width, height);
    wasm.copyRect(this.at, this.width, fromX, fromY, toX, toY, width, height);
  }

  copyFrom(other: Surface): void {
    if (other.width !== this.width || other.height !== this.height)
      this.check(0, 0, other.width, other.height);
    wasm.copyPixels(this.at, other.at, this.width * this.height * 3);
  }

  pixel(x: number, y: number): Rgb {
    this.check(x, y, 1, 1);
    const [r = 0, g = 0, b = 0] = memoryAt(this.at + (y * this.width + x) * 3, 3);
    return [r, g, b];
  }

  /** The pixels where they lie. Only until the next call that may grow the memory. */
  view(): Uint8Array<ArrayBuffer> {
    return memoryAt(this.at, this.width * this.height * 3);
  }

  /** A copy of the pixels. */
  image(): RgbImage {
    return { width: this.width, height: this.height, data: this.view().slice() };
  }

  private check(x: number, y: number, width: number, height: number): void {
    const inside =
      x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= this.width && y + height <= this.height;
    if (inside) return;
    throw new PixelproofError('image_bounds', 'A drawing operation leaves the image.', {
      expected: `inside ${this.width} x ${this.height}`,
      got: `${width} x ${height} at (${x}, ${y})`,
    });
  }
}
