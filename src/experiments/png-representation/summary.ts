import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import type { CaseDto } from './case';
import { SUMMARY_VERSION } from './protocol';

type Counts = { readonly [key: string]: number };

export type SummaryDto = PyObject & {
  readonly attempted_count: number;
  readonly accepted_count: number;
  readonly rejected_count: number;
  readonly exact_count: number;
  readonly action_equivalent_count: number;
  readonly action_changing_count: number;
  readonly action_correct_count: number;
  readonly factor_correct_counts: Counts;
  readonly factor_denominators: Counts;
  readonly rejection_reason_counts: Counts;
  readonly latency_sample_count: number;
  readonly latency_min_us: number | null;
  readonly latency_max_us: number | null;
  readonly latency_total_us: number | null;
  readonly latency_median_us: number | null;
  readonly latency_p95_us: number | null;
  readonly summary_id: Sha256Id;
};

/** What a summary counts of one case. */
export type Counted = Pick<
  CaseDto,
  'outcome' | 'factor_matches' | 'rejection_reason' | 'provider_latency_us'
>;

/** Percentile by nearest rank: sorted[clamp(ceil(p n), 1, n) - 1]; so of eight, median is the 4th, p95 the 8th. */
export function nearestRank(sorted: readonly number[], p: number): number | null {
  const n = sorted.length;
  return sorted[Math.min(n, Math.max(1, Math.ceil(p * n))) - 1] ?? null;
}

/** The counts without latency: what can be recomputed from published predictions. */
export function countCases(cases: readonly Counted[]) {
  const of = (outcome: string) => cases.filter((each) => each.outcome === outcome).length;
  const accepted = cases.filter((each) => each.outcome !== 'rejected');
  const correct: Record<string, number> = {};
  const denominators: Record<string, number> = {};
  const reasons: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const each of accepted) {
    for (const [factor, match] of Object.entries(each.factor_matches)) {
      correct[factor] = (correct[factor] ?? 0) + (match ? 1 : 0);
      denominators[factor] = (denominators[factor] ?? 0) + 1;
    }
  }
  for (const { rejection_reason: reason } of cases) {
    if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return {
    attempted_count: cases.length,
    accepted_count: accepted.length,
    rejected_count: of('rejected'),
    exact_count: of('exact'),
    action_equivalent_count: of('action_equivalent'),
    action_changing_count: of('action_changing'),
    action_correct_count: of('exact') + of('action_equivalent'),
    factor_correct_counts: correct,
    factor_denominators: denominators,
    rejection_reason_counts: reasons,
  };
}

export function makeSummary(cases: readonly Counted[]): SummaryDto {
  const latencies = cases
    .map((each) => each.provider_latency_us)
    .filter((latency) => latency !== null)
    .sort((a, b) => a - b);
  const content = {
    version: SUMMARY_VERSION,
    ...countCases(cases),
    latency_sample_count: latencies.length,
    latency_min_us: latencies[0] ?? null,
    latency_max_us: latencies.at(-1) ?? null,
    latency_total_us: latencies.length === 0 ? null : latencies.reduce((sum, each) => sum + each, 0),
    latency_median_us: nearestRank(latencies, 0.5),
    latency_p95_us: nearestRank(latencies, 0.95),
  };
  return { ...content, summary_id: pythonCanonicalId(content) };
}

/** Reads a stored summary. Throws `summary_id_mismatch` when its id is not that of its content. */
export function loadSummary(value: PyValue | undefined): SummaryDto {
  const { summary_id, ...content } = isPyObject(value) ? value : {};
  const id = pythonCanonicalId(content);
  if (summary_id === id) return value as SummaryDto;
  throw new PixelproofError('summary_id_mismatch', 'The summary is not what its id says.', {
    expected: id,
    got: String(summary_id),
  });
}
