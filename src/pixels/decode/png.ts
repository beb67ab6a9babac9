import { PixelproofError } from '../../errors';
import { atWorkbench, type Workbench } from '../workbench';
import { passesOf } from './adam7';
import type { DecodedImage, DecodeWarning } from './decoded';
import { assertCrc, type PngChunks, readPngChunks } from './png-chunks';

const PNG_DECODER = 'pixelproof-png/1';

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** wasm/pixels/inflate.ts gives these; 0 is a stream that ended. */
const SURPLUS = 1;
const INPUT_ENDS = 2;

/**
 * The pixels that Pillow's `convert("RGB")` gives for a PNG file: alpha dropped, transparency and all colour
 * management ignored, 16-bit samples cut to their high byte, 16-bit grey saturated, small grey depths scaled, palette
 * indexes past the palette black, rotation tags ignored, of an animation the picture in IDAT.
 *
 * Throws what `readPngChunks` throws, and `png_crc`, `png_zlib_header`, `png_data_corrupt`, `png_data_short`,
 * `png_checksum`, `png_filter`, `memory_exhausted`.
 */
export function decodePng(bytes: Uint8Array): DecodedImage {
  const chunks = readPngChunks(bytes);
  const warnings: DecodeWarning[] = [...chunks.warnings];
  const { width, height, depth, colour } = chunks.header;
  if (colour === 0 && depth === 16) {
    warnings.push({
      code: 'png_grey16_saturated',
      message: 'A 16-bit grey picture: values above 255 became 255, as the reference does.',
    });
  }
  const data = atWorkbench((bench) => pixelsOf(bench, bytes, chunks, warnings));
  return { width, height, data, format: 'png', decoder: PNG_DECODER, exact: true, warnings };
}

function pixelsOf(
  bench: Workbench,
  bytes: Uint8Array,
  { header, palette, data }: PngChunks,
  warnings: DecodeWarning[],
): Uint8Array<ArrayBuffer> {
  const { width, height, depth, colour, interlaced } = header;
  const bits = depth * (CHANNELS[colour] ?? 0);
  const passes = passesOf(width, height, interlaced).map((pass) => ({
    ...pass,
    size: Math.ceil((pass.width * bits) / 8),
  }));
  const expected = passes.reduce((sum, pass) => sum + pass.height * (1 + pass.size), 0);
  const total = data.reduce((sum, { start, end }) => sum + end - start, 0);
  // DEFLATE cannot give more than 1032 bytes for one, so this file is short whatever it holds.
  if (expected > total * 1032 + 4096) throw tooShort(expected, width, height, 'fewer');
  const rows = bench.lay(2 * Math.ceil((width * bits) / 8) + 64);
  const colours = bench.lay(768);
  bench.bytes(colours, 768).fill(0);
  if (palette !== null) bench.bytes(colours, 768).set(palette);
  const raw = bench.lay(expected);
  inflateInto(bench, bytes, data, total, raw, expected, width, height, warnings);
  const out = bench.lay(width * height * 3);
  let at = raw;
  for (const pass of passes) {
    const wrong = bench.wasm.pngPass(
      at,
      pass.width,
      pass.height,
      pass.size,
      Math.max(1, bits >> 3),
      colour,
      depth,
      colours,
      rows,
      out + (pass.y0 * width + pass.x0) * 3,
      pass.dx * 3,
      pass.dy * width * 3,
    );
    if (wrong !== -1) {
      throw new PixelproofError(
        'png_filter',
        'A row of the picture has a filter type that PNG does not define.',
        {
          expected: '0 to 4',
          got: `${wrong}`,
        },
      );
    }
    at += pass.height * (1 + pass.size);
  }
  return bench.bytes(out, width * height * 3).slice();
}

/** Checks every IDAT chunk, joins them, and inflates exactly the bytes that the picture needs. */
function inflateInto(
  bench: Workbench,
  bytes: Uint8Array,
  data: PngChunks['data'],
  total: number,
  raw: number,
  expected: number,
  width: number,
  height: number,
  warnings: DecodeWarning[],
): void {
  const start = bench.lay(total + 8) + 8;
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = start;
  const name = new Uint8Array(4);
  for (const chunk of data) {
    // The CRC covers name and bytes, so the name lies before the bytes for a moment, over the chunk before.
    const length = chunk.end - chunk.start;
    const place = bench.bytes(end - 4, length + 4);
    name.set(place.subarray(0, 4));
    place.set(bytes.subarray(chunk.start - 4, chunk.end));
    assertCrc('IDAT', file.getUint32(chunk.end), bench.wasm.crc32(end - 4, length + 4) >>> 0);
    place.set(name);
    end += length;
  }
  const stream = new DataView(bench.wasm.memory.buffer, start, total);
  if (
    total >= 2 &&
    ((stream.getUint8(0) & 0x8f) !== 8 || stream.getUint16(0) % 31 !== 0 || stream.getUint8(1) & 32)
  ) {
    throw new PixelproofError('png_zlib_header', 'The image data is no zlib stream.', {
      expected: 'a zlib header, such as 78 9c',
      got: stream.getUint16(0).toString(16).padStart(4, '0'),
    });
  }
  const status = total < 2 ? INPUT_ENDS : bench.wasm.inflate(start + 2, end, raw, raw + expected);
  const written = total < 2 ? 0 : bench.wasm.inflateWritten();
  if (status > INPUT_ENDS) {
    throw new PixelproofError('png_data_corrupt', 'The compressed image data is damaged.', {
      expected: `${expected} bytes for ${width} x ${height}`,
      got: `damage after ${written} bytes`,
    });
  }
  if (status === INPUT_ENDS || written < expected) {
    throw tooShort(expected, width, height, `${written}`);
  }
  if (status === SURPLUS) {
    warnings.push({
      code: 'png_surplus_rows',
      message: 'The image data goes on after the last row; what follows was ignored.',
    });
    return;
  }
  const trailer = 2 + bench.wasm.inflateConsumed();
  const computed = bench.wasm.adler32(raw, expected) >>> 0;
  const stored = trailer + 4 <= total ? stream.getUint32(trailer) : null;
  if (stored !== computed) {
    throw new PixelproofError('png_checksum', 'The image data does not fit its own checksum (Adler-32).', {
      expected: stored === null ? 'a checksum of 4 bytes' : stored.toString(16).padStart(8, '0'),
      got: stored === null ? `${total - trailer} bytes` : computed.toString(16).padStart(8, '0'),
    });
  }
  if (trailer + 4 < total) {
    warnings.push({
      code: 'png_after_data',
      message: `${total - trailer - 4} bytes after the end of the compressed data were ignored.`,
    });
  }
}

function tooShort(expected: number, width: number, height: number, got: string): PixelproofError {
  return new PixelproofError('png_data_short', 'The image data breaks off before the picture is complete.', {
    expected: `${expected} bytes for ${width} x ${height}, and the end of the stream`,
    got: `${got} bytes`,
  });
}
