import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ScoredReply } from '../../providers/provider';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { isHit, polarityOf } from './gate';
import { controlOfCase } from './judge';
import { contentsOf, EXACT_PROVIDERS, type VisionPlan } from './plan';
import { CONDITIONS, ISSUE, MEDIA_MARKER, NOUL_THRESHOLD } from './protocol';
import { reportFromCases, sizeOf, type VisionReport, visionReport } from './report';

const NOTE = 'Recorded, not gated: the gate is the paired margin, not this threshold.';

const LIMITS: readonly string[] = [
  'Structure and controls only: no statement about a model’s quality.',
  'One model, one build, and the pictures listed here.',
  'An omitted control is never credited, whatever it answered.',
  'The gate is the margin between the two pictures of a row.',
];

/**
 * The receipt of a run in the source's form, with our additions under the one key `web`. Only whole rows are in it, so
 * that an unfinished run reads as incomplete; `attempt` then says what it came to. No key of a server, and no address: only
 * what kind of host it was.
 */
export async function receiptOf(
  source: RunSource<VisionPlan>,
  attempt: JsonObject | null = null,
): Promise<JsonObject> {
  const report = await visionReport(source);
  const whole = wholeRows(source.plan, report.cases);
  return plain(receipt(source, reportFromCases(source.plan, whole), attempt)) as JsonObject;
}

/**
 * What an attempt that stopped came to, for its receipt: the result, the code that ended it, and every call that failed.
 * Codes and statuses only: a message may quote an address.
 */
export async function attemptOf(
  source: RunSource<VisionPlan>,
  result: string,
  code: string | null,
): Promise<JsonObject> {
  let [calls, answered] = [0, 0];
  const failed: JsonObject[] = [];
  for await (const { key, index, exchange } of source.exchanges()) {
    calls += 1;
    if (exchange.cause === null) answered += 1;
    else
      failed.push({
        unique_data_id: key.arm,
        condition: CONDITIONS[key.ordinal] ?? null,
        question: index,
        attempt: exchange.attempt,
        status: exchange.status,
        code: exchange.cause.code,
      });
  }
  return { result, code, calls, answered, failed };
}

/** Two spaces, one line feed at the end. */
export function receiptText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function wholeRows(plan: VisionPlan, cases: readonly CaseRecord[]): CaseRecord[] {
  const { rows } = contentsOf(plan);
  return rows.flatMap(({ unique_data_id }) => {
    const controls = cases.filter(({ arm }) => arm === unique_data_id);
    return controls.length === CONDITIONS.length ? controls : [];
  });
}

