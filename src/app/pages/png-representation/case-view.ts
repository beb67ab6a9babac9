import type { JsonObject } from '../../../evidence/identity/json';
import type { CaseRecord } from '../../../runner/experiment';
import { numberAt, objectAt, textAt } from '../../json-read';
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
  readonly caseId: string | null;
}

function stateOf(from: JsonObject | null): StateParts | null {
  const tank = numberAt(from, 'tank_column');
  const target = numberAt(from, 'target_column');
  const cooldown = numberAt(from, 'cooldown');
  return tank === null || target === null || cooldown === null ? null : { tank, target, cooldown };
}

/** Null when the record is not one of this experiment's. */
export function caseView(record: CaseRecord): CaseView | null {
  const dto = objectAt(record.detail, 'case') ?? objectAt(record.evidence, 'case') ?? record.evidence;
  const row = textAt(dto, 'expected_row_id') ?? '';
  const truth = partsOf(row);
  if (truth === null) return null;
  const points = numberAt(dto, 'provider_confidence_basis_points');
  return {
    key: `${record.arm}:${record.ordinal}`,
    variant: record.arm,
    ordinal: record.ordinal,
    outcome: outcomeOf(record.outcome),
    row,
    truth,
    truthAction: textAt(dto, 'expected_action') ?? '',
    read: stateOf(objectAt(dto, 'predicted_state')),
    readAction: textAt(dto, 'predicted_action'),
    rejection: textAt(dto, 'rejection_reason'),
    confidence: points === null ? null : points / 100,
    latencyUs: numberAt(dto, 'provider_latency_us'),
    reply: textAt(dto, 'provider_raw_response_text'),
    caseId: textAt(dto, 'case_id'),
  };
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
