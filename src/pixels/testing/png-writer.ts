import { deflateRaw } from 'pako';

/** A PNG to be written by the tests: samples as whole numbers, so that the expected pixels follow by the rule alone. */
export interface PngSource {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  readonly interlaced: boolean;
  /** width * height * channels, row by row. */
  readonly samples: readonly number[];
  readonly palette: readonly number[] | null;
  /** Picks the filter of each row. */
  readonly filter: (row: number) => number;
  /** Bytes an IDAT chunk; 0 puts everything in one. */
  readonly split: number;
  readonly level: number;
}

export const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bit by bit, without a table: slow and plain. */
function slowCrc(bytes: readonly number[]): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
export function slowAdler(bytes: Iterable<number>): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}
export function be32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
export function chunk(name: string, body: readonly number[]): number[] {
  const named = [...[...name].map((c) => c.charCodeAt(0)), ...body];
  return [...be32(body.length), ...named, ...be32(slowCrc(named))];
}
export function headerOf(source: PngSource): number[] {
  const { width, height, depth, colour, interlaced } = source;
  return chunk('IHDR', [...be32(width), ...be32(height), depth, colour, 0, 0, interlaced ? 1 : 0]);
}
export function zlibOf(raw: readonly number[], level: number): number[] {
  const body = deflateRaw(Uint8Array.from(raw), { level: level as 0 });
  return [0x78, 0x9c, ...body, ...be32(slowAdler(raw))];
}

/** Filtered rows of all passes: what the zlib stream holds. */
export function rawOf(source: PngSource): number[] {
  const { width, height, interlaced } = source;
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.flatMap(([x0, y0, dx, dy]) => {
    const rows: number[][] = [];
    for (let y = y0; y < height; y += dy) {
      const row: number[] = [];
      for (let x = x0; x < width; x += dx) row.push(...samplesAt(source, x, y));
      if (row.length > 0) rows.push(packed(row, source.depth));
    }
    return filtered(rows, source);
  });
}

export function writePng(source: PngSource): Uint8Array<ArrayBuffer> {
  const data = zlibOf(rawOf(source), source.level);
  const size = source.split === 0 ? data.length : source.split;
  const parts: number[] = [];
  for (let at = 0; at < data.length; at += size) parts.push(...chunk('IDAT', data.slice(at, at + size)));
  return Uint8Array.from([
    ...SIGNATURE,
    ...headerOf(source),
    ...(source.palette === null ? [] : chunk('PLTE', source.palette)),
    ...parts,
    ...chunk('IEND', []),
  ]);
}

/** The pixels by the rule of the specification, one sample at a time. */
export function expectedRgb(source: PngSource): number[] {
  const { width, height, depth, colour, palette } = source;
  const most = 2 ** depth - 1;
  const rgb: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const s = samplesAt(source, x, y);
      const [first = 0, second = 0, third = 0] = s.map((v) => (depth === 16 ? v >> 8 : v));
      if (colour === 3) rgb.push(...[0, 1, 2].map((c) => palette?.[(s[0] ?? 0) * 3 + c] ?? 0));
      else if (colour === 2 || colour === 6) rgb.push(first, second, third);
      else {
        const grey =
          colour === 0 && depth === 16 ? Math.min(255, s[0] ?? 0) : depth < 8 ? (first * 255) / most : first;
        rgb.push(grey, grey, grey);
      }
    }
  }
  return rgb;
}

function samplesAt({ width, colour, samples }: PngSource, x: number, y: number): number[] {
  const channels = CHANNELS[colour] ?? 1;
  const at = (y * width + x) * channels;
  return samples.slice(at, at + channels);
}

function packed(samples: readonly number[], depth: number): number[] {
  if (depth === 16) return samples.flatMap((v) => [v >> 8, v & 255]);
  if (depth === 8) return [...samples];
  const bits = samples.map((v) => v.toString(2).padStart(depth, '0')).join('');
  return (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  );
}

function filtered(rows: readonly number[][], source: PngSource): number[] {
  const bpp = Math.max(1, (source.depth * (CHANNELS[source.colour] ?? 1)) >> 3);
  return rows.flatMap((row, y) => {
    const filter = source.filter(y);
    const above = rows[y - 1] ?? row.map(() => 0);
    const out = row.map((value, i) => {
      const [a, b, c] = [row[i - bpp] ?? 0, above[i] ?? 0, above[i - bpp] ?? 0];
      const guess = [0, a, b, Math.floor((a + b) / 2), nearest(a, b, c)][filter] ?? 0;
      return (value - guess) & 255;
    });
    return [filter, ...out];
  });
}

function nearest(a: number, b: number, c: number): number {
  const target = a + b - c;
  let best = a;
  for (const value of [b, c]) if (Math.abs(target - value) < Math.abs(target - best)) best = value;
  return best;
}
