import type { Json, JsonObject } from '../../../evidence/identity/json';
import type { CaseRecord } from '../../../runner/experiment';
import { flagAt, listAt, numberAt, objectAt, textAt } from '../../json-read';
import { type Outcome, outcomeOf } from '../../parts/outcome';
import { partsOf, type StateParts } from './states';

/** A finished case as the tables show it. */
export interface CaseView {
  readonly key: string;
  readonly variant: string;
  readonly ordinal: number;
  readonly outcome: Outcome;
  readonly row: string;
  readonly truth: StateParts;
  readonly truthAction: string;
  readonly read: StateParts | null;
  readonly readAction: string | null;
  readonly rejection: string | null;
  /** Percent, as the model said it of itself. */
  readonly confidence: number | null;
  readonly latencyUs: number | null;
  readonly reply: string | null;
  /** For published evidence: a text that parses to the published reading. Not what the model said. */
  readonly standIn: string | null;
  readonly image: string | null;
  readonly pixels: string | null;
  readonly publishedImage: string | null;
  readonly caseId: string | null;
  /** False where the published id covers what was not published; null where the id was made here. */
  readonly caseIdRecomputes: boolean | null;
}

function stateOf(from: JsonObject | null): StateParts | null {
  const tank = numberAt(from, 'tank_column');
  const target = numberAt(from, 'target_column');
  const cooldown = numberAt(from, 'cooldown');
  return tank === null || target === null || cooldown === null ? null : { tank, target, cooldown };
}

/** Null when the record is not one of this experiment's. */
export function caseView(record: CaseRecord): CaseView | null {
  const { evidence, detail } = record;
  const row = textAt(evidence, 'row_id') ?? '';
  const truth = partsOf(row);
  if (truth === null) return null;
  const prediction = objectAt(evidence, 'prediction');
  const confidence = numberAt(prediction, 'confidence');
  return {
    key: `${record.arm}:${record.ordinal}`,
    variant: record.arm,
    ordinal: record.ordinal,
    outcome: outcomeOf(record.outcome),
    row,
    truth,
    truthAction: textAt(evidence, 'truth_action') ?? '',
    read: stateOf(prediction),
    readAction: textAt(evidence, 'predicted_action'),
    rejection: textAt(evidence, 'rejection_reason'),
    confidence: confidence === null ? null : Math.round(confidence * 10_000) / 100,
    latencyUs: numberAt(detail, 'latency_us'),
    reply: textAt(evidence, 'reply_text'),
    standIn: textAt(detail, 'synthetic_reply_text'),
    image: textAt(evidence, 'image_sha256'),
    pixels: lastText(listAt(evidence, 'step_pixels_sha256')),
    publishedImage: textAt(detail, 'published_final_image_sha256'),
    caseId: textAt(detail, 'case_id'),
    caseIdRecomputes: flagAt(detail, 'case_id_recomputes'),
  };
}

function lastText(list: readonly Json[]): string | null {
  const last = list.at(-1);
  return typeof last === 'string' ? last : null;
}

export const FACTORS = ['cooldown', 'tank', 'target'] as const;
export type Factor = (typeof FACTORS)[number];

export const FACTOR_WORDS: Readonly<Record<Factor, string>> = {
  cooldown: 'Cooldown',
  tank: 'Tank column',
  target: 'Target column',
};

export function factorValues(factor: Factor): readonly number[] {
  const lanes = [0, 1, 2, 3, 4, 5, 6];
  return factor === 'cooldown' ? [0, 1] : factor === 'tank' ? lanes : [-1, ...lanes];
}
