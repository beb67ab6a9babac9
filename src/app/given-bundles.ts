import type { FolderFile } from '../../workers/api';
import { outside } from '../outside-words';
import type { DropFile, DropItem } from './drop-items';
import { count } from './format';

/** What may be a bundle, as a person gave it. */
export interface GivenBundle {
  readonly name: string;
  /** A file, or the files of a folder that is a bundle itself. */
  readonly source: File | readonly FolderFile[];
}

export interface GivenBundles {
  readonly bundles: readonly GivenBundle[];
  /** Files of dropped folders that are none. */
  readonly skipped: readonly string[];
  /** Folders without any bundle. */
  readonly empty: readonly string[];
}

/** Whether a file's name or type is that of a bundle. What is in it decides later. */
export function looksLikeBundle({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return /\.(zip|json)$/i.test(name) || type === 'application/zip' || type === 'application/json';
}

const MANIFEST = 'pixelproof.json';

/**
 * The bundles among what was given. A file that was given by itself is one until it is looked at. In a folder those are
 * that look like bundles, and each folder with a manifest, which is one bundle with all that is in it.
 */
export function bundlesIn(items: readonly DropItem[]): GivenBundles {
  const bundles: GivenBundle[] = [];
  const skipped: string[] = [];
  const empty: string[] = [];
  for (const { folder, files } of items) {
    const before = bundles.length;
    if (folder === null) {
      for (const { name, file } of files) {
        if (file === null) skipped.push(name);
        else bundles.push({ name, source: file });
      }
      continue;
    }
    const left = visible(files);
    const roots = left.filter(({ name }) => name.endsWith(`/${MANIFEST}`)).map(({ name }) => folderOf(name));
    const outermost = roots.filter((root) => !roots.some((other) => root.startsWith(`${other}/`)));
    for (const root of outermost) bundles.push({ name: root, source: filesUnder(root, left) });
    for (const { name, file } of left) {
      if (outermost.some((root) => name.startsWith(`${root}/`))) continue;
      if (file !== null && looksLikeBundle(file)) bundles.push({ name, source: file });
      else skipped.push(name);
    }
    if (bundles.length === before) empty.push(folder);
  }
  return { bundles, skipped, empty };
}

/** Hidden files are nobody's bundle, and nobody misses them. */
function visible(files: readonly DropFile[]): readonly DropFile[] {
  return files
    .filter(({ name }) => !name.split('/').some((part) => part.startsWith('.')))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

function filesUnder(root: string, files: readonly DropFile[]): readonly FolderFile[] {
  return files.flatMap(({ name, file }) =>
    file !== null && name.startsWith(`${root}/`) ? [{ path: name.slice(root.length + 1), blob: file }] : [],
  );
}

const NAMED = 5;

/** What was left out of folders; empty where nothing was. */
export function skippedWords(names: readonly string[]): string {
  if (names.length === 0) return '';
  const others = names.length - NAMED;
  const first = names.slice(0, NAMED).map(outside).join(', ');
  return `Not taken: ${first}${others > 0 ? ` and ${count(others)} more` : ''}. A bundle is a .zip, a .json or a folder with a pixelproof.json.`;
}

/** Why nothing of a folder was taken. */
export const NO_BUNDLE = {
  code: 'drop_no_bundle',
  message: 'There is no bundle in this folder: no .zip, no .json and no pixelproof.json.',
};
