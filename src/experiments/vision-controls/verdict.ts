import type { Attachment } from './attachment';
import {
  type HitSummary,
  hitSummary,
  isHit,
  type PairedOrdering,
  pairedOrdering,
  type ScoredControl,
} from './gate';
import { type GateName, NOUL_THRESHOLD, PAIRED_MARGIN_FLOOR } from './protocol';

/**
 * How a score was had (docs/vision-controls.md): A exact prefix in a native template, B the server's own template, C one
 * side of a probability only, D sampled answers, or a written rule over recognised text. Null for wiring and for what says nothing about its harness.
 */
export type CreditLevel = 'A' | 'B' | 'C' | 'D';
export const CREDIT_LEVELS: readonly CreditLevel[] = ['A', 'B', 'C', 'D'];

type Verdict = 'pass' | 'fail' | 'incomplete' | 'refused';

/** Why there is no pass, in the words of the result table; the rest of a cause names the rows. */
const CAUSES = {
  notAttached: 'image was not attached',
  omittedCredited: 'an omitted control was credited',
  notMoved: 'did not move the judgment',
  polarity: 'an imaged answer reads on the wrong side of 0.5',
  missing: 'a row is missing',
  unchecked: 'attachment was not shown: token counts are missing',
  bounded: 'credit level C: the bounds do not decide the margin',
  sampled: 'credit level D: a demonstration and never a result',
} as const;

export interface Judgement {
  readonly gate: GateName;
  readonly verdict: Verdict;
  readonly cause: string | null;
  readonly paired_ordering: readonly PairedOrdering[];
  readonly hits: HitSummary;
  readonly attachment: Attachment;
  /** Recorded, never gated in `smoke`. `mismatches` are imaged controls on the wrong side of the threshold. */
  readonly threshold_diagnostic: {
    readonly threshold: number;
    readonly gated: boolean;
    readonly summary: HitSummary;
    readonly mismatches: readonly { readonly row_id: string; readonly condition: string }[];
  };
}

export interface Judging {
  readonly controls: readonly ScoredControl[];
  readonly gate: GateName;
  readonly attachment: Attachment;
  readonly level: CreditLevel | null;
  /** Rows of which a control is still to come. */
  readonly missing: readonly string[];
  /** Omitted controls that a receipt stores as credited: they fail the run. */
  readonly credited: readonly string[];
  /** False where a server's token counts may leave out what its cache held (Ollama): too little growth proves nothing. */
  readonly countsAreWhole: boolean;
}

/**
 * The verdict. Attachment first, then that no omitted control is credited, then the pairs, and for the gate `consumer`
 * the threshold. Throws `pair_expected`.
 */
export function judgeControls(judging: Judging): Judgement {
  const { controls, gate, attachment } = judging;
  const pairs = pairedOrdering(controls);
  const summary = hitSummary(controls);
  const mismatches = controls
    .filter((control) => control.counts_as_semantic_hit && !isHit(control))
    .map(({ unique_data_id, condition }) => ({ row_id: unique_data_id, condition }));
  const [verdict, cause] = decide(judging, pairs, mismatches);
  return {
    gate,
    verdict,
    cause,
    paired_ordering: pairs,
    hits: summary,
    attachment,
    threshold_diagnostic: {
      threshold: NOUL_THRESHOLD,
      gated: gate === 'consumer',
      summary,
      mismatches,
    },
  };
}

function decide(
  { gate, attachment, level, missing, credited, countsAreWhole }: Judging,
  pairs: readonly PairedOrdering[],
  mismatches: readonly { readonly row_id: string; readonly condition: string }[],
): readonly [Verdict, string | null] {
  if (missing.length > 0) return ['incomplete', `${CAUSES.missing}: ${missing.join(', ')}`];
  if (attachment.ok === false && countsAreWhole) {
    const growth = `least growth ${attachment.min_growth} tokens`;
    return ['fail', `${CAUSES.notAttached}: ${growth}`];
  }
  if (credited.length > 0) return ['fail', `${CAUSES.omittedCredited}: ${credited.join(', ')}`];
  const unordered = pairs.filter(({ ordered }) => ordered === false);
  if (unordered.length > 0) {
    const rows = unordered.map(({ row_id, margin }) => `${row_id} ${margin}`).join(', ');
    return ['fail', `${CAUSES.notMoved}: margin below ${PAIRED_MARGIN_FLOOR.toFixed(2)} in ${rows}`];
  }
  if (gate === 'consumer' && mismatches.length > 0) {
    const rows = mismatches.map(({ row_id, condition }) => `${row_id} ${condition}`).join(', ');
    return ['fail', `${CAUSES.polarity}: ${rows}`];
  }
  if (level === 'D') return ['incomplete', CAUSES.sampled];
  if (pairs.some(({ ordered }) => ordered === null)) return ['incomplete', CAUSES.bounded];
  if (attachment.ok !== true) return ['incomplete', CAUSES.unchecked];
  return ['pass', null];
}
