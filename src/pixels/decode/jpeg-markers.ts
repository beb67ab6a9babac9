import { PixelproofError } from '../../errors';
import { checkDeclaredSize, type DecodeWarning } from './decoded';

/** A JPEG file read up to the end of its first picture. */
export interface JpegFile {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly arithmetic: boolean;
  /**
   * The same picture without what decoders must not act on: metadata (rotation, profiles, thumbnails, comments), stray
   * bytes between markers, and everything after the end.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly warnings: readonly DecodeWarning[];
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** JFIF and Adobe say which colours the components are; every other application segment is metadata. */
const COLOUR_SEGMENTS = [0xe0, 0xee];
/** Baseline, extended, progressive, and the two of arithmetic coding (ITU-T T.81 table B.1). */
const DECODABLE = [0xc0, 0xc1, 0xc2, 0xc9, 0xca];
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
  const warnings: DecodeWarning[] = [];
  let frame: { width: number; height: number; components: number; arithmetic: boolean } | null = null;
  let scans = 0;
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
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.includes(marker)) {
      if (frame !== null) throw disorder('one frame', 'a second frame header');
      frame = readFrame(bytes.subarray(at + 2, end), marker);
    }
    if (marker === SOS) {
      if (frame === null) throw disorder('a frame header before the first scan', 'none');
      scans += 1;
      end = endOfScan(bytes, end);
    }
    const metadata =
      marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && !COLOUR_SEGMENTS.includes(marker));
    if (!metadata) kept.push(Uint8Array.of(0xff, marker), bytes.subarray(at, end));
    at = end;
  }
  if (frame === null || scans === 0) throw disorder('a frame header and a scan', 'an end of image');
  if (stray > 0)
    warnings.push({
      code: 'jpeg_stray_bytes',
      message: `${stray} stray bytes between markers were ignored.`,
    });
  if (at < bytes.length) {
    warnings.push({
      code: 'jpeg_after_end',
      message: `${bytes.length - at} bytes after the end of the first picture were ignored.`,
    });
  }
  kept.push(Uint8Array.of(0xff, EOI));
  return { ...frame, bytes: joined(kept), warnings };
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

function readFrame(body: Uint8Array, marker: number) {
  if (!DECODABLE.includes(marker))
    throw unsupported('baseline, extended or progressive', `frame type ${marker.toString(16)}`);
  const [precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = body;
  if (body.length !== 6 + 3 * components)
    throw disorder('a frame header that fits its components', `${body.length} bytes`);
  if (precision !== 8) throw unsupported('8 bits a sample', `${precision} bits`);
  if (components !== 1 && components !== 3 && components !== 4)
    throw unsupported('1, 3 or 4 components', `${components}`);
  const [width, height] = [w1 * 256 + w0, h1 * 256 + h0];
  checkDeclaredSize(width, height);
  return { width, height, components, arithmetic: marker >= 0xc9 };
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

function disorder(expected: string, got: string): PixelproofError {
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
