import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { type Companion, type CompanionFacts, companions } from './companions';
import type { BundleContents } from './contents';
import { LIMITS } from './limits';
import { MANIFEST_PATH, manifestText } from './manifest';
import { Packing, tooLarge } from './packing';
import type { BundleManifest } from './reader';

/**
 * The layout of our ZIPs: entries in manifest order, then `pixelproof.json`, then the companions; sizes and CRC in data
 * descriptors, because the writer streams; DOS time 1980-01-01 00:00; no extra field, no comment; pictures stored, all
 * else deflated by fflate 0.8 at level 6 in pieces of 64 KiB. A change of any of this is `zip/3`.
 */
export const ZIP_CONTAINER = 'zip/2';
/** As `zip/2` without companions. No longer written, still checked byte for byte. */
export const ZIP_CONTAINER_1 = 'zip/1';

/** Fixed, because deflate's output depends on how its input is cut. */
const PIECE = 64 * 1024;

/** A local time, as fflate reads local fields: the DOS time is the same in every time zone. */
const DOS_EPOCH = new Date(1980, 0, 1);

const utf8 = new TextEncoder();

export interface ZipInput {
  readonly path: string;
  readonly media_type: string;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;
}

/** A run as a ZIP, in chunks. The bytes depend on the contents alone. Throws as `Packing` and `bundle_too_large`. */
export async function* writeZipBundle(contents: BundleContents): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const packing = new Packing(contents, ZIP_CONTAINER);
  const { run } = contents;
  const facts = { run: run.header.run, created_at: run.header.created_at, environment: run.environment };
  yield* zipBytes(packing.files(), () => packing.manifest(), facts);
}

/**
 * The container alone, also used to compare a container that came back with what we would have written. Without `facts`
 * it is `zip/1`.
 */
export async function* zipBytes(
  files: AsyncIterable<ZipInput>,
  manifest: () => Promise<BundleManifest>,
  facts: CompanionFacts | null,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const ready: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    if (chunk.length > 0) ready.push(new Uint8Array(chunk));
  });
  const drain = function* () {
    for (const chunk of ready.splice(0)) {
      total += chunk.length;
      if (total > LIMITS.zipBytes) throw tooLarge('bytes', LIMITS.zipBytes);
      yield chunk;
    }
  };
  const add = async function* ({ path, media_type, content }: ZipInput) {
    const entry = media_type.startsWith('image/')
      ? new ZipPassThrough(path)
      : new ZipDeflate(path, { level: 6 });
    entry.mtime = DOS_EPOCH;
    zip.add(entry);
    for await (const piece of inPieces(content)) {
      entry.push(piece, false);
      yield* drain();
    }
    entry.push(new Uint8Array(0), true);
    yield* drain();
  };
  for await (const file of files) yield* add(file);
  const about = await manifest();
  yield* add({ path: MANIFEST_PATH, media_type: 'application/json', content: manifestBytes(about) });
  const beside: readonly Companion[] = facts === null ? [] : await companions(about, facts);
  for (const { path, media_type, content } of beside) yield* add({ path, media_type, content: content() });
  zip.end();
  yield* drain();
}

/** The bytes of `pixelproof.json`: RFC 8785 text and a line feed. */
export function* manifestBytes(manifest: BundleManifest): Iterable<Uint8Array<ArrayBuffer>> {
  for (const part of manifestText(manifest)) yield utf8.encode(part);
  yield utf8.encode('\n');
}

/** The same bytes in pieces of one size, whatever the sizes they come in. */
async function* inPieces(content: ZipInput['content']): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(PIECE);
  let filled = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const take = Math.min(PIECE - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled < PIECE) continue;
      yield piece;
      piece = new Uint8Array(PIECE);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
