import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../identity/json';
import { createSha256Stream } from '../identity/sha256';
import { rootOf } from '../root';
import { COMPANION_PATHS } from './companions';
import { artifactFile, type BundleContents, isWhole, OURS } from './contents';
import type { BundleFile } from './file';
import { LIMITS } from './limits';
import { FORMAT, MANIFEST_PATH, manifestId, recordDigest } from './manifest';
import { PathSet } from './path';
import type { BundleManifest, ManifestFile } from './reader';

const RESERVED: readonly string[] = Object.values(OURS);

/** One file on its way into a container. `content` must be read to its end before the next file is taken. */
export interface PackedFile {
  readonly path: string;
  readonly media_type: string;
  /** False: the container only names the file by digest; the content is read for the digest all the same. */
  readonly inlined: boolean;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/**
 * Streams the files of a bundle past a container writer and learns their digests on the way, so the manifest comes
 * last and nothing is read twice or held. Throws `bundle_path`, `bundle_duplicate`, `bundle_path_reserved`,
 * `bundle_too_large`.
 */
export class Packing {
  readonly #contents: BundleContents;
  readonly #container: string;
  readonly #inlines: (file: BundleFile) => boolean;
  readonly #files: ManifestFile[] = [];
  #cases = 0;
  #total = 0;

  constructor(
    contents: BundleContents,
    container: string,
    inlines: (file: BundleFile) => boolean = () => true,
  ) {
    this.#contents = contents;
    this.#container = container;
    this.#inlines = inlines;
  }

  async *files(): AsyncIterable<PackedFile> {
    const paths = new PathSet();
    for (const path of [MANIFEST_PATH, ...COMPANION_PATHS]) paths.add(path);
    const held = new Set<string>();
    let ours = 0;
    for await (const file of this.#contents.files()) {
      paths.add(file.path);
      ours += 1;
      if (ours > RESERVED.length && (RESERVED.includes(file.path) || file.path.startsWith('artifacts/'))) {
        throw new PixelproofError(
          'bundle_path_reserved',
          'An experiment may not write this file of a bundle.',
          {
            got: file.path,
          },
        );
      }
      yield this.#pack(file);
      const packed = this.#files.at(-1);
      if (packed !== undefined) held.add(packed.sha256);
    }
    for await (const { sha256, media_type } of this.#contents.run.artifacts()) {
      if (held.has(sha256)) continue;
      const file = artifactFile(this.#contents.run, sha256, media_type);
      paths.add(file.path);
      yield this.#pack(file);
    }
  }

  #pack(file: BundleFile): PackedFile {
    const inlined = this.#inlines(file);
    const done = (sha256: Sha256Id, bytes: number) => {
      const { path, media_type, role } = file;
      this.#files.push({ path, sha256, bytes, media_type, role, inlined });
      this.#total += bytes;
      if (this.#files.length >= LIMITS.entries) throw tooLarge('files', LIMITS.entries);
      if (this.#total > LIMITS.totalBytes) throw tooLarge('bytes', LIMITS.totalBytes);
    };
    const counting = file.path === OURS.cases ? (lines: number) => (this.#cases += lines) : null;
    return { path: file.path, media_type: file.media_type, inlined, content: measured(file, done, counting) };
  }

  /** Once every file was written. */
  async manifest(): Promise<BundleManifest> {
    const { run } = this.#contents;
    const cases = this.#files.find((file) => file.path === OURS.cases);
    if (cases === undefined)
      throw new PixelproofError('bundle_file_missing', 'The bundle has no cases.jsonl.');
    const { experiment, plan_id, frozen, case_count, kind } = run.plan;
    const named = {
      format: FORMAT,
      experiment,
      plan_id,
      root_digest: rootOf({ experiment, plan_id, case_count: this.#cases, cases_sha256: cases.sha256 }),
      plan: frozen,
      case_count,
      complete: isWhole(run.header),
      kind,
      provider: providerOf(run.header.provider),
      container: this.#container,
      files: this.#files,
    };
    const recorded = { ...named, record_digest: await recordDigest(named) };
    return { ...recorded, manifest_id: await manifestId(recorded) };
  }
}

/** The record digest that every export of the run has, learned without building one. Throws as `Packing`. */
export async function recordDigestOf(contents: BundleContents): Promise<Sha256Id> {
  // The container is no part of what the digest covers.
  const packing = new Packing(contents, 'directory/1');
  for await (const { content } of packing.files()) for await (const _ of content);
  return (await packing.manifest()).record_digest;
}

/** Field by field, so that a key that somebody hangs on a description is never exported. */
function providerOf({ id, kind, label, model, seed, base_url }: BundleManifest['provider']) {
  return { id, kind, label, model, seed, base_url };
}

async function* measured(
  file: BundleFile,
  done: (sha256: Sha256Id, bytes: number) => void,
  counting: ((lines: number) => void) | null,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const hash = await createSha256Stream();
  let bytes = 0;
  for await (const chunk of file.content()) {
    bytes += chunk.length;
    if (bytes > LIMITS.fileBytes) throw tooLarge('bytes in one file', LIMITS.fileBytes);
    hash.update(chunk);
    if (counting !== null) counting(lineFeeds(chunk));
    yield chunk;
  }
  done(hash.digest(), bytes);
}

function lineFeeds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

export function tooLarge(what: string, expected: number): PixelproofError {
  return new PixelproofError('bundle_too_large', `The bundle has too many ${what} for this form.`, {
    expected,
  });
}
