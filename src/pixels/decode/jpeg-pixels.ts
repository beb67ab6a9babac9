import { atWorkbench, type Workbench } from '../workbench';
import {
  damaged,
  disorder,
  type JpegComponent,
  type JpegFile,
  type JpegFrame,
  unsupported,
} from './jpeg-markers';
import { type JpegScan, readScan } from './jpeg-scan';
import { NATURAL_ORDER, TYPICAL_TABLES } from './jpeg-tables';

/** Bytes of a table in wasm/pixels/jpeg-huffman.ts. */
const TABLE_BYTES = 2048 + 18 * 4 + 18 * 4 + 256;
const REPEAT = 0;
const SMOOTH_H2V1 = 1;
const SMOOTH_H2V2 = 2;
const SMOOTH_H1V2 = 3;

/** A component's buffers. Blocks are padded to whole units of all components. */
interface Plane extends JpegComponent {
  /** Samples that belong to the image. */
  readonly width: number;
  readonly height: number;
  /** Blocks. */
  readonly across: number;
  readonly down: number;
  readonly coefficients: number;
  readonly quant: number;
}

/**
 * The RGB of a Huffman-coded file. Throws `jpeg_damaged`, `jpeg_marker`, and `jpeg_unsupported` for sampling factors that
 * do not divide the largest.
 */
export function jpegPixels(file: JpegFile, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return atWorkbench((bench) => {
    const planes = layPlanes(bench, file);
    decodeScans(bench, file, bytes, planes);
    return toRgb(bench, file, planes);
  });
}

function layPlanes(bench: Workbench, { frame, segments }: JpegFile): Plane[] {
  const { width, height, components } = frame;
  const [h, v] = largest(frame);
  if (components.some((one) => h % one.h !== 0 || v % one.v !== 0)) {
    throw unsupported(
      'sampling factors that divide the largest',
      components.map((c) => `${c.h}x${c.v}`).join(' '),
    );
  }
  const [unitsX, unitsY] = [Math.ceil(width / (8 * h)), Math.ceil(height / (8 * v))];
  const blocks = components.reduce((sum, one) => sum + unitsX * one.h * unitsY * one.v, 0);
  const coded = segments.reduce((sum, one) => sum + (one.kind === 'scan' ? one.end - one.start : 0), 0);
  // Every block takes a bit at least, so such a file is short whatever it holds.
  if (blocks > coded * 8) throw damaged(`${coded} bytes for ${blocks} blocks`);
  return components.map((one) => {
    const [across, down] = [unitsX * one.h, unitsY * one.v];
    const coefficients = bench.lay(across * down * 128);
    bench.bytes(coefficients, across * down * 128).fill(0);
    const quant = bench.lay(128);
    bench.bytes(quant, 128).fill(0);
    return {
      ...one,
      width: Math.ceil((width * one.h) / h),
      height: Math.ceil((height * one.v) / v),
      across,
      down,
      coefficients,
      quant,
    };
  });
}

function largest({ components }: JpegFrame): [number, number] {
  return [Math.max(...components.map(({ h }) => h)), Math.max(...components.map(({ v }) => v))];
}

function decodeScans(bench: Workbench, file: JpegFile, bytes: Uint8Array, planes: readonly Plane[]): void {
  const tables = bench.lay(8 * TABLE_BYTES);
  const symbols = bench.lay(272);
  const defined = new Set<number>();
  const define = (body: Uint8Array) => {
    for (const [slot, counts, values] of huffmanTables(body)) {
      bench.bytes(symbols, 16).set(counts);
      bench.bytes(symbols + 16, values.length).set(values);
      if (!bench.wasm.jpegTable(tables + slot * TABLE_BYTES, symbols, symbols + 16)) {
        throw disorder('a Huffman table', 'counts that are no code');
      }
      defined.add(slot);
    }
  };
  define(TYPICAL_TABLES);
  const quantisation = new Map<number, Int16Array>();
  const latched = new Set<number>();
  const scan = bench.lay(64 + 4 * 32);
  const longest = Math.max(...file.segments.map((one) => (one.kind === 'scan' ? one.end - one.start : 0)));
  const data = bench.lay(longest);
  let restart = 0;
  for (const segment of file.segments) {
    if (segment.kind === 'huffman') define(segment.body);
    else if (segment.kind === 'quantisation') readQuantisation(segment.body, quantisation);
    else if (segment.kind === 'restart') restart = ((segment.body[0] ?? 0) << 8) | (segment.body[1] ?? 0);
    else if (segment.kind === 'scan') {
      const header = readScan(segment.body, file.frame);
      for (const { component } of header.parts) {
        // A component keeps the table that was in force at its first scan.
        const plane = planes[component];
        if (plane === undefined || latched.has(component)) continue;
        const table = quantisation.get(plane.quantisation);
        if (table === undefined) throw disorder(`quantisation table ${plane.quantisation}`, 'none');
        new Int16Array(bench.wasm.memory.buffer, plane.quant, 64).set(table);
        latched.add(component);
      }
      bench.bytes(data, segment.end - segment.start).set(bytes.subarray(segment.start, segment.end));
      const words = scanWords(header, file.frame, planes, defined, tables);
      bench
        .ints(scan, words.length)
        .set([data, data + segment.end - segment.start, restart, ...words.slice(3)]);
      const status = bench.wasm.jpegScan(scan);
      if (status !== 0)
        throw damaged(status === 1 ? 'coded data that breaks off or is no code' : 'no restart marker');
    }
  }
}

