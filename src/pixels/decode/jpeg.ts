/// <reference path="./libjpeg-turbo.d.ts" />
import type { JpegModule } from '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs';
import { PixelproofError } from '../../errors';
import { fromBase64 } from '../base64';
import { CMYK_DECODER, decodeCmyk } from './cmyk';
import type { DecodedImage } from './decoded';
import { readJpeg } from './jpeg-markers';

const JPEG_DECODER = 'libjpeg-turbo-wasm/1.2.8';

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

/**
 * The pixels that Pillow's `convert("RGB")` gives for a JPEG file: libjpeg-turbo's integer transform and its smooth
 * chroma upsampling, grey replicated, profiles and rotation ignored; four components are taken as Adobe's inverted CMYK.
 *
 * Throws what `readJpeg` throws, and `jpeg_damaged` when the coded data cannot be decoded whole.
 */
export async function decodeJpeg(bytes: Uint8Array): Promise<DecodedImage> {
  const file = readJpeg(bytes);
  const four = file.components === 4;
  const data = four ? await decodeCmyk(file) : await decodeRgb(file);
  const { width, height, warnings } = file;
  return {
    width,
    height,
    data,
    format: 'jpeg',
    decoder: four ? CMYK_DECODER : JPEG_DECODER,
    exact: true,
    warnings,
  };
}

async function decodeRgb(file: ReturnType<typeof readJpeg>): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= load();
  const turbo = await ready;
  const decoder = new turbo.JPEGDecoder();
  try {
    decoder.getEncodedBuffer(file.bytes.length).set(file.bytes);
    decoder.decode();
    const info = decoder.getFrameInfo();
    const decoded = decoder.getDecodedBuffer();
    const pixels = file.width * file.height;
    if (
      info.width !== file.width ||
      info.height !== file.height ||
      decoded.length !== pixels * info.componentCount
    )
      throw damaged();
    if (info.componentCount === 3) return new Uint8Array(decoded);
    const rgb = new Uint8Array(pixels * 3);
    for (let i = 0; i < pixels; i++) rgb.fill(decoded[i] ?? 0, i * 3, i * 3 + 3);
    return rgb;
  } catch (cause) {
    // The library throws bare pointers for whatever it does not like.
    throw cause instanceof PixelproofError ? cause : damaged();
  } finally {
    decoder.delete();
    if (turbo.HEAPU8.length > KEEP_BYTES) ready = null;
  }
}

function damaged(): PixelproofError {
  return new PixelproofError(
    'jpeg_damaged',
    'The JPEG data is damaged or coded in a way that is not read here.',
  );
}
