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

/** Name, place of the mark, and the mark, one character a byte. */
const OTHERS: readonly (readonly [string, number, string])[] = [
  ['GIF', 0, 'GIF8'],
  ['BMP', 0, 'BM'],
  ['TIFF', 0, 'II*\0'],
  ['TIFF', 0, 'MM\0*'],
  ['AVIF or HEIF', 4, 'ftyp'],
  ['JPEG XL', 0, '\xff\x0a'],
  ['JPEG XL', 4, 'JXL '],
  ['JPEG 2000', 4, 'jP  '],
  ['Photoshop', 0, '8BPS'],
  ['PDF', 0, '%PDF'],
  ['a zip archive', 0, 'PK\x03\x04'],
  ['HTML or XML', 0, '<'],
];

export function sniffImage(bytes: Uint8Array): Sniffed {
  if (isPng(bytes)) return { format: 'png', name: 'PNG' };
  if (isJpeg(bytes)) return { format: 'jpeg', name: 'JPEG' };
  if (isWebp(bytes)) return { format: 'webp', name: 'WebP' };
  if (bytes.length === 0) return { format: null, name: 'an empty file' };
  const head = String.fromCharCode(...bytes.subarray(0, 32));
  const found = OTHERS.find(([, at, mark]) => head.startsWith(mark, at));
  const text = /^[\s\x20-\x7e]+$/.test(head) ? 'text' : 'nothing that is known here';
  return { format: null, name: found?.[0] ?? text };
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
