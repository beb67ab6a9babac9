import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PixelproofError } from '../../errors';
import { sha256Hex } from '../../evidence/identity/sha256';
import { fromBase64 } from '../base64';
import { decodeImage } from './decode';
import { selfTest } from './self-test';

const fixtures = new URL('../../../fixtures/image-signals/', import.meta.url);
const corpus: {
  files: { file: string; width: number; height: number; rgb_sha256: string; base64: string }[];
} = JSON.parse(readFileSync(new URL('decoders.json', fixtures), 'utf8'));
const golden = (file: string) => new Uint8Array(readFileSync(new URL(`golden/${file}`, fixtures)));

async function codeOf(bytes: Uint8Array, name = ''): Promise<string> {
  try {
    await decodeImage(bytes, name);
    return 'none';
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    return error.code;
  }
}
const text = (value: string) => Uint8Array.from(value, (c) => c.charCodeAt(0));
function changed(bytes: Uint8Array, at: number, ...values: number[]): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  copy.set(values, at);
  return copy;
}
function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test('this environment decodes every probe exactly', async () => {
  const { exact, probes } = await selfTest();
  expect(exact).toEqual({ png: true, jpeg: true, webp: true });
  expect(probes).toHaveLength(7);
});

test.each(corpus.files)(
  '$file has the pixels that Pillow reads',
  async ({ file, base64, width, height, rgb_sha256 }) => {
    const image = await decodeImage(fromBase64(base64), file);
    expect([image.width, image.height, image.exact]).toEqual([width, height, true]);
    expect(sha256Hex(image.data)).toBe(rgb_sha256);
  },
);