function receipt(
  { plan, runtime, environment }: RunSource<VisionPlan>,
  report: VisionReport,
  attempt: JsonObject | null,
) {
  const { manifest, rows, profile } = contentsOf(plan);
  const { judgement, cases } = report;
  const provider = plan.frozen.provider as unknown as { id: string; model: string; base_url: string | null };
  const details = runtime?.details as JsonObject | null | undefined;
  return {
    issue: ISSUE,
    model: provider.model,
    media_marker: textOr(details?.media_marker, MEDIA_MARKER),
    vision: details?.vision === undefined ? null : details.vision === true,
    dataset_id: manifest.dataset_id,
    license: manifest.license,
    split: manifest.split,
    question_provenance: manifest.gold_provenance,
    gold_provenance: manifest.gold_provenance,
    rows: rows.map(({ unique_data_id, stream_order, screenshot }) => ({
      dataset_id: manifest.dataset_id,
      license: manifest.license,
      split: manifest.split,
      source: manifest.source,
      unique_data_id,
      stream_order,
      screenshot_index: screenshot.index,
      screenshot_sha256: screenshot.sha256,
    })),
    visual_controls: cases.map((record) => {
      const control = controlOfCase(record);
      return {
        unique_data_id: control.unique_data_id,
        visual_family: control.visual_family,
        condition: control.condition,
        image_unique_data_id: control.image_unique_data_id,
        expected: control.expected,
        probability: control.probability,
        polarity: polarityOf(control.probability),
        counts_as_semantic_hit: control.counts_as_semantic_hit,
        semantic_hit: isHit(control),
        tokens_evaluated: control.tokens_evaluated,
        seconds: first(record.detail.seconds),
      };
    }),
    annotation_present_only: cases.flatMap(({ arm, evidence }) => {
      const annotation = evidence.annotation as JsonObject;
      if (Object.keys(annotation).length === 0) return [];
      const { category, requires_login } = annotation as Record<string, JsonObject>;
      return [
        {
          unique_data_id: arm,
          category: pick(category, ['predicted', 'expected', 'confidence', 'gold_match']),
          requires_login: pick(requires_login, ['probability', 'polarity', 'expected', 'gold_match']),
        },
      ];
    }),
    paired_ordering: judgement.paired_ordering.map((pair) => ({
      unique_data_id: pair.row_id,
      fox_image_id: pair.first_image_id,
      fox_probability: pair.first_probability,
      non_fox_image_id: pair.second_image_id,
      non_fox_probability: pair.second_probability,
      margin: pair.margin,
      ordered: pair.ordered,
    })),
    threshold_diagnostic: { threshold: NOUL_THRESHOLD, note: NOTE, summary: judgement.hits },
    limits: LIMITS,
    web: {
      app: textOr(environment.program, 'pixelproof'),
      user_agent: textOr(environment.user_agent, null),
      kind: plan.kind,
      provider: provider.id,
      credit_level: report.credit_level,
      gate: plan.frozen.gate,
      harness: plan.frozen.harness ?? null,
      host_class: hostClass(provider.base_url),
      build_info: textOr(details?.build_info, null),
      template_class: EXACT_PROVIDERS.includes(provider.id) ? plan.frozen.template : 'server',
      counts_are_whole: plan.frozen.counts_are_whole,
      families: profile.families,
      // A run of some rows of a fixture is whole with these.
      ...(rows.length === manifest.rows.length
        ? {}
        : { rows: rows.map(({ unique_data_id }) => unique_data_id) }),
      user_text_sha256: (plan.frozen.prompts as JsonObject).user_text_sha256 ?? null,
      ...(attempt === null ? {} : { attempt }),
      controls: cases.map((record) => webControl(plan, record)),
    },
  };
}

function webControl(plan: VisionPlan, { evidence, detail }: CaseRecord) {
  const control = controlOfCase({ evidence } as CaseRecord);
  const reply = evidence.reply as unknown as ScoredReply;
  return {
    unique_data_id: control.unique_data_id,
    condition: control.condition,
    image_unique_data_id: control.image_unique_data_id,
    image_size: sizeOf(plan, control.image_unique_data_id),
    image_sha256: evidence.image_sha256 ?? null,
    prefix_sha256: evidence.prefix_sha256 ?? null,
    reading: control.reading,
    logprobs: reply.controls.map(({ logprob }) => logprob),
    listed: reply.listed,
    off_option_mass: reply.off_option_mass,
    attempts: first(detail.attempts),
    model_in_reply: first(detail.models),
  };
}

/** Never the address itself: a receipt may be published, and an address says where somebody works. */
function hostClass(baseUrl: string | null): 'none' | 'loopback' | 'lan' | 'public' {
  if (baseUrl === null) return 'none';
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '::1')
    return 'loopback';
  const lan = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/;
  return lan.test(host) || host.endsWith('.local') || !/[.:]/.test(host) ? 'lan' : 'public';
}

function pick(value: JsonObject | undefined, keys: readonly string[]): JsonObject | null {
  return value === undefined ? null : Object.fromEntries(keys.map((key) => [key, value[key] ?? null]));
}

function first(value: Json | undefined): Json {
  return Array.isArray(value) ? (value[0] ?? null) : null;
}

function textOr<T extends string | null>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
