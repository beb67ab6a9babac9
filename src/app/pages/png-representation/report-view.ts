import type { Json, JsonObject } from '../../../evidence/identity/json';
import { flagAt, isObject, listAt, numberAt, objectAt, textAt } from '../../json-read';

export interface VariantRow {
  readonly variant: string;
  readonly recipeId: string;
  readonly runId: string;
  readonly exact: number;
  readonly equivalent: number;
  readonly changing: number;
  readonly rejected: number;
  readonly actionCorrect: number;
  readonly medianUs: number | null;
  readonly p95Us: number | null;
  /** Null for the baseline. */
  readonly label: string | null;
  readonly reasoning: string | null;
}

/** One check of a gate, with what answers it. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** Whether a variant may go on to all 112 states: it may when no reason stands against it. */
export interface Promotion {
  readonly variant: string;
  readonly reasons: readonly string[];
}

export interface Gate {
  readonly open: boolean;
  readonly sentence: string;
  readonly checks: readonly Check[];
}

/** One published value beside ours. */
export interface PublishedValue {
  readonly what: string;
  readonly published: string;
  readonly ours: string;
  /** Null: cannot be compared, and `why` says why not. */
  readonly equal: boolean | null;
  readonly why: string;
}

export interface PublishedView {
  readonly executed: string;
  readonly explanations: readonly { readonly name: string; readonly text: string }[];
  readonly values: readonly PublishedValue[];
}

export interface ReportView {
  readonly baseline: string | null;
  readonly statement: string | null;
  readonly rows: readonly VariantRow[];
  readonly promotion: readonly Promotion[];
  readonly interpretation: Gate | null;
  readonly published: PublishedView | null;
  /** The times stand as published; none was measured here. */
  readonly latencyRecorded: boolean;
  readonly runtime: {
    readonly name: string;
    readonly version: string | null;
    readonly digest: string | null;
  } | null;
}

function objects(list: readonly Json[]): readonly JsonObject[] {
  return list.filter(isObject);
}

function rowOf(row: JsonObject, classifications: JsonObject | null): VariantRow {
  const variant = textAt(row, 'variant_id') ?? '?';
  const verdict = objectAt(classifications ?? undefined, variant);
  return {
    variant,
    recipeId: textAt(row, 'recipe_id') ?? '',
    runId: textAt(row, 'run_id') ?? '',
    exact: numberAt(row, 'exact_count') ?? 0,
    equivalent: numberAt(row, 'action_equivalent_count') ?? 0,
    changing: numberAt(row, 'action_changing_count') ?? 0,
    rejected: numberAt(row, 'rejected_count') ?? 0,
    actionCorrect: numberAt(row, 'action_correct_count') ?? 0,
    medianUs: numberAt(row, 'latency_median_us'),
    p95Us: numberAt(row, 'latency_p95_us'),
    label: textAt(verdict, 'label'),
    reasoning: textAt(verdict, 'reasoning'),
  };
}

function texts(list: readonly Json[]): readonly string[] {
  return list.filter((each): each is string => typeof each === 'string');
}

function checkOf(check: JsonObject): Check {
  const verdict = textAt(check, 'verdict');
  return {
    id: textAt(check, 'id') ?? '',
    title: textAt(check, 'question') ?? '',
    verdict: verdict === 'pass' || verdict === 'fail' ? verdict : 'unknown',
    reason: textAt(check, 'reason') ?? '',
    evidence: texts(listAt(check, 'evidence')),
  };
}

function promotionOf(promotion: JsonObject): Promotion {
  return {
    variant: textAt(promotion, 'variant') ?? '',
    reasons: texts(listAt(promotion, 'reasons')),
  };
}

const EXPLAINED: Readonly<Record<string, string>> = {
  image_digests: 'Picture digests',
  case_ids: 'Ids of accepted cases',
  case_ids_rejected: 'Id of the rejected case',
  latency: 'Times',
  reply_text: 'Raw replies',
  report_ids: 'Report ids',
};

function publishedOf(published: JsonObject | null): PublishedView | null {
  if (published === null) return null;
  const explanations = objectAt(published, 'explanations');
  return {
    executed: textAt(published, 'executed') ?? '',
    explanations: Object.keys(explanations ?? {}).map((key) => ({
      name: EXPLAINED[key] ?? key,
      text: textAt(explanations, key) ?? '',
    })),
    values: objects(listAt(published, 'checks')).map((check) => ({
      what: textAt(check, 'what') ?? '',
      published: textAt(check, 'expected') ?? '',
      ours: textAt(check, 'got') ?? '',
      equal: flagAt(check, 'equal'),
      why: '',
    })),
  };
}

export function reportView(report: JsonObject): ReportView {
  const comparison = objectAt(report, 'comparison');
  const classifications = objectAt(report, 'comparison', 'classifications');
  const gate = objectAt(report, 'interpretation');
  const runtime = objectAt(report, 'runtime');
  return {
    baseline: textAt(comparison, 'baseline'),
    statement: textAt(comparison, 'compatibility_statement'),
    rows: objects(listAt(comparison, 'rows')).map((row) => rowOf(row, classifications)),
    promotion: objects(listAt(report, 'promotions')).map(promotionOf),
    interpretation:
      gate === null
        ? null
        : {
            open: flagAt(gate, 'attribution_allowed') ?? false,
            sentence: textAt(gate, 'sentence') ?? '',
            checks: objects(listAt(gate, 'checks')).map(checkOf),
          },
    published: publishedOf(objectAt(report, 'published')),
    latencyRecorded: objects(listAt(report, 'variants')).some(
      (each) => flagAt(each, 'latency_recorded') === true,
    ),
    runtime:
      runtime === null
        ? null
        : {
            name: textAt(runtime, 'runtime_name') ?? '',
            version: textAt(runtime, 'runtime_version'),
            digest: textAt(runtime, 'model_digest'),
          },
  };
}
