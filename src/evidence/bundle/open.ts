import { PixelproofError } from '../../errors';
import type { JsonObject } from '../identity/json';
import { sha256Large } from '../identity/sha256';
import { COMPANION_PATHS, companions } from './companions';
import { type Container, firstDifference } from './container';
import { type BundleDirectory, DIRECTORY_CONTAINER } from './directory';
import { openJson } from './json-reader';
import { JSON_CONTAINER, jsonBytes } from './json-writer';
import { LIMITS } from './limits';
import { MANIFEST_PATH, requireManifest } from './manifest';
import type { Bundle, BundleManifest, ManifestFile } from './reader';
import { bundleEnvironment } from './records';
import { decodeUtf8, parseObject } from './safe-json';
import { openZip } from './zip-reader';
import { manifestBytes, ZIP_CONTAINER, ZIP_CONTAINER_1, zipBytes } from './zip-writer';

/** Bytes of a ZIP or of a JSON bundle, or a folder. */
export type BundleInput = Uint8Array<ArrayBuffer> | Pick<BundleDirectory, 'list' | 'read'>;

/** An opened bundle with what the verifier asks of its container. */
export interface OpenedBundle extends Bundle {
  /** Files that are there, that the manifest does not list and that do not follow from it. */
  readonly unlisted: readonly string[];
  /** Each companion that is there, and where it parts from what follows from the manifest: an offset, or null. */
  companionDifferences(): Promise<readonly { readonly path: string; readonly offset: number | null }[]>;
  /** Where `pixelproof.json` is not the canonical form of the manifest: an offset, or null. A JSON bundle has no such file. */
  readonly manifestForm: number | null;
  /**
   * Offset of the first byte that differs from what we would have written for the same contents; null where none
   * does, `unknown` where the container was laid out by rules that this build does not have.
   */
  containerDifference(): Promise<{ readonly path: string; readonly offset: number } | 'unknown' | null>;
}

/**
 * Opens a bundle and checks its manifest; files are checked as they are read. Throws `bundle_foreign` for what is
 * no bundle, `bundle_newer`, and the codes of the container's reader and of the manifest.
 */
export async function openBundle(input: BundleInput): Promise<OpenedBundle> {
  const bytes = input instanceof Uint8Array ? input : null;
  const container = await containerOf(input);
  const raw = await container.bytes(MANIFEST_PATH);
  if (raw === null) {
    const deeper = container.paths.find((path) => path.endsWith(`/${MANIFEST_PATH}`));
    throw new PixelproofError(
      'bundle_foreign',
      'There is no pixelproof.json, so this is not a Pixelproof bundle.',
      // What comes of packing a folder instead of its contents.
      deeper === undefined ? {} : { expected: `${MANIFEST_PATH} at the top`, got: deeper },
    );
  }
  const manifest = await requireManifest(parseObject(decodeUtf8(raw, MANIFEST_PATH), MANIFEST_PATH));
  const files = new Map(manifest.files.map((file) => [file.path, file]));

  const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const file = files.get(path);
    const content = file === undefined ? null : await container.bytes(path);
    if (file === undefined || content === null) throw absent(path, file, container.kind);
    return requireContent(file, content);
  };
  const stored = (path: string) => container.bytes(path);
  const manifestForm =
    container.kind === 'json' ? null : await firstDifference(raw, asyncOf(manifestBytes(manifest)));
  const bundle: OpenedBundle = {
    manifest,
    container: container.kind,
    manifestForm,
    unlisted: container.paths.filter(
      (path) => path !== MANIFEST_PATH && !files.has(path) && !COMPANION_PATHS.includes(path),
    ),
    companionDifferences: async () => {
      const found: { path: string; offset: number | null }[] = [];
      if (!COMPANION_PATHS.some((path) => container.paths.includes(path))) return found;
      for (const { path, content } of await companions(manifest, await bundleEnvironment(bundle))) {
        const stored = files.has(path) ? null : await container.bytes(path);
        if (stored !== null) found.push({ path, offset: await firstDifference(stored, asyncOf(content())) });
      }
      return found;
    },
    paths: () => manifest.files.map((file) => file.path),
    has: (path) => files.has(path),
    read,
    text: async (path) => decodeUtf8(await read(path), path),
    lines: (path) => linesOf(read, path),
    containerDifference: async () => {
      const first = container.kind === 'zip' && manifest.container === ZIP_CONTAINER_1;
      if (!first && manifest.container !== CONTAINERS[container.kind]) return 'unknown';
      if (bytes === null) {
        return manifestForm === null ? null : { path: MANIFEST_PATH, offset: manifestForm };
      }
      const files = inputs(manifest, stored);
      const again =
        container.kind === 'json'
          ? jsonBytes(files, async () => manifest)
          : zipBytes(files, async () => manifest, first ? null : await bundleEnvironment(bundle));
      const offset = await firstDifference(bytes, again);
      return offset === null ? null : { path: '', offset };
    },
  };
  return bundle;
}

