import type { ImageFormat } from './decoded';
import { isJpeg } from './jpeg-markers';
import { isPng } from './png-chunks';
import { isWebp } from './webp-chunks';

/** What a file is, by its content. */
export interface Sniffed {
  /** Null for a kind that is recognised but not read, and for what is no picture. */
  readonly format: ImageFormat | null;
  /** For people, to begin a sentence with: `PNG`, `GIF picture`, `Text`, `An unknown kind of file`. */
  readonly name: string;
  readonly picture: boolean;
}

/** Name, and its mark at the beginning of the file: a character a byte, as `headOf` spells it. */
const PICTURES: readonly (readonly [string, RegExp])[] = [
  ['GIF', /^GIF8[79]a/],
  ['BMP', /^BM.{4}␀{4}/s],
  ['TIFF', /^(?:II[*+]␀|MM␀[*+])/],
  ['AVIF', /^.{4}ftyp(?:avif|avis)/s],
  ['HEIC', /^.{4}ftyp(?:hei[cmsx]|hev[cmsx])/s],
  ['HEIF', /^.{4}ftyp(?:mif1|msf1)/s],
  ['JPEG XL', /^(?:\xff\n|␀{3}␌JXL )/],
  ['JPEG 2000', /^(?:␀{3}␌jP {2}|\xff\x4f\xff\x51)/],
  ['Photoshop', /^8BPS/],
  ['Icon', /^␀␀[␁␂]␀.␀/s],
  ['Netpbm', /^P[1-7]\s/],
  ['SVG', /^(?:\xef\xbb\xbf)?\s*<(?=svg[\s>]|(?:\?xml|!--|!doctype svg).*<svg[\s>])/is],
];
const OTHERS: readonly (readonly [string, RegExp])[] = [
  ['PDF', /^%PDF/],
  ['A zip archive', /^PK(?:␃␄|␅␆)/],
  ['A gzip file', /^␟\x8b/],
  ['A film', /^(?:.{4}ftyp|␚E\xdf\xa3)/s],
  ['A web page', /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i],
  ['XML', /^(?:\xef\xbb\xbf)?\s*<\?xml/],
];
/** As much of a file as its marks may need; an SVG may begin with a long comment. */
const HEAD = 1024;

export function sniffImage(bytes: Uint8Array): Sniffed {
  if (isPng(bytes)) return { format: 'png', name: 'PNG', picture: true };
  if (isJpeg(bytes)) return { format: 'jpeg', name: 'JPEG', picture: true };
  if (isWebp(bytes)) return { format: 'webp', name: 'WebP', picture: true };
  if (bytes.length === 0) return { format: null, name: 'An empty file', picture: false };
  const head = headOf(bytes);
  const picture = PICTURES.find(([, mark]) => mark.test(head));
  if (picture !== undefined) return { format: null, name: `${picture[0]} picture`, picture: true };
  const other = OTHERS.find(([, mark]) => mark.test(head));
  return {
    format: null,
    name: other?.[0] ?? (isText(head) ? 'Text' : 'An unknown kind of file'),
    picture: false,
  };
}

/** Control characters other than tabs and line ends are spelt as their pictures: ␀ for 0. */
function headOf(bytes: Uint8Array): string {
  const codes = [...bytes.subarray(0, HEAD)].map((byte) =>
    byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 ? 0x2400 + byte : byte,
  );
  return String.fromCharCode(...codes);
}

/** No text has control characters, except in 16 bits, which begins with a mark of its own. */
function isText(head: string): boolean {
  return !/[\u2400-\u241f]/.test(head) || /^(?:\xff\xfe|\xfe\xff)/.test(head);
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
