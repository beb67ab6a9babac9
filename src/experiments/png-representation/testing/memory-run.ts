import type { BundleContents } from '../../../evidence/bundle';
import type { JsonObject } from '../../../evidence/identity/json';
import { sha256 } from '../../../evidence/identity/sha256';
import type { JournalledExchange } from '../../../evidence/run';
import { OllamaProvider } from '../../../providers/ollama';
import type { ExchangeRecord, ImageQuestion, RuntimeEvidence } from '../../../providers/provider';
import { SCRIPTED_DESCRIPTION, ScriptedProvider } from '../../../providers/scripted';
import type { Artifact, Ask, CaseRecord } from '../../../runner/experiment';
import { createScriptedReplies, type PngPlan, pngRepresentation, published } from '../index';

type StoredRun = BundleContents['run'];

export const SCRIPTED = SCRIPTED_DESCRIPTION;

const MODEL = 'some-model:latest';
const ollama = () =>
  new OllamaProvider({ baseUrl: 'http://localhost:11434', model: MODEL, seed: 0, timeoutSeconds: 10 });
export const OLLAMA = ollama().description;

/** What a stand-in for the server answers to a chat: the status, and the body without the members that are fixed. */
export interface Served {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly body: Readonly<Record<string, unknown>> | string;
}

/** The real provider before a server that is not there, so that its records are what a run would keep. */
async function beforeServer<T>(served: () => Served, action: () => Promise<T>): Promise<T> {
  const real = globalThis.fetch;
  globalThis.fetch = async (url) => {
    const json = (value: unknown) => new Response(JSON.stringify(value));
    if (String(url).endsWith('/api/tags')) {
      return json({ models: [{ name: MODEL, model: MODEL, digest: 'ab'.repeat(32), size: 1 }] });
    }
    if (String(url).endsWith('/api/version')) return json({ version: '0.0.0' });
    const { status = 200, retryAfter, body } = served();
    const text = typeof body === 'string' ? body : JSON.stringify({ model: MODEL, ...body });
    return new Response(text, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };
  try {
    return await action();
  } finally {
    globalThis.fetch = real;
  }
}

type Asking = (plan: PngPlan, record: (attempt: ExchangeRecord) => void) => Promise<Ask> | Ask;

/** Asks the real Ollama provider; `served` is told how many calls came before. */
export function ollamaAsk(served: (call: number) => Served): Asking {
  let calls = 0;
  return (_plan, record) => async (_index, question) => {
    const provider = ollama();
    return beforeServer(
      () => served(calls++),
      async () => {
        const { signal } = new AbortController();
        await provider.start(signal);
        return provider.readImage(question, { signal, record });
      },
    );
  };
}

/** What `start` of the run's provider says. */
async function runtimeOf(plan: PngPlan): Promise<RuntimeEvidence> {
  const { id } = plan.frozen.provider;
  if (id === 'scripted') {
    const { signal } = new AbortController();
    return new ScriptedProvider(() => createScriptedReplies(plan)).start(signal);
  }
  if (id === 'replay') return (await published()).runtime;
  return beforeServer(
    () => ({ body: '' }),
    () => ollama().start(new AbortController().signal),
  );
}

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
export async function scriptedAsk(
  plan: PngPlan,
  _record?: unknown,
  seen: ImageQuestion[] = [],
): Promise<Ask> {
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
  provider: typeof OLLAMA,
  asking: Asking,
): Promise<MemoryRun> {
  const plan = await pngRepresentation.plan(parameters, provider);
  let recorded: ExchangeRecord[] = [];
  const ask = await asking(plan, (attempt) => void recorded.push(attempt));
  const records: CaseRecord[] = [];
  const artifacts = new Map<string, Artifact>();
  const journalled: JournalledExchange[] = [];
  for (const key of pngRepresentation.cases(plan)) {
    const material = await pngRepresentation.materialise(plan, key);
    const answer = await pngRepresentation.ask(plan, key, material, async (index, question) => {
      const answered = { ...(await ask(index, question)), image_sha256: sha256(question.image) };
      for (const exchange of recorded.length > 0 ? recorded : [answered]) {
        journalled.push({ key, index, exchange });
      }
      recorded = [];
      return answered;
    });
    const judged = await pngRepresentation.judge(plan, key, material, answer);
    records.push(judged.record);
    for (const artifact of judged.artifacts) artifacts.set(artifact.sha256, artifact);
  }
  return storedRun(plan, provider, records, artifacts, journalled, await runtimeOf(plan));
}

export function storedRun(
  plan: PngPlan,
  provider: typeof OLLAMA,
  records: CaseRecord[],
  artifacts: ReadonlyMap<string, Artifact>,
  journalled: readonly JournalledExchange[],
  runtime: RuntimeEvidence | null,
): MemoryRun {
  return {
    plan,
    records,
    pictures: artifacts,
    journalled,
    runtime,
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
