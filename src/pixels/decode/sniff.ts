import type { ImageFormat } from './decoded';
import { isJpeg } from './jpeg-markers';
import { isPng } from './png-chunks';
import { isWebp } from './webp-chunks';

/** What a file is, by its content. A name that is no `ImageFormat` is a kind that is recognised but not read. */
export interface Sniffed {
  readonly format: ImageFormat | null;
  /** For people: `PNG`, `GIF`, `text`, `nothing that is known here`. */
  readonly name: string;
}

const OTHERS: readonly (readonly [string, RegExp])[] = [
  ['GIF', /^GIF8[79]a/],
  ['BMP', /^BM/],
  ['TIFF', /^(II\*\0|MM\0\*)/],
  ['AVIF or HEIF', /^....ftyp/s],
  ['JPEG XL', /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ['JPEG 2000', /^\0\0\0\x0cjP {2}/],
  ['Photoshop', /^8BPS/],
  ['PDF', /^%PDF/],
  ['a zip archive', /^PK\x03\x04/],
  ['HTML or XML', /^\s*</],
  ['text', /^[\t\n\r\x20-\x7e]{8,}$/],
];

export function sniffImage(bytes: Uint8Array): Sniffed {
  if (isPng(bytes)) return { format: 'png', name: 'PNG' };
  if (isJpeg(bytes)) return { format: 'jpeg', name: 'JPEG' };
  if (isWebp(bytes)) return { format: 'webp', name: 'WebP' };
  if (bytes.length === 0) return { format: null, name: 'an empty file' };
  const head = String.fromCharCode(...bytes.subarray(0, 32));
  const found = OTHERS.find(([, pattern]) => pattern.test(head));
  return { format: null, name: found?.[0] ?? 'nothing that is known here' };
}

const EXTENSIONS: Readonly<Record<ImageFormat, readonly string[]>> = {
  png: ['png', 'apng'],
  jpeg: ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo'],
  webp: ['webp'],
};

/** Whether a file name's extension contradicts its content. A name without extension says nothing. */
export function extensionContradicts(name: string, format: ImageFormat): boolean {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && !EXTENSIONS[format].includes(extension);
}
