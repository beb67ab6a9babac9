import type { Bundle } from '../../../evidence/bundle/reader';
import { isBundleFile } from '../../../evidence/bundle/records';
import { type Finding, failure, pass, unreadable } from '../../../evidence/verify/finding';
import { textOf } from '../../../evidence/verify/tree';
import type { CaseRecord, RunSource } from '../../../runner/experiment';
import { imagePath, outputFiles } from '../files';
import type { PngPlan } from '../plan';
import { firstDifference } from '../text-difference';

/** The whole output tree, written again from the cases and compared. */
export async function* verifyTree(
  bundle: Bundle,
  plan: PngPlan,
  source: RunSource<PngPlan>,
  records: readonly CaseRecord[],
): AsyncIterable<Finding> {
  const again: RunSource<PngPlan> = {
    ...source,
    plan,
    cases: async function* (arm) {
      for (const record of records) if (arm === undefined || record.arm === arm) yield record;
    },
  };
  let checked = 0;
  let faults = 0;
  const expected = new Set<string>();
  try {
    for await (const file of outputFiles(again)) {
      expected.add(file.path);
      if (file.role === 'image') continue;
      if (!bundle.has(file.path)) {
        faults++;
        yield failure('file_missing', file.path, 'The output tree lacks a file.', {
          expected: file.path,
          got: 'none',
        });
        continue;
      }
      const difference = firstDifference(file.path, await textOf(file), await bundle.text(file.path));
      checked++;
      if (difference === null) continue;
      faults++;
      yield difference;
    }
  } catch (error) {
    const { code, message } = unreadable(error);
    yield failure(code, 'output tree', `The output tree cannot be built again: ${message}`, {});
    return;
  }
  faults += yield* verifyImages(bundle, plan, records);
  const listed = new Set(bundle.manifest.files.map((file) => file.path));
  for (const path of bundle.paths()) {
    const top = path.split('/')[0] ?? '';
    // A file that the manifest does not list is the container's to name, unless it stands among the run's own.
    const ours = listed.has(path) || plan.frozen.recipes.some((recipe) => recipe.variant_id === top);
    if (!ours || expected.has(path) || isBundleFile(path)) continue;
    faults++;
    yield failure('file_unexpected', path, 'The output tree has a file that the run does not make.', {
      expected: 'none',
      got: path,
    });
  }
  if (faults === 0) {
    yield pass(
      'tree_recomputed',
      'output tree',
      `${checked} text files of the output tree recomputed byte for byte.`,
    );
  }
}

/** The pictures in the tree are the rendered ones. Files left out of a JSON bundle are named by digest alone. */
async function* verifyImages(
  bundle: Bundle,
  plan: PngPlan,
  records: readonly CaseRecord[],
): AsyncGenerator<Finding, number> {
  let faults = 0;
  const listed = new Map(bundle.manifest.files.map((file) => [file.path, file.sha256]));
  if (plan.circumstances.write_pngs === false) return 0;
  for (const record of records) {
    const { image_sha256, row_id } = record.evidence;
    const path = imagePath(record.arm, record.ordinal, String(row_id));
    const found = listed.get(path);
    if (found === image_sha256) continue;
    faults++;
    yield failure('image_mismatch', path, 'The picture is not the one that its recipe renders.', {
      expected: String(image_sha256),
      got: found ?? 'none',
    });
  }
  return faults;
}