const CONTAINERS: Readonly<Record<Container['kind'], string>> = {
  zip: ZIP_CONTAINER,
  json: JSON_CONTAINER,
  directory: DIRECTORY_CONTAINER,
};

async function* asyncOf<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}

async function* inputs(
  manifest: BundleManifest,
  stored: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>,
) {
  for (const { path, media_type, inlined } of manifest.files) {
    const content = inlined ? await stored(path) : null;
    yield { path, media_type, inlined, content: content === null ? [] : [content] };
  }
}

/** As many bytes as tell what a file is. */
export const HEAD_BYTES = 4;

/** What a file that begins with these bytes may be; null for one that need not be read any further. */
export function containerBegun(head: Uint8Array): 'zip' | 'json' | null {
  if (head[0] === 0x50 && head[1] === 0x4b) return 'zip';
  return head[0] === 0x7b ? 'json' : null;
}

async function containerOf(input: BundleInput): Promise<Container> {
  if (!(input instanceof Uint8Array)) return openDirectory(input);
  const begun = containerBegun(input);
  if (begun === 'zip') return openZip(input);
  if (begun === 'json') return openJson(input);
  throw new PixelproofError('bundle_foreign', 'This file is neither a ZIP nor JSON, so it is not a bundle.', {
    got: `first bytes ${[...input.subarray(0, 4)].join(' ') || 'none'}`,
  });
}

async function openDirectory(directory: Pick<BundleDirectory, 'list' | 'read'>): Promise<Container> {
  const paths = await directory.list();
  const there = new Set(paths);
  return {
    kind: 'directory',
    paths,
    bytes: async (path) => (there.has(path) ? directory.read(path) : null),
  };
}

function absent(path: string, file: ManifestFile | undefined, container: Container['kind']): PixelproofError {
  if (file !== undefined && !file.inlined && container === 'json') {
    return new PixelproofError('bundle_not_inlined', `${path} is named by its digest only in this bundle.`);
  }
  return new PixelproofError('bundle_file_missing', `The bundle does not hold ${path}.`);
}

async function requireContent(
  file: ManifestFile,
  content: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (content.length !== file.bytes) {
    throw new PixelproofError('bundle_length', `${file.path} has not the length that the manifest lists.`, {
      expected: file.bytes,
      got: content.length,
    });
  }
  if (content.length > LIMITS.fileBytes) {
    throw new PixelproofError('bundle_too_large', `${file.path} is too large to open.`, {
      expected: LIMITS.fileBytes,
    });
  }
  const got = await sha256Large(content);
  if (got !== file.sha256) {
    throw new PixelproofError('bundle_digest', `${file.path} is not the file that the manifest lists.`, {
      expected: file.sha256,
      got,
    });
  }
  return content;
}

/** One parsed line at a time: the text of a large file is never one string. */
async function* linesOf(read: Bundle['read'], path: string): AsyncIterable<JsonObject> {
  for await (const { text, where } of textLines(read, path)) yield parseObject(text, where);
}

/** The lines of a file with their places, without their line feeds. Throws as `Bundle.lines`, but for what JSON says. */
export async function* textLines(
  read: Bundle['read'],
  path: string,
): AsyncIterable<{ readonly text: string; readonly where: string }> {
  const bytes = await read(path);
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(10, start);
    if (end === -1) {
      throw new PixelproofError('bundle_lines', `${path} ends without a line feed; it may be cut off.`);
    }
    const where = `${path} line ${number}`;
    yield { text: decodeUtf8(bytes.subarray(start, end), where), where };
    start = end + 1;
  }
}
