import type { BundleContents } from './contents';
import { MANIFEST_PATH } from './manifest';
import { Packing } from './packing';
import type { BundleManifest } from './reader';
import { manifestBytes } from './zip-writer';

/** A folder, as the command line gives it. Paths are relative to the bundle's root, with forward slashes. */
export interface BundleDirectory {
  /** Every file below the root. */
  list(): Promise<readonly string[]>;
  /** Throws where there is no such file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Creates folders as needed and replaces the file whole. */
  write(path: string, content: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void>;
}

export const DIRECTORY_CONTAINER = 'directory/1';

/** Writes a run into a folder, manifest last: a folder without one was not finished. Throws as `Packing`. */
export async function writeDirectoryBundle(
  contents: BundleContents,
  directory: BundleDirectory,
): Promise<BundleManifest> {
  const packing = new Packing(contents, DIRECTORY_CONTAINER);
  for await (const file of packing.files()) await directory.write(file.path, file.content);
  const manifest = await packing.manifest();
  await directory.write(
    MANIFEST_PATH,
    (async function* () {
      yield* manifestBytes(manifest);
    })(),
  );
  return manifest;
}
