import type { Bundle } from '../../evidence/bundle/reader';
import type { LeftBehind } from '../../evidence/verify/verifier';
import { planFromJson } from './plan-read';
import { Recorded } from './recorded';
import { episodeFolder, type RunTree } from './tree';

/**
 * What a run that the protocol ended has beside its finished episodes: the files of the one at which it stopped, and the
 * note by which they are found. Null for a run that may go on: nothing of its next episode is there, or a person
 * cancelled it. Throws `pong_record`.
 */
export async function leftInBundle(bundle: Bundle): Promise<LeftBehind | null> {
  const tree: RunTree = { paths: bundle.paths(), read: (path) => bundle.read(path) };
  const recorded = new Recorded(tree);
  const { schedule } = planFromJson(await recorded.document('plan.json'));
  const at = schedule.find(({ arm, seed }) => !bundle.has(`${episodeFolder(arm, seed)}/evaluation.json`));
  if (at === undefined) return null;
  const folder = `${episodeFolder(at.arm, at.seed)}/`;
  if (!bundle.has(`${folder}summary.json`)) return null;
  const { error_type } = await recorded.document(`${folder}summary.json`);
  if (error_type === 'cancelled') return null;
  const files = bundle.manifest.files.filter(({ path }) => path.startsWith(folder));
  const named = files.map(({ path, sha256, media_type }) => ({ path, sha256, media_type }));
  return { note: { left: { seed: at.seed, arm: at.arm, files: named } }, files };
}
