import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import { canonicalJson } from '../identity/canonical';
import type { JsonObject } from '../identity/json';
import type { Container } from './container';
import { LIMITS } from './limits';
import { MANIFEST_PATH, requireFormat } from './manifest';
import { PathSet } from './path';
import { decodeUtf8, isObject, parseObject } from './safe-json';

const documentSchema = v.strictObject({
  contents: v.pipe(
    v.array(
      v.union([
        v.strictObject({ path: v.string(), text: v.string() }),
        v.strictObject({ path: v.string(), base64: v.string() }),
      ]),
    ),
    v.maxLength(LIMITS.entries),
  ),
  manifest: v.custom<JsonObject>(isObject, 'not an object'),
});

const utf8 = new TextEncoder();

/** How a bundle begins, whoever wrote it again with other white space. */
const HEAD = 64;
const BEGINNING = /^\{\s*"(contents"\s*:\s*\[\s*[{\]]|manifest"\s*:\s*\{)/;

function foreign(): PixelproofError {
  return new PixelproofError('bundle_foreign', 'This JSON is not a Pixelproof bundle.', {
    expected: '{"contents":[…],"manifest":{…}}',
  });
}

/**
 * Opens a JSON bundle. Throws `bundle_too_large`, `bundle_utf8`, `json_*`, `bundle_foreign`, `bundle_path`,
 * `bundle_duplicate`; reading throws `bundle_base64`.
 */
export function openJson(bytes: Uint8Array<ArrayBuffer>): Container {
  if (bytes.length > LIMITS.jsonBytes) {
    throw new PixelproofError('bundle_too_large', 'The JSON bundle is too large to open; use the ZIP form.', {
      expected: LIMITS.jsonBytes,
      got: bytes.length,
    });
  }
  // Before a text of 256 MiB is walked: JSON that begins otherwise is something else.
  if (bytes.length > HEAD && !BEGINNING.test(String.fromCharCode(...bytes.subarray(0, HEAD))))
    throw foreign();
  const document = parseObject(decodeUtf8(bytes, 'The bundle'), 'The bundle');
  // First of all, so that a newer layout is called newer and not foreign.
  requireFormat(isObject(document.manifest) ? document.manifest.format : undefined);
  const parsed = v.safeParse(documentSchema, document);
  if (!parsed.success) {
    throw foreign();
  }
  const { contents, manifest } = parsed.output;
  const files = new Map<string, { text: string } | { base64: string }>();
  const paths = new PathSet();
  paths.add(MANIFEST_PATH);
  for (const { path, ...content } of contents) {
    paths.add(path);
    files.set(path, content);
  }
  return {
    kind: 'json',
    paths: [...files.keys(), MANIFEST_PATH],
    bytes: async (path) => {
      if (path === MANIFEST_PATH) return utf8.encode(canonicalJson(manifest));
      const content = files.get(path);
      if (content === undefined) return null;
      return 'text' in content ? utf8.encode(content.text) : fromBase64(content.base64, path);
    },
  };
}

function fromBase64(text: string, path: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw new PixelproofError('bundle_base64', `${path} is not valid base64.`, { cause });
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
