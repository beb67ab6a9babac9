/// <reference path="./libjpeg-turbo.d.ts" />
import type { JpegModule } from '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs';
import { PixelproofError } from '../../errors';
import { fromBase64 } from '../base64';
import { damaged, type JpegFile } from './jpeg-markers';

export const TURBO_DECODER = 'libjpeg-turbo-wasm/1.2.8';

/** A decoder whose memory has grown past this is dropped with it after the job. */
const KEEP_BYTES = 96 * 1024 * 1024;
let ready: Promise<JpegModule> | null = null;

async function load(): Promise<JpegModule> {
  const [{ default: create }, { wasmBase64 }] = await Promise.all([
    import('@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs'),
    import('../../../wasm/build/libjpeg-turbo.js'),
  ]);
  return create({ wasmBinary: fromBase64(wasmBase64) });
}

/** The library itself, for what our own decoder leaves to it: arithmetic coding, and unfinished progressive files. */
export async function decodeByTurbo(file: JpegFile): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= load();
  const turbo = await ready;
  const { width, height } = file.frame;
  const bytes = file.bytes();
  const decoder = new turbo.JPEGDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    const info = decoder.getFrameInfo();
    const decoded = decoder.getDecodedBuffer();
    const pixels = width * height;
    if (info.width !== width || info.height !== height || decoded.length !== pixels * info.componentCount)
      throw damaged('a picture of another size');
    if (info.componentCount === 3) return new Uint8Array(decoded);
    const rgb = new Uint8Array(pixels * 3);
    for (let i = 0; i < pixels; i++) rgb.fill(decoded[i] ?? 0, i * 3, i * 3 + 3);
    return rgb;
  } catch (cause) {
    // The library throws bare pointers for whatever it does not like.
    throw cause instanceof PixelproofError ? cause : damaged('data that the library refuses');
  } finally {
    decoder.delete();
    if (turbo.HEAPU8.length > KEEP_BYTES) ready = null;
  }
}
