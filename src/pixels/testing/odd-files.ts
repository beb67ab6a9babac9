import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { chunk, headerOf } from './png-writer';

/** A file as people really have it, and the one line that it must get: a code, or warnings beside its numbers. */
export interface OddFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why it is refused; null when it is measured. */
  readonly refused: string | null;
  readonly warned: readonly string[];
}

const golden = (file: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/image-signals/golden/${file}`, import.meta.url)));
const text = (value: string) => Uint8Array.from(value, (c) => c.charCodeAt(0));

function png(width: number, height: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  const header = headerOf({
    width,
    height,
    depth: 8,
    colour: 2,
    interlaced: false,
    samples: [],
    palette: null,
    filter: () => 0,
    level: 0,
    split: 0,
  });
  return Uint8Array.from([...signature, ...header, ...chunk('IDAT', [...data]), ...chunk('IEND', [])]);
}

function animatedWebp(): Uint8Array<ArrayBuffer> {
  const picture = golden('g42_lossy80.webp').slice(12);
  const view = new DataView(picture.buffer);
  const [w, h] = [(view.getUint16(14, true) & 0x3fff) - 1, (view.getUint16(16, true) & 0x3fff) - 1];
  const part = (name: string, body: readonly number[]) => [
    ...text(name),
    ...new Uint8Array(Uint32Array.of(body.length).buffer),
    ...body,
    ...(body.length & 1 ? [0] : []),
  ];
  const u24 = (v: number) => [v & 255, (v >> 8) & 255, v >> 16];
  const body = [
    ...text('WEBP'),
    ...part('VP8X', [2, 0, 0, 0, ...u24(w), ...u24(h)]),
    ...part('ANIM', [0, 0, 0, 0, 0, 0]),
    ...part('ANMF', [...u24(0), ...u24(0), ...u24(w), ...u24(h), 9, 0, 0, 0, ...picture]),
  ];
  return Uint8Array.from(part('RIFF', body));
}

/** One of each kind; the last is as it should be. */
export function oddFiles(): readonly OddFile[] {
  const refused = (name: string, bytes: Uint8Array<ArrayBuffer>, code: string): OddFile => ({
    name,
    bytes,
    refused: code,
    warned: [],
  });
  const read = (name: string, bytes: Uint8Array<ArrayBuffer>, ...warned: string[]): OddFile => ({
    name,
    bytes,
    refused: null,
    warned,
  });
  const scene = golden('g35_scene_256.png');
  return [
    refused('a-truncated.png', scene.slice(0, scene.length >> 1), 'png_truncated'),
    refused('b-truncated.jpg', golden('g36_q90_420.jpg').slice(0, 700), 'jpeg_truncated'),
    refused('c-truncated.webp', golden('g42_lossy80.webp').slice(0, 100), 'webp_truncated'),
    refused('d-huge.png', png(100_000, 100_000, new Uint8Array(0)).slice(0, 50), 'image_too_large'),
    refused('e-zero.png', png(0, 4, new Uint8Array(4)), 'image_zero_size'),
    refused('f-moving.gif', text('GIF89a\x01\0\x01\0\0\0\0;'), 'image_format_unknown'),
    refused('g-notes.txt', text('no picture'), 'image_format_unknown'),
    refused('h-empty.png', new Uint8Array(0), 'image_format_unknown'),
    read('i-megabytes.png', png(1, 1, deflateSync(new Uint8Array(3_000_000))), 'png_surplus_rows'),
    read('j-really-a-png.jpg', scene, 'extension_mismatch'),
    read('k-grey16.png', golden('g24_gray16_saturates.png'), 'png_grey16_saturated'),
    read('l-cmyk.jpg', golden('g44_cmyk_adobe.jpg')),
    read('m-apng.png', golden('g47_apng_separate_still.png'), 'animated_first_picture'),
    read('n-animated.webp', animatedWebp(), 'animated_first_picture'),
    read('o-rotated.jpg', golden('g39_exif6.jpg')),
    read('p-good.png', scene),
  ];
}
