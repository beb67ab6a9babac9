import { PixelproofError } from '../../errors';
import { checkDeclaredSize, type DecodeWarning } from './decoded';

export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1 to 4. */
  readonly h: number;
  readonly v: number;
  readonly quantisation: number;
}

export interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly arithmetic: boolean;
  readonly components: readonly JpegComponent[];
}

/** What stands between a picture's start and its end, in file order. Bodies are without their length. */
type JpegSegment =
  | { readonly kind: 'quantisation'; readonly body: Uint8Array }
  | { readonly kind: 'huffman'; readonly body: Uint8Array }
  | { readonly kind: 'restart'; readonly body: Uint8Array }
  | { readonly kind: 'scan'; readonly body: Uint8Array; readonly start: number; readonly end: number };

/** A JPEG file read up to the end of its first picture. */
export interface JpegFile {
  readonly frame: JpegFrame;
  readonly segments: readonly JpegSegment[];
  /** JFIF says YCbCr; Adobe's marker says which transform was used, null without one. */
  readonly jfif: boolean;
  readonly adobe: number | null;
  /**
   * The same picture without what decoders must not act on: metadata (rotation, profiles, thumbnails, comments), stray
   * bytes between markers, and everything after the end.
   */
  readonly bytes: () => Uint8Array<ArrayBuffer>;
  readonly warnings: readonly DecodeWarning[];
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const KINDS: Readonly<Record<number, 'quantisation' | 'huffman' | 'restart'>> = {
  219: 'quantisation',
  196: 'huffman',
  221: 'restart',
};
const APP0 = 0xe0;
const APP14 = 0xee;
/** Baseline, extended, progressive, and the two of arithmetic coding (ITU-T T.81 table B.1). */
const DECODABLE = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];
/** DHT, JPG and DAC lie among the frame headers. */
const NOT_FRAMES = [0xc4, 0xc8, 0xcc];

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;
}

/**
 * Walks the markers. Throws `jpeg_truncated` when the file ends before the picture does, `jpeg_marker` when it has no
 * order, `jpeg_unsupported` for 12-bit, lossless and hierarchical files, `image_zero_size`, `image_too_large`.
 */
export function readJpeg(bytes: Uint8Array): JpegFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [bytes.subarray(0, 2)];
  const segments: JpegSegment[] = [];
  const warnings: DecodeWarning[] = [];
  let frame: JpegFrame | null = null;
  let jfif = false;
  let adobe: number | null = null;
  let stray = 0;
  let at = 2;
  for (;;) {
    const from = at;
    while (at < bytes.length && bytes[at] !== 0xff) at++;
    stray += at - from;
    while (at < bytes.length && bytes[at] === 0xff) at++;
    const marker = bytes[at];
    if (marker === undefined) throw truncated(bytes.length);
    at++;
    if (marker === EOI) break;
    // Markers without a segment: stuffing, TEM, stray restarts.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    if (marker === SOI) throw disorder('one start of image', 'a second one before the picture ended');
    if (at + 2 > bytes.length) throw truncated(bytes.length);
    const length = view.getUint16(at);
    if (length < 2) throw disorder('a segment of 2 bytes or more', `${length}`);
    let end = at + length;
    if (end > bytes.length) throw truncated(bytes.length);
    const body = bytes.subarray(at + 2, end);
    const kind = KINDS[marker];
    if (kind !== undefined) segments.push({ kind, body });
    else if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.includes(marker)) {
      if (frame !== null) throw disorder('one frame', 'a second frame header');
      frame = readFrame(body, marker);
    } else if (marker === SOS) {
      if (frame === null) throw disorder('a frame header before the first scan', 'none');
      const start = end;
      end = endOfScan(bytes, end);
      segments.push({ kind: 'scan', body, start, end });
    } else if (marker === APP0) jfif ||= body.length >= 12 && startsWith(body, 'JFIF\0');
    else if (marker === APP14 && body.length >= 12 && startsWith(body, 'Adobe')) adobe = body[11] ?? null;
    const metadata = marker === 0xfe || (marker > APP0 && marker <= 0xef && marker !== APP14);
    if (!metadata) kept.push(Uint8Array.of(0xff, marker), bytes.subarray(at, end));
    at = end;
  }
  if (frame === null || !segments.some(({ kind }) => kind === 'scan'))
    throw disorder('a frame header and a scan', 'an end of image');
  if (stray > 0) {
    warnings.push({
      code: 'jpeg_stray_bytes',
      message: `${stray} stray bytes between markers were ignored.`,
    });
  }
  if (at < bytes.length) {
    warnings.push({
      code: 'jpeg_after_end',
      message: `${bytes.length - at} bytes after the end of the first picture were ignored.`,
    });
  }
  kept.push(Uint8Array.of(0xff, EOI));
  return { frame, segments, jfif, adobe, bytes: () => joined(kept), warnings };
}

function startsWith(body: Uint8Array, text: string): boolean {
  return [...text].every((c, i) => body[i] === c.charCodeAt(0));
}

/** The first marker after the entropy-coded bytes, where stuffed and restart markers do not count. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw truncated(bytes.length);
}

function readFrame(body: Uint8Array, marker: number): JpegFrame {
  if (!DECODABLE.includes(marker)) {
    throw unsupported('baseline, extended or progressive', `frame type ${marker.toString(16)}`);
  }
  const [precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, count = 0] = body;
  if (body.length !== 6 + 3 * count)
    throw disorder('a frame header that fits its components', `${body.length} bytes`);
  if (precision !== 8) throw unsupported('8 bits a sample', `${precision} bits`);
  if (count !== 1 && count !== 3 && count !== 4) throw unsupported('1, 3 or 4 components', `${count}`);
  const [width, height] = [w1 * 256 + w0, h1 * 256 + h0];
  checkDeclaredSize(width, height);
  const components = Array.from({ length: count }, (_, i): JpegComponent => {
    const [id = 0, factors = 0, quantisation = 0] = body.subarray(6 + 3 * i);
    const [h, v] = [factors >> 4, factors & 15];
    if (h < 1 || h > 4 || v < 1 || v > 4) throw disorder('sampling factors of 1 to 4', `${h} x ${v}`);
    if (quantisation > 3) throw disorder('quantisation table 0 to 3', `${quantisation}`);
    return { id, h, v, quantisation };
  });
  return {
    width,
    height,
    progressive: marker === 0xc2 || marker === 0xca,
    arithmetic: marker >= 0xc9,
    components,
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function truncated(length: number): PixelproofError {
  return new PixelproofError('jpeg_truncated', 'The JPEG file breaks off before its end.', {
    expected: 'an end-of-image marker',
    got: `the end of the file after ${length} bytes`,
  });
}

export function disorder(expected: string, got: string): PixelproofError {
  return new PixelproofError('jpeg_marker', 'The JPEG file has no order that can be read.', {
    expected,
    got,
  });
}

export function unsupported(expected: string, got: string): PixelproofError {
  return new PixelproofError('jpeg_unsupported', 'This kind of JPEG file is not read here.', {
    expected,
    got,
  });
}

export function damaged(got: string): PixelproofError {
  return new PixelproofError('jpeg_damaged', 'The JPEG data is damaged.', { got });
}
