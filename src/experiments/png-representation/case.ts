import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonCanonical,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import { decisionTrace, POLICY_ARTIFACT_ID } from './policy';
import { basisPoints, type Prediction } from './prediction';
import { CASE_VERSION, RAW_RESPONSE_VERSION } from './protocol';
import { type ArcadeState, FACTORS, factorsOf, rowId, type StateFactors } from './states';

/** Right, wrong without consequence, wrong with consequence, refused. Plumbing failures are no case at all. */
export const OUTCOMES = ['exact', 'action_equivalent', 'action_changing', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One evaluated case in the reference's form. `case_id` covers all the rest. */
export type CaseDto = PyObject & {
  readonly case_ordinal: number;
  readonly frame_id: string;
  readonly policy_artifact_id: string;
  readonly provider_configuration_id: string;
  readonly expected_state: StateFactors;
  readonly expected_row_id: string;
  readonly expected_action: string;
  readonly accepted: boolean;
  readonly rejection_reason: string | null;
  readonly predicted_state: StateFactors | null;
  readonly predicted_row_id: string | null;
  readonly predicted_action: string | null;
  readonly exact_state_match: boolean;
  readonly action_match: boolean;
  readonly factor_matches: { readonly [factor: string]: boolean };
  readonly outcome: Outcome;
  readonly provider_confidence_basis_points: number | null;
  readonly provider_latency_us: number | null;
  readonly provider_raw_response_digest: string | null;
  readonly provider_raw_response_text: string | null;
  readonly case_id: Sha256Id;
};

/** What one call gave, before it is compared with the truth. */
export type Reading =
  | {
      readonly accepted: true;
      readonly prediction: Prediction;
      readonly latency_us: number | null;
      readonly text: string | null;
      readonly metadata: PyObject;
    }
  /** Refused after reading, for low confidence: the reference keeps what came with it. */
  | {
      readonly accepted: false;
      readonly reason: string;
      readonly kept: {
        readonly confidence: number;
        readonly latency_us: number | null;
        readonly text: string | null;
        readonly metadata: PyObject;
      } | null;
    };

export interface CaseFrame {
  readonly ordinal: number;
  readonly frame_id: string;
  readonly provider_configuration_id: string;
  readonly truth: ArcadeState;
}

/** Builds the case of a reading. */
export function makeCase(frame: CaseFrame, reading: Reading): CaseDto {
  const expected_row_id = rowId(frame.truth);
  const expected_state = factorsOf(frame.truth);
  const expected = decisionTrace(expected_row_id);
  const accepted = reading.accepted ? reading.prediction : null;
  const predicted = accepted === null ? null : decisionTrace(accepted.row_id);
  const kept = reading.accepted ? { ...reading, confidence: reading.prediction.confidence } : reading.kept;
  const content = {
    version: CASE_VERSION,
    case_ordinal: frame.ordinal,
    frame_id: frame.frame_id,
    policy_artifact_id: POLICY_ARTIFACT_ID,
    provider_configuration_id: frame.provider_configuration_id,
    expected_state,
    expected_row_id,
    expected_action: expected.action,
    expected_decision_trace: expected,
    accepted: reading.accepted,
    rejection_reason: reading.accepted ? null : reading.reason,
    predicted_state: accepted?.factors ?? null,
    predicted_row_id: accepted?.row_id ?? null,
    predicted_action: predicted?.action ?? null,
    predicted_decision_trace: predicted,
    ...compare(expected_state, expected.action, accepted?.factors ?? null, predicted?.action ?? null),
    provider_confidence_basis_points: kept === null ? null : basisPoints(kept.confidence),
    provider_latency_us: kept?.latency_us ?? null,
    provider_raw_response_digest: kept === null || kept.text === null ? null : rawResponseDigest(kept.text),
    provider_raw_response_text: kept?.text ?? null,
    provider_response_metadata: kept?.metadata ?? {},
    metadata: {},
  };
  return { ...content, case_id: pythonCanonicalId(content) };
}

export type Comparison4 = {
  readonly exact_state_match: boolean;
  readonly action_match: boolean;
  readonly factor_matches: { readonly [factor: string]: boolean };
  readonly outcome: Outcome;
};

/** The four derived fields. A null prediction is a rejected one. */
export function compare(
  expected: StateFactors,
  expectedAction: string,
  predicted: StateFactors | null,
  predictedAction: string | null,
): Comparison4 {
  if (predicted === null) {
    return { exact_state_match: false, action_match: false, factor_matches: {}, outcome: 'rejected' };
  }
  const factor_matches = Object.fromEntries(
    FACTORS.map((factor) => [factor, predicted[factor] === expected[factor]]),
  );
  const exact_state_match = FACTORS.every((factor) => factor_matches[factor]);
  const action_match = predictedAction === expectedAction;
  const outcome = !action_match ? 'action_changing' : exact_state_match ? 'exact' : 'action_equivalent';
  return { exact_state_match, action_match, factor_matches, outcome };
}

function rawResponseDigest(text: string): Sha256Id {
  return pythonCanonicalId({ version: RAW_RESPONSE_VERSION, text });
}

/**
 * Reads a stored case. Throws `case_id_mismatch` when its id is not that of its content, `case_derived_mismatch` when an
 * outcome, a match or a decision does not follow from its states and the policy, `case_shape` when fields are missing.
 */
export function loadCase(value: PyValue): CaseDto {
  if (!isPyObject(value)) throw shape('a case object', value);
  const { case_id, ...content } = value;
  const id = pythonCanonicalId(content);
  if (case_id !== id) {
    throw new PixelproofError('case_id_mismatch', 'The case is not what its id says.', {
      expected: id,
      got: String(case_id),
    });
  }
  const dto = value as CaseDto;
  const expected = readState(dto.expected_state);
  const predicted = dto.predicted_state === null ? null : readState(dto.predicted_state);
  if (dto.accepted !== (predicted !== null)) throw shape('predicted fields exactly when accepted', value);
  if (dto.accepted === (typeof dto.rejection_reason === 'string' && dto.rejection_reason !== '')) {
    throw shape('a reason exactly when rejected', value);
  }
  const derived: PyObject = {
    policy_artifact_id: POLICY_ARTIFACT_ID,
    expected_row_id: rowId(expected),
    expected_action: decisionTrace(rowId(expected)).action,
    expected_decision_trace: decisionTrace(rowId(expected)),
    predicted_row_id: predicted === null ? null : rowId(predicted),
    predicted_action: predicted === null ? null : decisionTrace(rowId(predicted)).action,
    predicted_decision_trace: predicted === null ? null : decisionTrace(rowId(predicted)),
    provider_raw_response_digest:
      dto.provider_raw_response_text === null
        ? null
        : rawResponseDigest(String(dto.provider_raw_response_text)),
    ...compare(
      factorsOf(expected),
      decisionTrace(rowId(expected)).action,
      predicted === null ? null : factorsOf(predicted),
      predicted === null ? null : decisionTrace(rowId(predicted)).action,
    ),
  };
  for (const [field, should] of Object.entries(derived)) {
    const is = value[field];
    if (is === undefined || pythonCanonical(is) !== pythonCanonical(should)) {
      throw new PixelproofError(
        'case_derived_mismatch',
        `The case's ${field} does not follow from its states.`,
        {
          expected: `${field} = ${pythonCanonical(should)}`,
          got: is === undefined ? 'nothing' : pythonCanonical(is),
        },
      );
    }
  }
  return dto;
}

function readState(value: PyValue | undefined): ArcadeState {
  const factors = isPyObject(value) ? value : {};
  const { tank_column, target_present, target_column, cooldown } = factors;
  const fits =
    Object.keys(factors).length === 4 &&
    within(tank_column, 0, 6) &&
    within(target_column, -1, 6) &&
    within(cooldown, 0, 1) &&
    target_present === (target_column !== -1);
  if (!fits) throw shape('a state of four factors in range', value ?? null);
  return { tank_column, target_column: target_column === -1 ? null : target_column, cooldown } as ArcadeState;
}

function within(value: PyValue | undefined, low: number, high: number): value is number {
  return typeof value === 'number' && value >= low && value <= high;
}

function shape(expected: string, got: PyValue): PixelproofError {
  return new PixelproofError('case_shape', `A stored case lacks ${expected}.`, {
    expected,
    got: pythonCanonical(got),
  });
}
