import type { BundleFile } from '../../evidence/bundle/file';
import { isPyObject, type PyObject } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import type { StoredRun } from '../../runner/experiment';
import { comparisonJson } from './comparison';
import { horizonRule } from './evaluation';
import { outputFiles } from './evidence';
import { jsonDocument } from './json';
import { leftIn } from './left';
import { comparisonOf } from './run-plan';
import { episodeFolder, type RunTree } from './tree';

/**
 * The output tree of a run that has not come to its end: its finished episodes, what a stopped one left, and the
 * comparison as far as it goes.
 */
export async function* unfinishedFiles(source: StoredRun): AsyncGenerator<BundleFile> {
  const left = leftIn(source.header.note);
  for await (const file of outputFiles(source))
    if (file.path !== 'comparison.json' && file.path !== 'api-ledger.json') yield file;
  for (const { path, sha256, media_type } of left?.files ?? []) {
    yield {
      path,
      media_type,
      role: media_type.startsWith('image/') ? 'image' : 'circumstance',
      content: async function* () {
        const bytes = await source.artifact(sha256);
        if (bytes !== null) yield bytes;
      },
    };
  }
  const { comparison, ledger } = await comparisonSoFar(source);
  yield text('comparison.json', comparison);
  yield text('api-ledger.json', ledger);
}

function text(path: string, value: Parameters<typeof jsonDocument>[0]): BundleFile {
  const bytes = new TextEncoder().encode(jsonDocument(value));
  return { path, media_type: 'application/json', role: 'circumstance', content: () => [bytes] };
}

/** The comparison over the episodes that are there, finished or stopped. */
export async function comparisonSoFar(
  source: StoredRun,
): Promise<{ readonly comparison: PyObject; readonly ledger: readonly PyObject[] }> {
  const plan = comparisonOf(source.plan);
  const episodes: PyObject[] = [];
  const ledger: PyObject[] = [];
  for await (const { detail } of source.cases()) {
    episodes.push(parsePythonJson(String(detail.evaluation)) as PyObject);
    const entries = typeof detail.ledger === 'string' ? parsePythonJson(detail.ledger) : null;
    if (Array.isArray(entries)) ledger.push(...(entries as readonly PyObject[]));
  }
  const left = leftIn(source.header.note);
  const at = left === null ? null : { seed: left.seed, arm: left.arm };
  const read = async (name: string) => {
    const path = left === null ? '' : `${episodeFolder(left.arm, left.seed)}/${name}`;
    const file = left?.files.find((one) => one.path === path);
    const bytes = file === undefined ? null : await source.artifact(file.sha256);
    return bytes === null ? null : parsePythonJson(new TextDecoder().decode(bytes));
  };
  const [summary, entries] = [await read('summary.json'), await read('api-ledger.json')];
  if (Array.isArray(entries)) ledger.push(...entries.filter(isPyObject));
  const failure =
    at === null || !isPyObject(summary)
      ? null
      : {
          errorType: String(summary.error_type ?? `incomplete_${String(summary.end_reason)}`),
          interrupted: { ...at, ...summary, ...horizonRule(summary, plan.frames) },
        };
  const status = episodes.length === plan.schedule.length ? 'complete' : 'incomplete';
  return { comparison: comparisonJson(plan, { status, episodes, ledger, active: at, failure }), ledger };
}

/** A stored run as the tree that audit, replay and inspection read. */
export async function treeOfRun(source: StoredRun): Promise<RunTree> {
  const files = new Map<string, BundleFile>();
  const all = source.header.status === 'complete' ? outputFiles(source) : unfinishedFiles(source);
  for await (const file of all) files.set(file.path, file);
  return {
    paths: [...files.keys()],
    read: async (path) => {
      const file = files.get(path);
      if (file === undefined) return null;
      for await (const chunk of file.content()) return chunk;
      return new Uint8Array(0);
    },
  };
}
