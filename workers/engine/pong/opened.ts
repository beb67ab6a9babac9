import type { JsonObject } from '../../../src/evidence/identity/json';
import { isPyObject, type PyObject, pyToPlain } from '../../../src/evidence/identity/python-json';
import { parsePythonJson } from '../../../src/evidence/identity/python-json-parse';
import { rooted } from '../../../src/experiments/pong-controls/archive';
import { CARTRIDGES, type CartridgeName } from '../../../src/experiments/pong-controls/paddle';
import { planFromJson } from '../../../src/experiments/pong-controls/plan-read';
import { episodeFolder, type RunTree, subtree } from '../../../src/experiments/pong-controls/tree';
import type { RunHeader } from '../../../src/runner/experiment';
import type { EpisodeRow, PongFile, PongOpened } from '../../pong-api';

/** Files from outside as a tree, wherever in them the run or the episode lies. Throws `pong_record` for neither. */
export function treeOfFiles(files: readonly PongFile[]): RunTree {
  const kept = new Map(files.map(({ path, blob }) => [path, blob]));
  return rooted({
    paths: [...kept.keys()],
    read: async (path) => {
      const blob = kept.get(path);
      return blob === undefined ? null : new Uint8Array(await blob.arrayBuffer());
    },
  }).tree;
}

async function document(tree: RunTree, path: string): Promise<PyObject | null> {
  const bytes = await tree.read(path);
  if (bytes === null) return null;
  const value = parsePythonJson(new TextDecoder().decode(bytes));
  return isPyObject(value) ? value : null;
}

/** What an opened tree is, with the tree of each of its episodes. */
export interface OpenedTree {
  readonly tree: RunTree;
  readonly view: Omit<PongOpened, 'playable'>;
  readonly romSha256: string;
  episode(seed: number, arm: string): RunTree;
}

/** Throws `pong_record` and the codes of `makePlan` for a `plan.json` that is none. */
export async function openTree(tree: RunTree, name: string, header: RunHeader | null): Promise<OpenedTree> {
  const plan = await document(tree, 'plan.json');
  return plan === null ? openEpisode(tree, name) : openRun(tree, name, header, plan);
}

async function openRun(
  tree: RunTree,
  name: string,
  header: RunHeader | null,
  json: PyObject,
): Promise<OpenedTree> {
  const plan = planFromJson(json);
  const episodes: EpisodeRow[] = [];
  for (const { seed, arm } of plan.schedule) {
    const folder = subtree(tree, episodeFolder(arm, seed));
    if (folder.paths.includes('transitions.jsonl')) episodes.push(await rowOf(folder, seed, arm));
  }
  const comparison = await document(tree, 'comparison.json');
  const romSha256 = String(plan.protocol.rom_sha256);
  return {
    tree,
    romSha256,
    view: {
      name,
      stored: header !== null,
      header,
      planHash: plan.hash,
      cartridge: cartridgeOf(romSha256),
      frames: plan.frames,
      seeds: plan.seeds,
      arms: plan.arms.map(({ id, kind }) => ({
        id,
        policy: plan.policies.get(id) ?? id,
        model: kind === 'model',
      })),
      episodes,
      comparison: comparison === null ? null : (pyToPlain(comparison) as JsonObject),
      exchanges: episodes.reduce((sum, { attempts }) => sum + attempts, 0),
    },
    episode: (seed, arm) => subtree(tree, episodeFolder(arm, seed)),
  };
}

async function openEpisode(tree: RunTree, name: string): Promise<OpenedTree> {
  const manifest = await document(tree, 'manifest.json');
  const protocol = manifest?.protocol;
  const seed = Number(manifest?.seed);
  const policy = String(manifest?.policy);
  const row = await rowOf(tree, seed, policy);
  const romSha256 = isPyObject(protocol) ? String(protocol.rom_sha256) : '';
  return {
    tree,
    romSha256,
    view: {
      name,
      stored: false,
      header: null,
      planHash: null,
      cartridge: cartridgeOf(romSha256),
      frames: row.decisions * 4,
      seeds: [seed],
      arms: [{ id: policy, policy, model: manifest?.question_program !== undefined }],
      episodes: [row],
      comparison: null,
      exchanges: row.attempts,
    },
    episode: () => tree,
  };
}

async function rowOf(folder: RunTree, seed: number, arm: string): Promise<EpisodeRow> {
  const found = (await document(folder, 'evaluation.json')) ?? (await document(folder, 'summary.json')) ?? {};
  const plain = pyToPlain(found) as JsonObject;
  const count = (name: string) => (typeof plain[name] === 'number' ? plain[name] : 0);
  const inner = (name: string): JsonObject => {
    const value = plain[name];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  };
  const different = inner('rule_4px_agreement').different_actions;
  return {
    seed,
    arm,
    decisions: count('decisions'),
    scored: count('points_scored'),
    lost: count('points_lost'),
    reward: count('reward'),
    complete:
      plain.evaluation_complete === true ||
      (plain.status === 'complete' && plain.evaluation_complete === undefined),
    endReason: String(plain.end_reason ?? 'unknown'),
    different: typeof different === 'number' ? different : null,
    inputTokens: Number(inner('usage').input_tokens ?? 0),
    outputTokens: Number(inner('usage').output_tokens ?? 0),
    attempts: count('api_attempts'),
    httpSeconds: count('http_wall_seconds'),
  };
}

function cartridgeOf(sha256: string): CartridgeName | null {
  return sha256 === CARTRIDGES.pong ? 'pong' : sha256 === CARTRIDGES.paddle ? 'paddle' : null;
}
