import { wasmBase64 } from '../../wasm/build/pixels.js';
import { fromBase64 } from './base64';

/** What wasm/pixels exports, as JavaScript sees it: pointers and counts are numbers, u32 results come signed. */
export interface PixelsExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  fillRect(
    image: number,
    width: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    colour: number,
  ): void;
  copyRect(
    image: number,
    width: number,
    fromX: number,
    fromY: number,
    toX: number,
    toY: number,
    w: number,
    h: number,
  ): void;
  copyPixels(to: number, from: number, bytes: number): void;
  blitPalette(
    image: number,
    width: number,
    sprite: number,
    w: number,
    h: number,
    x: number,
    y: number,
    palette: number,
  ): void;
  blendMask(
    image: number,
    width: number,
    mask: number,
    w: number,
    h: number,
    x: number,
    y: number,
    colour: number,
  ): void;
  encodePng(image: number, width: number, height: number, out: number): number;
  pngBound(width: number, height: number): number;
  zlibFiltered(from: number, length: number, to: number): number;
  zlibBound(length: number): number;
  crc32(at: number, length: number): number;
  adler32(at: number, length: number): number;
  configureThumbnail(list: number): number;
  thumbnail(
    image: number,
    width: number,
    height: number,
    outWidth: number,
    outHeight: number,
    out: number,
  ): void;
  diffPixels(a: number, b: number, pixels: number, mask: number): number;
  freeMemory(): number;
  inflate(start: number, end: number, out: number, outEnd: number): number;
  inflateConsumed(): number;
  inflateWritten(): number;
  pngPass(
    raw: number,
    width: number,
    height: number,
    size: number,
    bpp: number,
    colour: number,
    depth: number,
    palette: number,
    rows: number,
    out: number,
    step: number,
    rowStep: number,
  ): number;
  measureRegions(
    image: number,
    width: number,
    height: number,
    regions: number,
    terms: number,
    count: number,
    maskTerms: number,
    maskCount: number,
    words: number,
  ): number;
  jpegTable(out: number, counts: number, symbols: number): number;
  jpegScan(scan: number): number;
  jpegPlane(coefficients: number, quant: number, across: number, down: number, plane: number): void;
  jpegRgb(
    components: number,
    count: number,
    transformed: boolean,
    width: number,
    height: number,
    out: number,
  ): void;
  vp8Work(width: number, height: number): number;
  vp8Decode(from: number, end: number, width: number, height: number, work: number, out: number): number;
  vp8lDecode(from: number, end: number, width: number, height: number, work: number, out: number): number;
  blobScratch(width: number): number;
  labelBlobs(
    words: number,
    width: number,
    height: number,
    least: number,
    out: number,
    most: number,
    scratch: number,
  ): void;
  blobsCounted(): number;
  blobsListed(): number;
  blobsTotal(): number;
}

/**
 * The module is compiled once, when it is first imported (asynchronously: a window refuses big synchronous
 * compilations), and is synchronous from then on.
 */
const bytes = fromBase64(wasmBase64);
const module = await WebAssembly.compile(bytes);

/** A further instance with a memory of its own, which is given back when nobody holds the instance any more. */
export function instantiate(): PixelsExports {
  const instance = new WebAssembly.Instance(module, {
    env: {
      abort: () => {
        throw new Error('wasm/pixels aborted');
      },
    },
  });
  return instance.exports as unknown as PixelsExports;
}
export const wasm = instantiate();

/** A fresh view of the memory. Growing the memory detaches older views, so none is kept. */
export function memoryAt(at: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(wasm.memory.buffer, at, length);
}

/** A buffer that is reused and only ever replaced by a larger one. */
export class Scratch {
  private at = 0;
  private size = 0;

  reserve(bytes: number): number {
    if (bytes > this.size) {
      this.at = wasm.allocate(bytes);
      this.size = bytes;
    }
    return this.at;
  }
}
