import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { isPyObject, type PyObject, pythonCanonical } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { sha256 } from '../../evidence/identity/sha256';
import type { ExchangeRecord } from '../../providers/provider';
import type { CaseKey, CaseRecord, Judged } from '../../runner/experiment';
import type { Answer } from './ask';
import { frameId, observation } from './bookkeeping';
import { type CaseDto, makeCase, type Reading } from './case';
import type { Material } from './materialise';
import { caseOfPlan, type PngPlan, planAnswer, planStamp } from './plan';
import { policyAction } from './policy';
import { type Prediction, type ReplyForm, readReply } from './prediction';
import type { PublishedCase } from './published';
import { type ArcadeState, payloadOf, rowId } from './states';

/** Reads the reply, asks the policy, compares with the truth. Throws `exchange_without_reply` for a failed call. */
export function judgeCase(plan: PngPlan, key: CaseKey, material: Material, answer: Answer): Judged {
  const { state } = caseOfPlan(plan, key);
  const record =
    answer.kind === 'recorded'
      ? recordedRecord(plan, key, state, material, answer.entry)
      : exchangeRecord(plan, key, state, material, answer.exchange);
  const { png, png_sha256 } = material.final;
  const artifacts =
    plan.circumstances.write_pngs === false
      ? []
      : [{ sha256: png_sha256, media_type: 'image/png', bytes: png }];
  return { record, artifacts };
}

function exchangeRecord(
  plan: PngPlan,
  key: CaseKey,
  state: ArcadeState,
  material: Material,
  exchange: ExchangeRecord,
): CaseRecord {
  const reading = readExchange(plan, exchange);
  const dto = makeCase(
    {
      ordinal: key.ordinal,
      frame_id: frameId(planStamp(plan), key.arm, key.ordinal),
      provider_configuration_id: plan.frozen.provider.provider_configuration_id,
      truth: state,
    },
    reading,
  );
  return {
    arm: key.arm,
    ordinal: key.ordinal,
    outcome: dto.outcome,
    evidence: evidenceOf(state, material, {
      reply_text: exchange.reply_text,
      reply_error: exchange.reply_error,
      outcome: dto.outcome,
      prediction: reading.accepted ? reading.prediction : null,
      rejection_reason: dto.rejection_reason,
    }),
    detail: {
      case_id: dto.case_id,
      frame_id: dto.frame_id,
      latency_us: dto.provider_latency_us,
      ...shown(plan, key, material),
      // As text: a JSON record of ours cannot keep apart 1 and 1.0, and the case id covers that.
      case: pythonCanonical(dto),
    },
  };
}

/** The reading of an answered call: refused by the reply's own rules, by the grammar, by the threshold, or accepted. */
function readExchange(plan: PngPlan, exchange: ExchangeRecord): Reading {
  if (exchange.reply_error !== null) return { accepted: false, reason: exchange.reply_error, kept: null };
  const text = exchange.reply_text;
  if (exchange.cause !== null || text === null) {
    throw new PixelproofError(
      'exchange_without_reply',
      'A call that failed is no case and cannot be judged.',
      {
        expected: 'a reply',
        got: exchange.cause?.code ?? 'no text',
      },
    );
  }
  const verdict = readReply(text, replyForm(plan));
  if (!verdict.ok) return { accepted: false, reason: verdict.reason, kept: null };
  const prediction = verdict.value;
  const rest = { latency_us: exchange.latency_us, text, metadata: metadataOf(exchange) };
  if (prediction.confidence < plan.frozen.confidence_threshold) {
    const kept = { ...rest, confidence: prediction.confidence };
    return { accepted: false, reason: 'confidence_below_threshold', kept };
  }
  return { accepted: true, prediction, ...rest };
}

/** The scripted provider answers with the parsed object itself, everybody else with the four labelled lines, or with the
 * object where the plan has a schema for it. */