/** The words that wasm/pixels/jpeg-huffman.ts reads; the first three are the caller's. */
function scanWords(
  header: JpegScan,
  frame: JpegFrame,
  planes: readonly Plane[],
  defined: ReadonlySet<number>,
  tables: number,
): number[] {
  const { parts, ss, se, ah, al } = header;
  const [h, v] = largest(frame);
  const single = parts.length === 1 ? planes[parts[0]?.component ?? 0] : undefined;
  // A scan of one component goes by its own blocks, without padding.
  const unitsX = single === undefined ? Math.ceil(frame.width / (8 * h)) : Math.ceil(single.width / 8);
  const unitsY = single === undefined ? Math.ceil(frame.height / (8 * v)) : Math.ceil(single.height / 8);
  const words = [
    0,
    0,
    0,
    parts.length,
    ss,
    se,
    ah,
    al,
    frame.progressive ? 1 : 0,
    unitsX,
    unitsY,
    0,
    0,
    0,
    0,
    0,
  ];
  for (const { component, dc, ac } of parts) {
    const plane = planes[component];
    if (plane === undefined) continue;
    const needsDc = ss === 0 && ah === 0;
    const needsAc = se > 0;
    if ((needsDc && !defined.has(dc)) || (needsAc && !defined.has(4 + ac))) {
      throw disorder('the Huffman tables of the scan', 'none');
    }
    words.push(
      plane.coefficients,
      plane.across,
      single === undefined ? plane.h : 1,
      single === undefined ? plane.v : 1,
      tables + dc * TABLE_BYTES,
      tables + (4 + ac) * TABLE_BYTES,
      0,
      0,
    );
  }
  return words;
}

/** Slot (0..3 DC, 4..7 AC), counts by length and symbols of each table in a DHT segment. */
function* huffmanTables(body: Uint8Array): Generator<[number, Uint8Array, Uint8Array]> {
  for (let at = 0; at < body.length; ) {
    const head = body[at] ?? 0;
    const counts = body.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (
      counts.length < 16 ||
      total > 256 ||
      at + 17 + total > body.length ||
      (head & 0xee & ~0x0f) !== 0 ||
      (head & 15) > 3
    ) {
      throw disorder('a Huffman table that fits its segment', `${body.length} bytes`);
    }
    yield [(head >> 4) * 4 + (head & 15), counts, body.subarray(at + 17, at + 17 + total)];
    at += 17 + total;
  }
}

function readQuantisation(body: Uint8Array, into: Map<number, Int16Array>): void {
  for (let at = 0; at < body.length; ) {
    const head = body[at] ?? 0;
    const size = head >> 4 === 0 ? 1 : 2;
    if (head >> 4 > 1 || (head & 15) > 3 || at + 1 + 64 * size > body.length) {
      throw disorder('a quantisation table that fits its segment', `${body.length} bytes`);
    }
    const table = new Int16Array(64);
    NATURAL_ORDER.forEach((place, k) => {
      const from = at + 1 + k * size;
      table[place] = size === 1 ? (body[from] ?? 0) : ((body[from] ?? 0) << 8) | (body[from + 1] ?? 0);
    });
    into.set(head & 15, table);
    at += 1 + 64 * size;
  }
}

function toRgb(bench: Workbench, file: JpegFile, planes: readonly Plane[]): Uint8Array<ArrayBuffer> {
  const { frame } = file;
  const { width, height } = frame;
  const [maxH, maxV] = largest(frame);
  const words = planes.flatMap((plane) => {
    const samples = bench.lay(plane.across * plane.down * 64);
    bench.wasm.jpegPlane(plane.coefficients, plane.quant, plane.across, plane.down, samples);
    const [h, v] = [maxH / plane.h, maxV / plane.v];
    const scratch = bench.lay(plane.width * (h + 2) + 256);
    return [
      samples,
      plane.across * 8,
      plane.width,
      plane.height,
      upsampling(plane.width, h, v),
      h,
      v,
      scratch,
    ];
  });
  const components = bench.lay(words.length * 4);
  bench.ints(components, words.length).set(words);
  const out = bench.lay(width * height * 3);
  bench.wasm.jpegRgb(components, planes.length, isTransformed(file), width, height, out);
  return bench.bytes(out, width * height * 3).slice();
}

/** The library smooths only a doubling, and across only where there are more than two samples. */
function upsampling(width: number, h: number, v: number): number {
  if (h === 2 && v === 1 && width > 2) return SMOOTH_H2V1;
  if (h === 2 && v === 2 && width > 2) return SMOOTH_H2V2;
  return h === 1 && v === 2 ? SMOOTH_H1V2 : REPEAT;
}

/** Whether the first three components are YCbCr: by JFIF, else by Adobe's marker, else by the components' names. */
function isTransformed({ frame, jfif, adobe }: JpegFile): boolean {
  const ids = frame.components.map(({ id }) => id);
  if (ids.length === 4) return adobe !== null && adobe !== 0;
  if (ids.length !== 3 || jfif) return ids.length === 3;
  if (adobe !== null) return adobe !== 0;
  return String.fromCharCode(...ids) !== 'RGB';
}
