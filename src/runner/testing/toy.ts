import type { BundleFile } from '../../evidence/bundle/file';
import type { Bundle } from '../../evidence/bundle/reader';
import { canonicalId, canonicalJson } from '../../evidence/identity/canonical';
import { sha256 } from '../../evidence/identity/sha256';
import type { Finding } from '../../evidence/verify/finding';
import type { ExchangeRecord, Provider, ProviderDescription } from '../../providers/provider';
import type { Experiment, Plan, RunSource } from '../experiment';

// The smallest experiment that uses every step: one grey level a case, asked once in the arm `once` and twice in
// the arm `twice`. For tests only.

const utf8 = new TextEncoder();

interface ToyFrozen {
  readonly [key: string]: string | number | readonly string[];
  readonly arms: readonly string[];
  readonly cases: number;
  readonly prompt: string;
}

export type ToyPlan = Plan<ToyFrozen>;

interface ToyMaterial {
  readonly image: Uint8Array<ArrayBuffer>;
  readonly truth: string;
}

export const toyProvider: ProviderDescription = {
  id: 'toy',
  kind: 'wiring',
  label: 'Toy',
  model: 'toy-1',
  seed: 7,
  base_url: null,
};

export async function toyPlan(cases: number, arms: readonly string[] = ['once', 'twice']): Promise<ToyPlan> {
  const frozen: ToyFrozen = { arms, cases, prompt: 'How grey?' };
  return {
    experiment: 'toy',
    plan_id: canonicalId(frozen),
    frozen,
    circumstances: { folder: 'out' },
    kind: 'wiring',
    case_count: arms.length * cases,
  };
}

export const toyExperiment: Experiment<ToyPlan, ToyMaterial, readonly string[], string> = {
  id: 'toy',
  title: 'Toy',
  plan: (parameters) => toyPlan(typeof parameters.cases === 'number' ? parameters.cases : 1),
  *cases(plan) {
    for (const arm of plan.frozen.arms) {
      for (let ordinal = 0; ordinal < plan.frozen.cases; ordinal += 1) yield { arm, ordinal };
    }
  },
  materialise: async (_plan, { ordinal }) => ({
    image: utf8.encode(`picture of grey ${ordinal % 5}`),
    truth: String(ordinal % 5),
  }),
  ask: async (plan, { arm }, { image }, ask) => {
    const question = {
      image,
      mediaType: 'image/png',
      prompt: plan.frozen.prompt,
      promptMode: 'plain',
    } as const;
    const replies: string[] = [];
    for (let index = 0; index < (arm === 'twice' ? 2 : 1); index += 1) {
      replies.push((await ask(index, question)).reply_text ?? '');
    }
    return replies;
  },
  judge: async (_plan, { arm, ordinal }, { image, truth }, replies) => ({
    record: {
      arm,
      ordinal,
      outcome: replies.every((reply) => reply === truth) ? 'correct' : 'wrong',
      evidence: { replies, truth, image: sha256(image) },
      detail: { note: `case ${ordinal}` },
    },
    artifacts: [{ sha256: sha256(image), media_type: 'image/png', bytes: image }],
  }),
  report: async (source) => summaryOf(source),
  async *files(source): AsyncIterable<BundleFile> {
    const text = await summaryOf(source);
    yield {
      path: 'toy/summary.json',
      media_type: 'application/json',
      role: 'evidence',
      content: () => [utf8.encode(text)],
    };
    const image = await toyExperiment.materialise(source.plan, { arm: 'once', ordinal: 0 });
    yield {
      path: 'toy/images/grey-0.png',
      media_type: 'image/png',
      role: 'image',
      content: () => [image.image],
    };
  },
  async *verify(bundle: Bundle): AsyncIterable<Finding> {
    const tally: Record<string, number> = {};
    for await (const line of bundle.lines('cases.jsonl')) {
      const outcome = String(line.outcome);
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }
    if (!bundle.manifest.complete) return;
    const same = (await bundle.text('toy/summary.json')) === `${canonicalJson(tally)}\n`;
    yield {
      level: same ? 'pass' : 'failure',
      code: 'toy_summary',
      where: 'toy/summary.json',
      message: same ? 'The summary is as recomputed.' : 'The summary is not as recomputed.',
    };
  },
};

async function summaryOf(source: RunSource): Promise<string> {
  const tally: Record<string, number> = {};
  for await (const { outcome } of source.cases()) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return `${canonicalJson(tally)}\n`;
}

export function toyExchange(reply: string | null, more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    request_sha256: sha256(`request ${reply}`),
    image_sha256: null,
    attempt: 1,
    status: 200,
    cause: null,
    reply_text: reply,
    model_in_reply: 'toy-1',
    latency_us: 1000,
    tokens: null,
    response_metadata_text: '{}',
    reply_error: null,
    ...more,
  };
}

/** Reads the grey from the picture, so it is right; `calls` counts every call. `before` can fail or hang a call. */
export function toyLive(before: (call: number) => Promise<void> | void = () => {}): Provider & {
  calls: number;
} {
  const provider = {
    calls: 0,
    description: toyProvider,
    capabilities: ['image-text-to-text'] as const,
    start: async () => ({
      runtime_name: 'toy',
      runtime_version: '1',
      model_digest: 'd1',
      details: null,
    }),
    readImage: async (
      { image }: Parameters<NonNullable<Provider['readImage']>>[0],
      call: Parameters<NonNullable<Provider['readImage']>>[1],
    ) => {
      await before(provider.calls + 1);
      call.signal.throwIfAborted();
      provider.calls += 1;
      const exchange = toyExchange(new TextDecoder().decode(image).slice(-1), {
        image_sha256: sha256(image),
      });
      await call.record(exchange);
      return exchange;
    },
  };
  return provider;
}
