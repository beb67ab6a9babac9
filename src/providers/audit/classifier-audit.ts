import type { Json, Sha256Id } from '../../evidence/identity/json';
import { type ClassifierCard, checkedCard } from '../in-page/card';
import type { ExchangeRecord, RuntimeEvidence } from '../provider';
import {
  CLASSIFIER,
  classifierIdentity,
  classifierRecord,
  keptScores,
  readModelName,
  shippedModel,
} from './classifier-protocol';
import { type Contradiction, contradictions, wholeOr } from './contradiction';

/** What follows from the plan, and from the runtime record where the model is a person's own. */
export interface ClassifierAsked {
  readonly model: string;
  readonly card: ClassifierCard;
  readonly image_sha256: Sha256Id;
}

/**
 * Where the attempts of one question contradict the plan or themselves: the reply follows from the kept scores, which
 * must fit the card. Whether the network gives these scores is shown by running it again, not here.
 */
export function* auditClassifier(
  attempts: readonly ExchangeRecord[],
  { model, card, image_sha256 }: ClassifierAsked,
): Iterable<Contradiction> {
  for (const [at, exchange] of attempts.entries()) {
    const { cause, latency_us, response_metadata_text } = exchange;
    if (cause !== null) {
      yield* contradictions(at, failed(image_sha256, cause), exchange);
      continue;
    }
    const scores = keptScores(response_metadata_text, card);
    const expected =
      scores === null
        ? { ...exchange, response_metadata_text: 'a score for each class of the card' }
        : classifierRecord(model, card, image_sha256, scores, latency_us);
    yield* contradictions(at, expected, exchange);
  }
}

/** The record of an attempt that gave no answer; only models fail here. */
export function failed(
  image_sha256: Sha256Id,
  { code, message }: { readonly code: string; readonly message: string },
): ExchangeRecord {
  return {
    request_sha256: null,
    image_sha256,
    attempt: 1,
    status: null,
    cause: { code: /^(model|png)_|^site_part_missing$/.test(code) ? code : 'model_run_failed', message },
    reply_text: null,
    model_in_reply: null,
    latency_us: null,
    tokens: null,
    response_metadata_text: '{}',
    reply_error: null,
  };
}

/** The card that a run's model was asked by; null where the runtime record holds none that fits its identity. */
export function cardOfRun(id: string, model: string, runtime: RuntimeEvidence | null): ClassifierCard | null {
  if (id !== CLASSIFIER) return shippedModel(model)?.card ?? null;
  const kept = (runtime?.details as { readonly card?: unknown } | null)?.card;
  try {
    const card = checkedCard(kept);
    const identity = classifierIdentity(card, (runtime?.model_digest ?? '') as Sha256Id);
    return identity === readModelName(model).base ? card : null;
  } catch {
    return null;
  }
}

/**
 * The runtime record as far as it follows from the plan: digest, length and operators of the shipped file, or the card and
 * file of a person's.
 */
export function classifierRuntime(id: string, model: string, runtime: RuntimeEvidence): RuntimeEvidence {
  const card = cardOfRun(id, model, runtime);
  const kept = (runtime.details ?? {}) as { readonly [key: string]: Json };
  const shipped = id === CLASSIFIER ? null : shippedModel(model);
  const opset = kept.opset === null ? null : wholeOr(kept.opset, 'a version of the operators');
  return {
    runtime_name: 'onnxruntime-web',
    runtime_version: runtime.runtime_version,
    model_digest: id === CLASSIFIER ? runtime.model_digest : (shipped?.sha256 ?? null),
    details: {
      backend: readModelName(model).backend,
      threads: wholeOr(kept.threads, 'a number of threads'),
      opset: shipped?.opset ?? opset,
      model_bytes: shipped?.bytes ?? wholeOr(kept.model_bytes, 'the length of a file'),
      card: card === null ? `the card of ${model}` : (card as unknown as Json),
    },
  };
}