export function replyForm(plan: PngPlan): ReplyForm {
  if (plan.frozen.provider.id === 'scripted') return 'json-object';
  return planAnswer(plan).schema === null ? 'labelled-lines' : 'structured';
}

function metadataOf(exchange: ExchangeRecord): PyObject {
  const value = parsePythonJson(exchange.response_metadata_text);
  return isPyObject(value) ? value : {};
}

function recordedRecord(
  plan: PngPlan,
  key: CaseKey,
  state: ArcadeState,
  material: Material,
  entry: PublishedCase,
): CaseRecord {
  if (entry.row_id !== rowId(state)) {
    throw new PixelproofError('published_case_missing', 'The published case shows another state.', {
      expected: rowId(state),
      got: entry.row_id,
    });
  }
  const dto =
    entry.rejection_reason === null
      ? null
      : makeCase(
          {
            ordinal: key.ordinal,
            frame_id: entry.frame_id,
            provider_configuration_id: plan.frozen.provider.provider_configuration_id,
            truth: state,
          },
          { accepted: false, reason: entry.rejection_reason, kept: null },
        );
  return {
    arm: key.arm,
    ordinal: key.ordinal,
    outcome: entry.outcome,
    evidence: evidenceOf(state, material, {
      reply_text: entry.reply_text,
      reply_error: null,
      outcome: entry.outcome,
      prediction: entry.prediction,
      rejection_reason: entry.rejection_reason,
    }),
    detail: {
      case_id: entry.case_id,
      case_id_recomputes: entry.case_id_recomputes,
      frame_id: entry.frame_id,
      latency_us: null,
      synthetic_reply_text: entry.synthetic_reply_text,
      published_final_image_sha256: entry.published_final_image_sha256,
      published_step_image_sha256: entry.published_step_image_sha256,
      ...shown(plan, key, material),
      case: dto === null ? null : pythonCanonical(dto),
    },
  };
}

/** Identities of what was shown that are no part of the case: thumbnails, matrix blob, observation. */
function shown(plan: PngPlan, key: CaseKey, material: Material): JsonObject {
  const { state } = caseOfPlan(plan, key);
  const seen = observation({ ...material, row_id: rowId(state) }, planStamp(plan), key.ordinal);
  return {
    thumb_sha256: material.steps.map((step) => step.thumb_sha256),
    matrix_blob_id: seen.matrix_blob_id,
    provider_observation_digest: seen.provider_observation_digest,
  };
}

interface Said {
  readonly reply_text: string | null;
  readonly reply_error: string | null;
  readonly outcome: string;
  readonly prediction: Prediction | null;
  readonly rejection_reason: string | null;
}

/** What enters the root digest: pictures, reply, reading. No frame id (it holds the stamp) and no latency. */
function evidenceOf(state: ArcadeState, material: Material, said: Said): JsonObject {
  const { prediction } = said;
  return {
    row_id: rowId(state),
    truth: payloadOf(state),
    truth_action: policyAction(state),
    image_sha256: material.final.png_sha256,
    step_png_sha256: material.steps.map((step) => step.png_sha256),
    step_pixels_sha256: material.steps.map((step) => step.pixels_sha256),
    operation_chain_digest: material.operation_chain_digest,
    reply_text: said.reply_text,
    reply_sha256: said.reply_text === null ? null : sha256(said.reply_text),
    reply_error: said.reply_error,
    outcome: said.outcome,
    prediction:
      prediction === null
        ? null
        : { ...prediction.factors, row_id: prediction.row_id, confidence: prediction.confidence },
    predicted_action: prediction === null ? null : policyAction(prediction.state),
    rejection_reason: said.rejection_reason,
  };
}

/** The case DTO that a record keeps, null where the published record lacks what its id covers. */
export function caseOfRecord(record: CaseRecord): CaseDto | null {
  const text: Json | undefined = record.detail.case;
  return typeof text === 'string' ? (parsePythonJson(text) as CaseDto) : null;
}
