import type { DecodedImage, ImageFormat } from './decoded';
import { decodeJpeg } from './jpeg';
import { decodePng } from './png';
import { decodeWebp } from './webp';

/** Decodes by format, without the self-test. */
export async function decodeAs(format: ImageFormat, bytes: Uint8Array): Promise<DecodedImage> {
  if (format === 'png') return decodePng(bytes);
  return format === 'jpeg' ? decodeJpeg(bytes) : decodeWebp(bytes);
}
