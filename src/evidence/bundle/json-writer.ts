import { canonicalJson } from '../identity/canonical';
import type { BundleContents } from './contents';
import { LIMITS } from './limits';
import { manifestText } from './manifest';
import { Packing, tooLarge } from './packing';
import type { BundleManifest } from './reader';
import { decodeUtf8 } from './safe-json';

/**
 * One JSON document: `{"contents":[…],"manifest":{…}}`, the whole of it in RFC 8785 form, no line feed at its end.
 * Each content is `{"path":…,"text":…}` for UTF-8 text and `{"base64":…,"path":…}` for other bytes, in manifest
 * order. A file whose `inlined` is false has no content here: the manifest names it by digest.
 */
export const JSON_CONTAINER = 'json/1';

export interface JsonBundleOptions {
  /** Carry pictures as base64; else they are named by digest only. */
  readonly inlineImages: boolean;
}

export interface JsonInput {
  readonly path: string;
  readonly media_type: string;
  readonly inlined: boolean;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;
}

const utf8 = new TextEncoder();

/** A run as one JSON document, in chunks. Throws as `Packing`, and `bundle_utf8`, `bundle_too_large`. */
export async function* writeJsonBundle(
  contents: BundleContents,
  { inlineImages }: JsonBundleOptions,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const packing = new Packing(contents, JSON_CONTAINER, (file) => inlineImages || file.role !== 'image');
  let total = 0;
  for await (const chunk of jsonBytes(packing.files(), () => packing.manifest())) {
    total += chunk.length;
    if (total > LIMITS.jsonBytes) throw tooLarge('bytes', LIMITS.jsonBytes);
    yield chunk;
  }
}

/** The container alone, also used to compare a container that came back with what we would have written. */
export async function* jsonBytes(
  files: AsyncIterable<JsonInput>,
  manifest: () => Promise<BundleManifest>,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  yield utf8.encode('{"contents":[');
  let separator = '';
  for await (const file of files) {
    if (!file.inlined) {
      // Its digest is taken as it streams by; its bytes stay where they are.
      for await (const _ of file.content);
      continue;
    }
    const path = canonicalJson(file.path);
    const text = isText(file.media_type);
    yield utf8.encode(text ? `${separator}{"path":${path},"text":"` : `${separator}{"base64":"`);
    for await (const part of text ? escaped(file) : base64(file.content)) yield utf8.encode(part);
    yield utf8.encode(text ? '"}' : `","path":${path}}`);
    separator = ',';
  }
  yield utf8.encode('],"manifest":');
  for (const part of manifestText(await manifest())) yield utf8.encode(part);
  yield utf8.encode('}');
}

function isText(media_type: string): boolean {
  return /^text\/|^application\/(json|jsonl|[a-z0-9.-]+\+json)$|^image\/svg\+xml$/.test(media_type);
}

/** JSON string escapes of UTF-8 bytes, chunk by chunk; a character cut by a chunk's end waits for its rest. */
async function* escaped({ path, content }: JsonInput): AsyncIterable<string> {
  let rest = new Uint8Array(0);
  for await (const chunk of content) {
    const bytes = joined(rest, chunk);
    const whole = bytes.length - unfinished(bytes);
    rest = bytes.slice(whole);
    yield JSON.stringify(decodeUtf8(bytes.subarray(0, whole), path)).slice(1, -1);
  }
  if (rest.length > 0) decodeUtf8(rest, path);
}

/** How many bytes at the end begin a UTF-8 character without ending it: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

async function* base64(content: JsonInput['content']): AsyncIterable<string> {
  let rest = new Uint8Array(0);
  for await (const chunk of content) {
    const bytes = joined(rest, chunk);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.slice(whole);
    // 24 KiB at a time: every byte becomes an argument of one call.
    for (let at = 0; at < whole; at += 24_576) {
      yield btoa(String.fromCharCode(...bytes.subarray(at, Math.min(at + 24_576, whole))));
    }
  }
  if (rest.length > 0) yield btoa(String.fromCharCode(...rest));
}

function joined(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
