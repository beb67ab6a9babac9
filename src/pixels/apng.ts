import { PixelproofError } from '../errors';
import { crc32 } from './zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * An animated PNG from PNG files of one size: their own compressed data, so no pixel changes. Viewers that know no
 * animation show the first frame. Repeats for ever.
 */
export class ApngWriter {
  readonly #delay: readonly [number, number];
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #header: Uint8Array | null = null;
  #frames = 0;
  #sequence = 0;

  /** Each frame is shown for `numerator / denominator` seconds, both 1 to 65535. */
  constructor(numerator: number, denominator: number) {
    this.#delay = [numerator, denominator];
  }

  get frames(): number {
    return this.#frames;
  }

  /** Throws `apng_frame_size` for a picture that is not of the first one's size and kind. */
  add(png: Uint8Array): void {
    const chunks = [...chunksOf(png)];
    const header = chunks.find(({ type }) => type === 'IHDR')?.data;
    if (header === undefined || (this.#header !== null && !equal(this.#header, header))) {
      throw new PixelproofError('apng_frame_size', 'A frame of an animation is not like the first one.');
    }
    this.#header ??= header.slice();
    const size = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const control = new Uint8Array(26);
    const view = new DataView(control.buffer);
    view.setUint32(0, this.#sequence++);
    view.setUint32(4, size.getUint32(0));
    view.setUint32(8, size.getUint32(4));
    view.setUint16(20, this.#delay[0]);
    view.setUint16(22, this.#delay[1]);
    this.#parts.push(chunk('fcTL', control));
    for (const { type, data } of chunks) {
      if (type !== 'IDAT') continue;
      if (this.#frames === 0) this.#parts.push(chunk('IDAT', data));
      else {
        const numbered = new Uint8Array(4 + data.length);
        new DataView(numbered.buffer).setUint32(0, this.#sequence++);
        numbered.set(data, 4);
        this.#parts.push(chunk('fdAT', numbered));
      }
    }
    this.#frames += 1;
  }

  /** The file. Throws `apng_empty` when no frame was added. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#header === null)
      throw new PixelproofError('apng_empty', 'An animation needs at least one frame.');
    const animation = new Uint8Array(8);
    new DataView(animation.buffer).setUint32(0, this.#frames);
    return joined([
      SIGNATURE,
      chunk('IHDR', this.#header),
      chunk('acTL', animation),
      ...this.#parts,
      chunk('IEND', new Uint8Array()),
    ]);
  }
}

function* chunksOf(png: Uint8Array): Generator<{ type: string; data: Uint8Array }> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    yield {
      type: String.fromCharCode(...png.subarray(at + 4, at + 8)),
      data: png.subarray(at + 8, at + 8 + length),
    };
    at += 12 + length;
  }
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
