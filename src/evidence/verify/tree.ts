import type { BundleFile } from '../bundle/file';
import type { Bundle } from '../bundle/reader';
import { isBundleFile } from '../bundle/records';
import { brief } from './compared';
import { type Finding, failure } from './finding';

/**
 * Compares a bundle's output tree with the one that `files` writes again: every text byte for byte, and no file beside
 * them. Pictures are the caller's to compare. Gives how many texts were compared and how many findings came.
 */
export async function* verifyOutputTree(
  bundle: Bundle,
  files: AsyncIterable<BundleFile>,
): AsyncGenerator<Finding, { readonly checked: number; readonly faults: number }> {
  let [checked, faults] = [0, 0];
  const expected = new Set<string>();
  for await (const file of files) {
    expected.add(file.path);
    if (file.role === 'image') continue;
    const should = await textOf(file);
    checked += 1;
    const is = bundle.has(file.path) ? await bundle.text(file.path) : null;
    if (is === should) continue;
    faults += 1;
    yield failure('file_mismatch', file.path, 'The file does not follow from the plan and the cases.', {
      expected: brief(should),
      got: is === null ? 'no such file' : brief(is),
    });
  }
  for (const { path } of bundle.manifest.files) {
    if (expected.has(path) || isBundleFile(path)) continue;
    faults += 1;
    yield failure('file_unexpected', path, 'The output tree has a file that the run does not make.', {
      expected: 'none',
      got: path,
    });
  }
  return { checked, faults };
}

/** The whole text of a file, which may arrive in pieces that cut characters. */
export async function textOf(file: BundleFile): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of file.content()) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
