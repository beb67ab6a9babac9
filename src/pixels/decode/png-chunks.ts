import { PixelproofError } from '../../errors';
import { crc32 } from '../zlib';
import { checkDeclaredSize, type DecodeWarning } from './decoded';

/** What IHDR says (PNG 11.2.1), checked. */
interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits a sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  readonly colour: number;
  readonly interlaced: boolean;
}

/** A PNG file taken apart: nothing is inflated yet. */
export interface PngChunks {
  readonly header: PngHeader;
  /** PLTE, three bytes an entry. */
  readonly palette: Uint8Array | null;
  /** The file's IDAT chunks, one consecutive run. Their CRCs are not checked yet. */
  readonly data: readonly { readonly start: number; readonly end: number }[];
  readonly warnings: readonly DecodeWarning[];
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const CHUNK_NAME = /^[A-Za-z]{4}$/;

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/**
 * Reads the structure of a PNG file. Ancillary chunks are skipped unread, whatever they hold. Throws `png_signature`,
 * `png_truncated`, `png_chunk_name`, `png_crc`, `png_header`, `png_order`, `png_palette`, `png_critical_chunk`,
 * `png_no_data`, `image_zero_size`, `image_too_large`.
 */
export function readPngChunks(bytes: Uint8Array): PngChunks {
  if (!isPng(bytes)) {
    throw new PixelproofError('png_signature', 'The file does not begin with the PNG signature.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: { start: number; end: number }[] = [];
  const warnings: DecodeWarning[] = [];
  let header: PngHeader | null = null;
  let palette: Uint8Array | null = null;
  let frameBeforeData = false;
  let animated = false;
  let open = true;
  let ended = false;
  let at = 8;
  while (at < bytes.length) {
    // Once the picture is there, a file that breaks off has lost nothing that counts (Pillow reads it too).
    const tail = data.length > 0;
    const length = at + 8 <= bytes.length ? view.getUint32(at) : 0;
    const end = at + 12 + length;
    const name = String.fromCharCode(...bytes.subarray(at + 4, Math.min(at + 8, bytes.length)));
    if (tail && name !== 'IDAT' && (end > bytes.length || !CHUNK_NAME.test(name))) break;
    if (end > bytes.length) throw truncated(name, end, bytes.length);
    if (!CHUNK_NAME.test(name)) {
      throw new PixelproofError('png_chunk_name', `At byte ${at} there is no PNG chunk.`, {
        expected: 'four letters',
        got: name,
      });
    }
    const body = bytes.subarray(at + 8, end - 4);
    if (header === null && name !== 'IHDR') throw misplaced(name, 'IHDR must come first');
    if (name === 'IDAT') {
      if (!open) throw misplaced(name, 'the image data must not be interrupted by other chunks');
      data.push({ start: at + 8, end: end - 4 });
    } else {
      if (data.length > 0) open = false;
      if (name === 'IHDR') {
        if (header !== null) throw misplaced(name, 'there can be only one');
        checkCrc(bytes, at, end);
        header = readHeader(body);
      } else if (name === 'PLTE') {
        if (data.length > 0 || palette !== null)
          throw misplaced(name, 'it comes once, before the image data');
        checkCrc(bytes, at, end);
        // Elsewhere a palette is only a suggestion, and nothing here reads it.
        if (header?.colour === 3 && (length === 0 || length % 3 !== 0 || length > 768)) {
          throw new PixelproofError('png_palette', 'The palette has an impossible length.', {
            expected: '3 to 768 bytes, three for each colour',
            got: `${length} bytes`,
          });
        }
        palette = header?.colour === 3 ? body : new Uint8Array(0);
      } else if (name === 'IEND') {
        ended = true;
        if (end < bytes.length) {
          warnings.push({
            code: 'png_after_end',
            message: `${bytes.length - end} bytes after the end of the picture were ignored.`,
          });
        }
        break;
      } else if ((name.charCodeAt(0) & 32) === 0) {
        throw new PixelproofError(
          'png_critical_chunk',
          `The file needs a chunk ${name} that PNG does not define.`,
          { got: name },
        );
      } else if (name === 'fcTL' && data.length === 0) frameBeforeData = true;
      else if (name === 'acTL') animated = true;
    }
    at = end;
  }
  if (header === null) throw truncated('IHDR', 33, bytes.length);
  if (data.length === 0)
    throw new PixelproofError('png_no_data', 'The file has no image data (no IDAT chunk).');
  if (!ended) {
    warnings.push({
      code: 'png_no_end',
      message: 'The file breaks off after the image data (no IEND chunk).',
    });
  }
  if (animated) {
    warnings.push({
      code: 'animated_first_picture',
      message: frameBeforeData
        ? 'An animation: its first frame was read.'
        : 'An animation: its still picture was read, which is none of its frames.',
    });
  }
  return { header, palette, data, warnings };
}

function readHeader(body: Uint8Array): PngHeader {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length !== 13) throw badHeader('13 bytes', `${body.length} bytes`);
  const [depth = 0, colour = 0, compression = 0, filter = 0, interlace = 0] = body.subarray(8);
  const depths = DEPTHS[colour];
  if (depths === undefined) throw badHeader('colour type 0, 2, 3, 4 or 6', `${colour}`);
  if (!depths.includes(depth))
    throw badHeader(`${depths.join(', ')} bits for colour type ${colour}`, `${depth}`);
  if (compression !== 0) throw badHeader('compression method 0', `${compression}`);
  if (filter !== 0) throw badHeader('filter method 0', `${filter}`);
  if (interlace > 1) throw badHeader('interlace method 0 or 1', `${interlace}`);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  checkDeclaredSize(width, height);
  return { width, height, depth, colour, interlaced: interlace === 1 };
}

function checkCrc(bytes: Uint8Array, at: number, end: number): void {
  const stored = new DataView(bytes.buffer, bytes.byteOffset + end - 4, 4).getUint32(0);
  assertCrc(
    String.fromCharCode(...bytes.subarray(at + 4, at + 8)),
    stored,
    crc32(bytes.subarray(at + 4, end - 4)),
  );
}

/** Throws `png_crc` when a chunk's checksum does not fit its bytes. */
export function assertCrc(name: string, stored: number, computed: number): void {
  if (stored === computed) return;
  throw new PixelproofError('png_crc', `Chunk ${name} is damaged: its checksum does not fit its bytes.`, {
    expected: stored.toString(16).padStart(8, '0'),
    got: computed.toString(16).padStart(8, '0'),
  });
}

function badHeader(expected: string, got: string): PixelproofError {
  return new PixelproofError('png_header', 'The PNG header is not a legal one.', { expected, got });
}

function misplaced(name: string, rule: string): PixelproofError {
  return new PixelproofError('png_order', `Chunk ${name} is out of place: ${rule}.`, { got: name });
}

function truncated(name: string, end: number, length: number): PixelproofError {
  return new PixelproofError('png_truncated', `The file breaks off inside chunk ${name || '(none)'}.`, {
    expected: `${end} bytes or more`,
    got: `${length} bytes`,
  });
}
