import type { BundleContents } from '../../../evidence/bundle';
import type { JsonObject } from '../../../evidence/identity/json';
import { sha256 } from '../../../evidence/identity/sha256';
import type { JournalledExchange } from '../../../evidence/run';
import type { ExchangeRecord, ImageQuestion, ProviderDescription } from '../../../providers/provider';
import type { Artifact, Ask, CaseRecord } from '../../../runner/experiment';
import { createScriptedReplies, type PngPlan, pngRepresentation } from '../index';

type StoredRun = BundleContents['run'];

export const SCRIPTED: ProviderDescription = {
  id: 'scripted',
  kind: 'wiring',
  label: 'Scripted',
  model: 'fake',
  seed: 0,
  base_url: null,
};
export const OLLAMA: ProviderDescription = {
  id: 'ollama',
  kind: 'measured',
  label: 'Ollama',
  model: 'some-model:latest',
  seed: 0,
  base_url: 'http://localhost:11434',
};

/** A reply as a provider's last attempt. */
export function exchange(reply_text: string | null, more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    request_sha256: null,
    image_sha256: null,
    attempt: 1,
    status: null,
    cause: null,
    reply_text,
    model_in_reply: null,
    latency_us: 0,
    tokens: null,
    response_metadata_text: '{"backend":"fake"}',
    reply_error: null,
    ...more,
  };
}

/** Answers from the scripted replies, by the digest of the picture alone. */
export async function scriptedAsk(plan: PngPlan, seen: ImageQuestion[] = []): Promise<Ask> {
  const replies = await createScriptedReplies(plan);
  return async (_index, question) => {
    seen.push(question);
    return exchange(replies.get(sha256(question.image)) ?? null);
  };
}

/** A finished or unfinished run, all of it in memory. */
export type MemoryRun = StoredRun & {
  readonly plan: PngPlan;
  readonly records: CaseRecord[];
  readonly pictures: ReadonlyMap<string, Artifact>;
  readonly journalled: readonly JournalledExchange[];
};

/** Runs a whole plan without a runner or a store. */
export async function runInMemory(
  parameters: JsonObject,
  provider: ProviderDescription,
  asking: (plan: PngPlan) => Promise<Ask> | Ask,
): Promise<MemoryRun> {
  const plan = await pngRepresentation.plan(parameters, provider);
  const ask = await asking(plan);
  const records: CaseRecord[] = [];
  const artifacts = new Map<string, Artifact>();
  const journalled: JournalledExchange[] = [];
  for (const key of pngRepresentation.cases(plan)) {
    const material = await pngRepresentation.materialise(plan, key);
    const answer = await pngRepresentation.ask(plan, key, material, async (index, question) => {
      const answered = { ...(await ask(index, question)), image_sha256: sha256(question.image) };
      journalled.push({ key, index, exchange: answered });
      return answered;
    });
    const judged = await pngRepresentation.judge(plan, key, material, answer);
    records.push(judged.record);
    for (const artifact of judged.artifacts) artifacts.set(artifact.sha256, artifact);
  }
  return storedRun(plan, provider, records, artifacts, journalled);
}

export function storedRun(
  plan: PngPlan,
  provider: ProviderDescription,
  records: CaseRecord[],
  artifacts: ReadonlyMap<string, Artifact>,
  journalled: readonly JournalledExchange[],
): MemoryRun {
  return {
    plan,
    records,
    pictures: artifacts,
    journalled,
    runtime: null,
    environment: {},
    header: {
      run: 'test',
      experiment: plan.experiment,
      plan_id: plan.plan_id,
      kind: plan.kind,
      status: records.length === plan.case_count ? 'complete' : 'incomplete',
      done: records.length,
      total: plan.case_count,
      provider,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      root_digest: null,
      stopped: null,
      origin: 'here',
      note: null,
    },
    cases: async function* (arm) {
      for (const record of records) if (arm === undefined || record.arm === arm) yield record;
    },
    exchanges: async function* () {
      yield* journalled;
    },
    artifact: async (digest) => artifacts.get(digest)?.bytes ?? null,
    artifacts: async function* () {
      for (const digest of [...artifacts.keys()].sort()) {
        const artifact = artifacts.get(digest);
        if (artifact !== undefined)
          yield { sha256: artifact.sha256, media_type: artifact.media_type, size: artifact.bytes.length };
      }
    },
  };
}

/** The output tree as text by path; pictures as their digest. */
export async function treeOf(run: MemoryRun): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for await (const file of pngRepresentation.files(run)) {
    const parts: Uint8Array[] = [];
    for await (const part of file.content()) parts.push(part);
    const bytes = Buffer.concat(parts);
    tree.set(file.path, file.role === 'image' ? sha256(bytes) : bytes.toString('utf8'));
  }
  return tree;
}