describe('formats are told by content', () => {
  test('a wrong extension is a warning', async () => {
    const codes = async (name: string) =>
      (await decodeImage(golden('g09_1x1_red.png'), name)).warnings.map((w) => w.code);
    expect(await codes('a.jpg')).toEqual(['extension_mismatch']);
    expect(await codes('a.PNG')).toEqual([]);
    expect(await codes('folder.jpg/a')).toEqual([]);
  });

  test.each<[string, string]>([
    ['GIF picture: not read here', 'GIF89a______________'],
    ['BMP picture: not read here', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0'],
    ['TIFF picture: not read here', 'II*\0\x08\0\0\0'],
    ['TIFF picture: not read here', 'MM\0*\0\0\0\x08'],
    ['AVIF picture: not read here', '\0\0\0\x20ftypavif\0\0\0\0'],
    ['HEIC picture: not read here', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['HEIF picture: not read here', '\0\0\0\x18ftypmif1\0\0\0\0'],
    ['JPEG XL picture: not read here', '\xff\x0a\x00\x10'],
    ['JPEG 2000 picture: not read here', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['Photoshop picture: not read here', '8BPS\0\x01'],
    ['Icon picture: not read here', '\0\0\x01\0\x01\0\x10\x10'],
    ['Netpbm picture: not read here', 'P6\n2 2\n255\n'],
    ['SVG picture: not read here', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG picture: not read here', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg>'],
    ['PDF: no picture that is read here', '%PDF-1.7'],
    ['A zip archive: no picture that is read here', 'PK\x03\x04____________'],
    ['A film: no picture that is read here', '\0\0\0\x20ftypisom'],
    ['A web page: no picture that is read here', '<!doctype html><svg>'],
    ['XML: no picture that is read here', '<?xml version="1.0"?><note/>'],
    ['Text: no picture that is read here', 'hello, this is a note: naïve'],
    ['Text: no picture that is read here', 'BMW is no picture'],
    ['Text: no picture that is read here', '\xff\xfeh\0i\0'],
    ['An empty file: no picture that is read here', ''],
    ['An unknown kind of file: no picture that is read here', 'RIFF____WAVEfmt \0\0'],
    ['An unknown kind of file: no picture that is read here', '\0\x01\x02\x03\x04'],
  ])('%s, whatever its name says', async (line, content) => {
    await expect(decodeImage(text(content), 'x.png')).rejects.toThrow(
      expect.objectContaining({ code: 'image_format_unknown', message: `${line}; PNG, JPEG and WebP are.` }),
    );
  });

  test('a head made to confuse a reader of SVG is told at once', async () => {
    const hostile = text('<!---->'.repeat(10_000));
    const began = performance.now();
    expect(await codeOf(hostile)).toBe('image_format_unknown');
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe('JPEG', () => {
  const good = golden('g36_q90_420.jpg');
  /** Where the frame header's marker stands. */
  const frame = good.findIndex((byte, i) => byte === 0xff && good[i + 1] === 0xc0);

  test.each([
    ['cut in the scan', good.slice(0, good.length >> 1), 'jpeg_truncated'],
    ['cut in the header', good.slice(0, 40), 'jpeg_truncated'],
    ['cut before the end marker', good.slice(0, -2), 'jpeg_truncated'],
    ['cut scan that ends politely', joined(good.slice(0, good.length >> 1), [0xff, 0xd9]), 'jpeg_damaged'],
    ['only start and end', Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]), 'jpeg_marker'],
    ['a second start', joined(good.slice(0, 2), [0xff, 0xd8], good.slice(2)), 'jpeg_marker'],
    ['a segment of length 0', joined(good.slice(0, 2), [0xff, 0xe1, 0, 0], good.slice(2)), 'jpeg_marker'],
    ['12-bit samples', changed(good, frame + 4, 12), 'jpeg_unsupported'],
    ['lossless', changed(good, frame + 1, 0xc3), 'jpeg_unsupported'],
    ['no rows', changed(good, frame + 5, 0, 0), 'image_zero_size'],
    ['65,000 x 65,000', changed(good, frame + 5, 0xfd, 0xe8, 0xfd, 0xe8), 'image_too_large'],
    ['more rows than data', changed(good, frame + 5, 0x20, 0), 'jpeg_damaged'],
  ])('%s', async (_, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  test('a scan before its frame, a second frame, two components', async () => {
    const size = 2 + (good[frame + 2] ?? 0) * 256 + (good[frame + 3] ?? 0);
    const header = good.slice(frame, frame + size);
    const without = joined(good.slice(0, frame), good.slice(frame + size));
    expect(await codeOf(without)).toBe('jpeg_marker');
    expect(await codeOf(joined(good.slice(0, frame), header, good.slice(frame)))).toBe('jpeg_marker');
    const two = joined(header.slice(0, 2), [0, 14], header.slice(4, 9), [2], header.slice(10, 16));
    expect(await codeOf(joined(good.slice(0, frame), two, good.slice(frame + size)))).toBe(
      'jpeg_unsupported',
    );
  });

  test('stray bytes, comments and what follows the end change no pixel', async () => {
    const pixels = sha256Hex((await decodeImage(good)).data);
    const noisy = joined(
      good.slice(0, frame),
      [1, 2, 3],
      [0xff, 0xfe, 0, 4, 65, 66],
      good.slice(frame),
      [9, 9],
    );
    const image = await decodeImage(noisy);
    expect(sha256Hex(image.data)).toBe(pixels);
    expect(image.warnings.map(({ code }) => code)).toEqual(['jpeg_stray_bytes', 'jpeg_after_end']);
  });

  test('four components with arithmetic coding or damage are refused', async () => {
    const cmyk = golden('g44_cmyk_adobe.jpg');
    const at = cmyk.findIndex((byte, i) => byte === 0xff && cmyk[i + 1] === 0xc0);
    expect(await codeOf(changed(cmyk, at + 1, 0xc9))).toBe('jpeg_unsupported');
    expect(await codeOf(joined(cmyk.slice(0, cmyk.length - 40), [0xff, 0xd9]))).toBe('jpeg_damaged');
  });

  test('tables that are no tables, scans that are no scans', async () => {
    /** The good file with a segment before its frame header. */
    const withSegment = (...segment: readonly number[]) =>
      joined(good.slice(0, frame), segment, good.slice(frame));
    const scan = good.findIndex((byte, i) => byte === 0xff && good[i + 1] === 0xda);
    const short = new Array(15).fill(0);
    const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
      ['three codes of one bit', withSegment(0xff, 0xc4, 0, 22, 0, 3, ...short, 0, 1, 2), 'jpeg_marker'],
      ['a Huffman table cut short', withSegment(0xff, 0xc4, 0, 5, 0, 1, 2), 'jpeg_marker'],
      ['Huffman table 5', withSegment(0xff, 0xc4, 0, 20, 5, 1, ...short, 0), 'jpeg_marker'],
      ['a quantisation table cut short', withSegment(0xff, 0xdb, 0, 5, 0, 1, 2), 'jpeg_marker'],
      ['an unknown component', changed(good, scan + 5, 99), 'jpeg_marker'],
      ['a component twice', changed(good, scan + 7, good[scan + 5] ?? 0), 'jpeg_marker'],
      ['no component', changed(good, scan + 4, 0), 'jpeg_marker'],
      ['Huffman table 3, never defined', changed(good, scan + 6, 0x33), 'jpeg_marker'],
      ['Huffman table 15', changed(good, scan + 6, 0xff), 'jpeg_marker'],
      ['quantisation table 3, never defined', changed(good, frame + 12, 3), 'jpeg_marker'],
      ['quantisation table 9', changed(good, frame + 12, 9), 'jpeg_marker'],
      ['sampling factor 0', changed(good, frame + 11, 0x02), 'jpeg_marker'],
      ['factors 3 and 2', changed(good, frame + 11, 0x32, 0, 2, 0x21), 'jpeg_unsupported'],
      ['20 blocks in a unit', changed(good, frame + 11, 0x44), 'jpeg_unsupported'],
      ['a restart that never comes', withSegment(0xff, 0xdd, 0, 4, 0, 1), 'jpeg_damaged'],
    ];
    for (const [what, bytes, code] of cases) expect(await codeOf(bytes), what).toBe(code);
    const progressive = golden('g37_q75_422_progressive.jpg');
    const first = progressive.findIndex((byte, i) => byte === 0xff && progressive[i + 1] === 0xda);
    // After the count and three pairs: start, end, approximation.
    expect(await codeOf(changed(progressive, first + 11, 0, 5))).toBe('jpeg_marker');
    expect(await codeOf(changed(progressive, first + 13, 0x0e))).toBe('jpeg_marker');
    const again = progressive.slice(first, progressive.length - 2);
    const scans = joined(progressive.slice(0, -2), ...new Array(60).fill(again), [0xff, 0xd9]);
    expect(await codeOf(scans)).toBe('jpeg_unsupported');
  });

  test('an unfinished progressive file with rare samplings is read, and marked', async () => {
    // Only the means are sent; factors 2x2, 1x2, 1x1. The reference smooths, the library refuses the factors.
    const file =
      '/9j/7gAOQWRvYmUAZAAAAAAA/9sAgxAAoABuAHgAjAB4AGQAoACMAIIAjAC0AKoAoAC+APABkAEEAPAA3ADcAPAB6gFeAXIBIgGQAkQB/gJiAl' +
      'gCOgH+AjACJgKAAtADmAMMAoACqANmArICJgIwAyAEQgMqA2YDtgPUBAYEEAQGAmwDAgRqBLoEYAPoBLADmAPyBAYD3v/CABEIACsANANSIgBH' +
      'EgBCEQD/xAAXAAEBAQEAAAAAAAAAAAAAAAAAAQID/9oADANSAEcAQgAAAAAQUCUVltJZYrMoBJqgxmpdNDKSlurXNnOv/9k=';
    const image = await decodeImage(fromBase64(file));
    expect([image.width, image.height, image.exact]).toEqual([52, 43, false]);
    expect(image.warnings.map(({ code }) => code)).toEqual(['jpeg_unfinished']);
  });

  test('after a damaged file the next good one is read as before', async () => {
    const pixels = sha256Hex((await decodeImage(good)).data);
    for (let i = 0; i < 20; i++) {
      const at = frame + 20 + i * 31;
      await codeOf(changed(good, at, (good[at] ?? 0) ^ 0x55));
      expect(sha256Hex((await decodeImage(good)).data)).toBe(pixels);
    }
  });
});

describe('WebP', () => {
  const lossy = golden('g42_lossy80.webp');
  const lossless = golden('g41_lossless.webp');
  const chunk = (name: string, body: readonly number[]) => [
    ...text(name),
    body.length & 255,
    body.length >> 8,
    0,
    0,
    ...body,
    ...(body.length & 1 ? [0] : []),
  ];
  const file = (...chunks: readonly (readonly number[])[]) => {
    const body = [...text('WEBP'), ...chunks.flat()];
    return Uint8Array.from([...text('RIFF'), body.length & 255, body.length >> 8, 0, 0, ...body]);
  };

  test.each([
    ['cut in the middle', lossy.slice(0, lossy.length >> 1), 'webp_truncated'],
    ['cut in the header', lossy.slice(0, 12), 'webp_truncated'],
    ['no chunk', file(), 'webp_structure'],
    ['an unknown first chunk', file(chunk('ABCD', [1, 2])), 'webp_structure'],
    [
      'an extended file without a picture',
      file(chunk('VP8X', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
      'webp_structure',
    ],
    [
      'a canvas too large',
      file(chunk('VP8X', [0, 0, 0, 0, 255, 255, 255, 255, 255, 255])),
      'image_too_large',
    ],
    [
      'an animation frame too short',
      file(chunk('VP8X', [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]), chunk('ANMF', [0])),
      'webp_structure',
    ],
    ['a chunk longer than the file', file([...text('VP8 '), 255, 0, 0, 0, 1, 2]), 'webp_truncated'],
    ['no size', changed(lossy, 26, 0, 0, 0, 0), 'image_zero_size'],
    ['damaged pixels', changed(lossless, 30, ...new Array(40).fill(255)), 'webp_damaged'],
    ['no start code', changed(lossy, 23, 0, 0, 0), 'webp_damaged'],
  ])('%s', async (_, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  test('a first frame smaller than its canvas leaves black around it; outside the canvas it is refused', async () => {
    const picture = lossless.slice(12);
    const { width, height, data } = await decodeImage(lossless);
    const u24 = (v: number) => [v & 255, (v >> 8) & 255, v >> 16];
    const animated = (x: number) =>
      file(
        chunk('VP8X', [2, 0, 0, 0, ...u24(width + 3), ...u24(height + 1)]),
        chunk('ANIM', [0, 0, 0, 0, 0, 0]),
        chunk('ANMF', [
          ...u24(x / 2),
          ...u24(1),
          ...u24(width - 1),
          ...u24(height - 1),
          0,
          0,
          0,
          0,
          ...picture,
        ]),
      );
    const image = await decodeImage(animated(4));
    expect([image.width, image.height]).toEqual([width + 4, height + 2]);
    expect([...image.data.slice(0, image.width * 3 * 2)].every((v) => v === 0)).toBe(true);
    const at = (2 * image.width + 4) * 3;
    expect([...image.data.slice(at, at + width * 3)]).toEqual([...data.slice(0, width * 3)]);
    expect(image.warnings.map((w) => w.code)).toEqual(['animated_first_picture']);
    expect(await codeOf(animated(6))).toBe('webp_structure');
  });

  test('bytes after the end are read over', async () => {
    const image = await decodeImage(joined(lossy, [1, 2, 3, 4]));
    expect(image.warnings.map((w) => w.code)).toEqual(['webp_after_end']);
  });
});
