import type { BundleFile } from '../../evidence/bundle/file';
import type { Json, JsonObject, Sha256Id } from '../../evidence/identity/json';
import type { ProviderDescription, ResultKind, RuntimeEvidence } from '../../providers/provider';
import type { CaseRecord, JournalledExchange, Plan, RunHeader, RunSource } from '../../runner/experiment';
import { caseOf, evidencePlan, exchangesOf } from './evidence';
import type { ComparisonPlan } from './plan';
import { episodeFolder, type RunTree } from './tree';

/** A run that lies in files, as the evidence sees it: its header, cases, exchanges and kept files. */
export interface TreeRun extends RunSource {
  readonly header: RunHeader;
  readonly plan: Plan;
  artifacts(): AsyncIterable<{
    readonly sha256: Sha256Id;
    readonly media_type: string;
    readonly size: number;
  }>;
}

export interface TreeRunFacts {
  /** A name of letters, digits and hyphens. */
  readonly run: string;
  readonly kind: ResultKind;
  readonly provider: ProviderDescription;
  readonly environment: JsonObject;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly complete: boolean;
  readonly stopped: RunHeader['stopped'];
}

/** Who plays where every arm is a coded rule. */
export const LOCAL_PLAYERS: ProviderDescription = {
  id: 'local',
  kind: 'measured',
  label: 'Coded rules, played here',
  model: 'none',
  seed: 0,
  base_url: null,
};

/** What ran the episodes: who answered and which cartridge; the versions are in the plan. */
export function runtimeOf(provider: ProviderDescription, plan: ComparisonPlan): RuntimeEvidence {
  return {
    runtime_name: provider.label,
    runtime_version: null,
    model_digest: null,
    details: { rom_sha256: String(plan.protocol.rom_sha256) },
  };
}

interface Kept {
  readonly sha256: Sha256Id;
  readonly media_type: string;
  readonly bytes: number;
}

/** Takes up a run's files. Only finished episodes are cases; a stopped one is in the files and nowhere else. */
export async function treeRun(tree: RunTree, plan: ComparisonPlan, facts: TreeRunFacts): Promise<TreeRun> {
  const records: CaseRecord[] = [];
  const paths = new Map<string, Kept & { readonly path: string }>();
  for (const at of plan.schedule) {
    const folder = episodeFolder(at.arm, at.seed);
    if (!tree.paths.includes(`${folder}/evaluation.json`)) break;
    const record = await caseOf(tree, plan, at);
    records.push(record);
    for (const [name, file] of Object.entries(record.detail.files as Readonly<Record<string, Json>>)) {
      const kept = file as unknown as Kept;
      paths.set(kept.sha256, { ...kept, path: `${folder}/${name}` });
    }
  }
  const evidence = evidencePlan(plan, facts.kind);
  const header: RunHeader = {
    run: facts.run,
    experiment: evidence.experiment,
    plan_id: evidence.plan_id,
    kind: facts.kind,
    status: facts.complete ? 'complete' : 'incomplete',
    done: records.length,
    total: plan.schedule.length,
    provider: facts.provider,
    created_at: facts.created_at,
    updated_at: facts.created_at,
    root_digest: null,
    stopped: facts.stopped,
    origin: 'here',
    note: null,
  };
  return {
    header,
    plan: evidence,
    runtime: runtimeOf(facts.provider, plan),
    environment: facts.environment,
    cases: async function* (arm) {
      yield* records.filter((record) => arm === undefined || record.arm === arm);
    },
    exchanges: async function* (): AsyncGenerator<JournalledExchange> {
      for (const at of plan.schedule) yield* exchangesOf(tree, plan, at);
    },
    artifacts: async function* () {
      for (const [digest, { media_type, bytes }] of [...paths].sort(([a], [b]) => (a < b ? -1 : 1)))
        yield { sha256: digest as Sha256Id, media_type, size: bytes };
    },
    artifact: async (digest) => {
      const kept = paths.get(digest);
      return kept === undefined ? null : tree.read(kept.path);
    },
  };
}

/** Every file of a stopped run, as it was left. */
export async function* leftFiles(tree: RunTree): AsyncGenerator<BundleFile> {
  for (const path of [...tree.paths].sort()) {
    const bytes = await tree.read(path);
    if (bytes === null) continue;
    const media_type = path.endsWith('.jsonl')
      ? 'application/jsonl'
      : path.endsWith('png')
        ? 'image/png'
        : 'application/json';
    yield { path, media_type, role: 'circumstance', content: () => [bytes] };
  }
}
