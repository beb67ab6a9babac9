import { PixelproofError } from '../../errors';
import { LIMITS } from './limits';

/** One file of a ZIP, as both of its headers say. */
export interface ZipEntry {
  readonly path: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Offset of the packed bytes. */
  readonly start: number;
}

interface Header extends Omit<ZipEntry, 'start'> {
  readonly flags: number;
  readonly time: number;
  /** Offset of the local header. */
  readonly offset: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DESCRIPTOR = 0x08074b50;

const END_SIZE = 22;
const CENTRAL_SIZE = 46;
const LOCAL_SIZE = 30;

/** Sizes and CRC follow the data (bit 3). */
const DESCRIBED = 0x0008;
/** Deflate's own hints, bit 3, and UTF-8 names. Encryption and patches are refused. */
const KNOWN_FLAGS = 0x080e;

/**
 * Reads the central directory and holds every local header against it (APPNOTE 6.3.10, sections 4.3 and 4.4). One
 * volume, no ZIP64, no encryption, no archive comment, and no byte that belongs to nothing. Throws
 * `zip_truncated`, `zip_layout`, `zip_header`, `zip_unsupported`, `zip_bomb`.
 */
export function readZipDirectory(bytes: Uint8Array<ArrayBuffer>): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - END_SIZE;
  if (end < 0 || view.getUint32(end, true) !== END) {
    throw new PixelproofError('zip_truncated', 'The archive does not end as a ZIP ends; it may be cut off.', {
      got: bytes.length,
    });
  }
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const from = view.getUint32(end + 16, true);
  if (count === 0xffff || size === 0xffffffff || from === 0xffffffff) throw unsupported('ZIP64');
  const volumes = view.getUint32(end + 4, true) + Math.abs(view.getUint16(end + 8, true) - count);
  if (volumes !== 0 || view.getUint16(end + 20, true) !== 0) throw layout('several volumes or a comment');
  if (from + size !== end) throw layout('its central directory is not where the end says');
  if (count > LIMITS.entries || count * CENTRAL_SIZE > size)
    throw layout('more entries than there is room for');

  const headers: Header[] = [];
  let at = from;
  for (let index = 0; index < count; index += 1) {
    const header = central(bytes, view, at, end);
    headers.push(header.header);
    at = header.next;
  }
  if (at !== end) throw layout('the central directory has bytes that belong to no entry');

  let next = 0;
  const entries = headers
    .toSorted((a, b) => a.offset - b.offset)
    .map((header) => {
      if (header.offset !== next) throw layout(`${header.path} does not begin where the file before it ends`);
      const { entry, after } = local(bytes, view, header, from);
      next = after;
      return entry;
    });
  if (next !== from) throw layout('there are bytes between the last file and the central directory');
  return entries;
}

function central(bytes: Uint8Array<ArrayBuffer>, view: DataView, at: number, end: number) {
  if (at + CENTRAL_SIZE > end || view.getUint32(at, true) !== CENTRAL) throw layout('an entry is cut off');
  const nameLength = view.getUint16(at + 28, true);
  const next = at + CENTRAL_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > end) throw layout('an entry is cut off');
  const header: Header = {
    path: nameAt(bytes, at + CENTRAL_SIZE, nameLength),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    time: view.getUint32(at + 12, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  if ((header.flags & ~KNOWN_FLAGS) !== 0) throw unsupported('encryption or unknown flags');
  if (header.method !== 0 && header.method !== 8) throw unsupported(`compression method ${header.method}`);
  if ([header.packed, header.size, header.offset].includes(0xffffffff)) throw unsupported('ZIP64');
  if (header.method === 0 && header.packed !== header.size) throw disagree(header.path, 'sizes');
  return { header, next };
}

function local(bytes: Uint8Array<ArrayBuffer>, view: DataView, header: Header, limit: number) {
  const { offset, path, flags } = header;
  if (offset + LOCAL_SIZE > limit || view.getUint32(offset, true) !== LOCAL)
    throw layout(`${path} is cut off`);
  const nameLength = view.getUint16(offset + 26, true);
  const start = offset + LOCAL_SIZE + nameLength + view.getUint16(offset + 28, true);
  const stop = start + header.packed;
  if (stop > limit) throw layout(`${path} is cut off`);
  if (nameAt(bytes, offset + LOCAL_SIZE, nameLength) !== path) throw disagree(path, 'name');
  if (view.getUint16(offset + 6, true) !== flags) throw disagree(path, 'flags');
  if (view.getUint16(offset + 8, true) !== header.method) throw disagree(path, 'method');
  if (view.getUint32(offset + 10, true) !== header.time) throw disagree(path, 'time');
  const described = (flags & DESCRIBED) !== 0;
  const says = [14, 18, 22].map((place) => view.getUint32(offset + place, true));
  const sizes = [header.crc, header.packed, header.size];
  // A streaming packer does not know them yet and writes zeros here.
  const allowed = described && says.every((value) => value === 0);
  if (!allowed && says.some((value, index) => value !== sizes[index])) throw disagree(path, 'CRC or sizes');
  const after = described ? afterDescriptor(view, header, stop, limit) : stop;
  const { method, crc, packed, size } = header;
  return { entry: { path, method, crc, packed, size, start }, after };
}

/** The descriptor's signature is optional in the standard. */
function afterDescriptor(view: DataView, header: Header, stop: number, limit: number): number {
  for (const skip of [4, 0]) {
    if (stop + skip + 12 > limit) continue;
    if (skip === 4 && view.getUint32(stop, true) !== DESCRIPTOR) continue;
    const says = [0, 4, 8].map((place) => view.getUint32(stop + skip + place, true));
    if (says[0] === header.crc && says[1] === header.packed && says[2] === header.size)
      return stop + skip + 12;
  }
  throw disagree(header.path, 'CRC or sizes');
}

/** Names are ASCII in every bundle; another byte becomes a character that no path may have. */
function nameAt(bytes: Uint8Array, at: number, length: number): string {
  let name = '';
  for (const byte of bytes.subarray(at, at + length))
    name += byte < 0x80 ? String.fromCharCode(byte) : '\ufffd';
  return name;
}

function layout(what: string): PixelproofError {
  return new PixelproofError('zip_layout', `The archive is damaged: ${what}.`);
}

function disagree(path: string, what: string): PixelproofError {
  return new PixelproofError('zip_header', `The two headers of ${path} do not say the same ${what}.`);
}

function unsupported(what: string): PixelproofError {
  return new PixelproofError('zip_unsupported', `The archive uses ${what}, which no bundle does.`);
}
