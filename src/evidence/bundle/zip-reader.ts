import { Inflate } from 'fflate';
import { createCRC32 } from 'hash-wasm';
import { PixelproofError } from '../../errors';
import type { Container } from './container';
import { LIMITS } from './limits';
import { PathSet } from './path';
import { readZipDirectory, type ZipEntry } from './zip-directory';

const crc32 = await createCRC32();

/** Packed bytes given to the inflater at once: at most 1032 times as many come out before the size is checked. */
const STEP = 4096;

/**
 * Opens a ZIP, strictly: every header must say the same in both places, entries must touch, and nothing is unpacked
 * beyond what it declared. Throws `zip_truncated`, `zip_layout`, `zip_header`, `zip_unsupported`, `zip_bomb`,
 * `bundle_path`, `bundle_duplicate`; reading throws `zip_size` and `zip_crc`.
 */
export function openZip(bytes: Uint8Array<ArrayBuffer>): Container {
  if (bytes.length > LIMITS.zipBytes) throw bomb('bytes', LIMITS.zipBytes, bytes.length);
  const entries = new Map<string, ZipEntry>();
  const paths = new PathSet();
  let total = 0;
  for (const entry of readZipDirectory(bytes)) {
    // Folders, which other packers list as empty entries.
    if (entry.path.endsWith('/') && entry.size === 0) continue;
    paths.add(entry.path);
    if (entry.size > LIMITS.fileBytes) throw bomb('bytes in one file', LIMITS.fileBytes, entry.size);
    const ratio = entry.size / Math.max(1, entry.packed);
    if (entry.size > LIMITS.ratioFrom && ratio > LIMITS.ratio) {
      throw bomb('bytes for each packed byte', LIMITS.ratio, Math.round(ratio));
    }
    total += entry.size;
    if (total > LIMITS.totalBytes) throw bomb('bytes in all files', LIMITS.totalBytes, total);
    entries.set(entry.path, entry);
  }
  return {
    kind: 'zip',
    paths: [...entries.keys()],
    bytes: async (path) => {
      const entry = entries.get(path);
      return entry === undefined ? null : unpack(bytes, entry);
    },
  };
}

function bomb(what: string, expected: number, got: number): PixelproofError {
  return new PixelproofError('zip_bomb', `The archive would unpack to too many ${what}.`, { expected, got });
}

function wrongSize(entry: ZipEntry, got: number): PixelproofError {
  return new PixelproofError('zip_size', `${entry.path} does not unpack to the size it declares.`, {
    expected: entry.size,
    got,
  });
}

function unpack(bytes: Uint8Array<ArrayBuffer>, entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const packed = bytes.subarray(entry.start, entry.start + entry.packed);
  const out = entry.method === 0 ? packed.slice() : inflate(packed, entry);
  if (out.length !== entry.size) throw wrongSize(entry, out.length);
  const crc = Number.parseInt(crc32.init().update(out).digest('hex'), 16);
  if (crc !== entry.crc) {
    throw new PixelproofError('zip_crc', `${entry.path} is damaged: its CRC-32 is not the one stored.`, {
      expected: entry.crc,
      got: crc,
    });
  }
  return out;
}

function inflate(packed: Uint8Array<ArrayBuffer>, entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const inflater = new Inflate((chunk) => {
    size += chunk.length;
    if (size > entry.size) throw wrongSize(entry, size);
    if (chunk.length > 0) parts.push(chunk);
  });
  try {
    for (let at = 0; at < packed.length || at === 0; at += STEP) {
      inflater.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
    }
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('zip_deflate', `${entry.path} is damaged: it cannot be unpacked.`, { cause });
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
