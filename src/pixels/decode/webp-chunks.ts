import { PixelproofError } from '../../errors';
import { checkDeclaredSize, type DecodeWarning } from './decoded';

/** A WebP file's first picture: its coded data alone. */
export interface WebpFile {
  /** Of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly frame: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly lossless: boolean;
    readonly coded: Uint8Array;
  };
  readonly warnings: readonly DecodeWarning[];
}

interface Chunk {
  readonly name: string;
  readonly body: Uint8Array;
  /** The body with the byte that fills it up to an even length, which libwebp reads as data. */
  readonly padded: Uint8Array;
}

export function isWebp(bytes: Uint8Array): boolean {
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP';
}

/**
 * Reads the container (RFC 9649). Metadata is left behind. Throws `webp_truncated`, `webp_structure`,
 * `image_zero_size`, `image_too_large`.
 */
export function readWebp(bytes: Uint8Array): WebpFile {
  const warnings: DecodeWarning[] = [];
  const declared = bytes.length < 12 ? 0 : 8 + u32(bytes, 4);
  if (bytes.length < 12 || declared > bytes.length + (declared & 1)) throw truncated(declared, bytes.length);
  if (declared < bytes.length - 1) {
    warnings.push({
      code: 'webp_after_end',
      message: `${bytes.length - declared} bytes after the end were ignored.`,
    });
  }
  const chunks = chunksOf(bytes.subarray(12, Math.min(declared, bytes.length)));
  const first = chunks[0];
  if (first?.name === 'VP8 ' || first?.name === 'VP8L') {
    const size = pictureSize(first);
    return { ...size, frame: { ...size, x: 0, y: 0, ...codedOf(first) }, warnings };
  }
  if (first?.name !== 'VP8X' || first.body.length < 10)
    throw disorder('VP8, VP8L or VP8X first', first?.name ?? 'nothing');
  const canvas = { width: 1 + u24(first.body, 4), height: 1 + u24(first.body, 7) };
  checkDeclaredSize(canvas.width, canvas.height);
  const animation = chunks.find((chunk) => chunk.name === 'ANMF');
  if (((first.body[0] ?? 0) & 2) === 0 || animation === undefined) {
    const picture = pictureOf(chunks);
    if (picture.width !== canvas.width || picture.height !== canvas.height)
      throw disorder(
        `a picture of ${canvas.width} x ${canvas.height}`,
        `${picture.width} x ${picture.height}`,
      );
    return { ...canvas, frame: { ...picture, x: 0, y: 0 }, warnings };
  }
  warnings.push({ code: 'animated_first_picture', message: 'An animation: its first frame was read.' });
  if (animation.body.length < 16) throw disorder('a frame header of 16 bytes', `${animation.body.length}`);
  const [x, y] = [2 * u24(animation.body, 0), 2 * u24(animation.body, 3)];
  const picture = pictureOf(chunksOf(animation.body.subarray(16)));
  if (x + picture.width > canvas.width || y + picture.height > canvas.height)
    throw disorder('a frame inside the canvas', `${picture.width} x ${picture.height} at (${x}, ${y})`);
  return { ...canvas, frame: { ...picture, x, y }, warnings };
}

function pictureOf(chunks: readonly Chunk[]): Omit<WebpFile['frame'], 'x' | 'y'> {
  const picture = chunks.find((chunk) => chunk.name === 'VP8 ' || chunk.name === 'VP8L');
  if (picture === undefined) throw disorder('a picture (VP8 or VP8L)', 'none');
  // A separate alpha plane is dropped with the alpha: it never changes a colour.
  return { ...pictureSize(picture), ...codedOf(picture) };
}

function codedOf({ name, padded }: Chunk): { lossless: boolean; coded: Uint8Array } {
  return { lossless: name === 'VP8L', coded: padded };
}

/** Sides as the bit stream says: RFC 6386 9.1 for VP8, RFC 9649 3.4 for VP8L. */
function pictureSize({ name, body }: Chunk): { width: number; height: number } {
  if (body.length < 10) throw truncated(10, body.length);
  const size =
    name === 'VP8L'
      ? { width: 1 + (u32(body, 1) & 0x3fff), height: 1 + ((u32(body, 1) >>> 14) & 0x3fff) }
      : { width: u24(body, 6) & 0x3fff, height: (u32(body, 6) >>> 16) & 0x3fff };
  checkDeclaredSize(size.width, size.height);
  return size;
}

function chunksOf(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = u32(bytes, at + 4);
    if (at + 8 + size > bytes.length) throw truncated(at + 8 + size, bytes.length);
    const body = bytes.subarray(at + 8, at + 8 + size);
    chunks.push({
      name: textAt(bytes, at),
      body,
      padded: bytes.subarray(at + 8, at + 8 + size + (size & 1)),
    });
    at += 8 + size + (size & 1);
  }
  return chunks;
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
function u24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
function u32(bytes: Uint8Array, at: number): number {
  return (u24(bytes, at) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}

function truncated(expected: number, got: number): PixelproofError {
  return new PixelproofError('webp_truncated', 'The WebP file breaks off before its end.', {
    expected: `${expected} bytes`,
    got: `${got} bytes`,
  });
}

function disorder(expected: string, got: string): PixelproofError {
  return new PixelproofError('webp_structure', 'The WebP file has no order that can be read.', {
    expected,
    got,
  });
}
