import type { Json, Sha256Id } from '../../evidence/identity/json';
import { OCR_DIGEST, OCR_WEIGHTS } from '../in-page/ocr/weights-list';
import { filesDigest, type LoadedFile } from '../in-page/vlm/files';
import type { ChoiceQuestion, ExchangeRecord, RuntimeEvidence } from '../provider';
import { type Contradiction, contradictions, wholeOr } from './contradiction';
import { OCR_MODEL, ocrReply, ocrScoredText, seenLines, seenText } from './ocr-protocol';
import { readVlmMetadata, readVlmModel, TRANSFORMERS, vlmMetadata, vlmScoredText } from './vlm-protocol';

export const OCR = 'ocr';
/** Providers whose models run in the program that asks them, and whose records follow from what was read or computed. */
export const HERE: readonly string[] = [OCR, TRANSFORMERS];

export interface HereAsked {
  readonly provider: { readonly id: string; readonly model: string };
  readonly image_sha256: Sha256Id | null;
  /** Null for a question that is answered in words. */
  readonly question: ChoiceQuestion | null;
}

/** What a rule makes of an answer's metadata; null where the metadata is not of the rule's form. */
type Rule = (metadata: string, question: ChoiceQuestion | null) => Partial<ExchangeRecord> | null;

const RULES: { readonly [id: string]: Rule } = {
  [OCR]: (metadata, question) => {
    const lines = seenLines(metadata);
    const footer = question === null ? seenLines(metadata, 'footer') : null;
    if (lines === null || (question === null && footer === null)) return null;
    return {
      reply_text: question === null ? ocrReply(lines, footer ?? []) : ocrScoredText(question, lines),
      response_metadata_text: seenText(lines, footer),
      tokens: null,
      reply_error: null,
    };
  },
  [TRANSFORMERS]: (metadata, question) => {
    if (question === null) return { response_metadata_text: '{}' };
    const scored = readVlmMetadata(metadata);
    const asked = scored?.controls.map(({ control }) => control).join(' ');
    if (scored === null || asked !== question.controls.join(' ')) return null;
    return {
      reply_text: vlmScoredText(scored),
      response_metadata_text: vlmMetadata(scored),
      tokens: { prompt: scored.prompt_tokens, completion: 0 },
      reply_error: null,
    };
  },
};

/** Of an answer in words that is nothing but blanks. */
export const BLANK_ANSWER = 'ValueError: the model answered with nothing but blanks';

/** Only models, the decoders of pictures and the site itself fail here: nothing is sent, so nothing fails on the way. */
const FAILURES = /^(model|png|jpeg|webp|image)_|^(site_part_missing|memory_exhausted)$/;

const FAILED = {
  reply_text: null,
  model_in_reply: null,
  latency_us: null,
  tokens: null,
  response_metadata_text: '{}',
  reply_error: null,
} as const;

/**
 * Where the attempts of one question contradict the plan or themselves: nothing was sent, and the answer is what the
 * provider's rule makes of the lines or the logits beside it. What has no second copy (the clock, what a model wrote) is
 * taken as it is.
 */
export function auditHere(
  attempts: readonly ExchangeRecord[],
  { provider, image_sha256, question }: HereAsked,
): Contradiction[] {
  return attempts.flatMap((exchange, at) => {
    const shared = { ...exchange, request_sha256: null, image_sha256, attempt: 1, status: null };
    if (exchange.cause !== null) {
      const { code, message } = exchange.cause;
      const cause = { code: FAILURES.test(code) ? code : 'model_run_failed', message };
      return [...contradictions(at, { ...shared, ...FAILED, cause }, exchange)];
    }
    const made = RULES[provider.id]?.(exchange.response_metadata_text, question) ?? null;
    if (made === null) {
      const got = exchange.response_metadata_text.slice(0, 200);
      return [{ at, field: 'response_metadata_text', expected: 'what the answer was made from', got }];
    }
    const words = question === null && provider.id === TRANSFORMERS;
    const blank = words && (exchange.reply_text ?? '').trim() === '';
    const expected = {
      ...shared,
      ...made,
      ...(words ? { reply_error: blank ? BLANK_ANSWER : null } : {}),
      model_in_reply: provider.model,
    };
    return [...contradictions(at, expected, exchange)];
  });
}

/** What ran, as far as it follows from the plan or from the rest of the record; a member that is not known is too many. */
export function hereRuntime({ id, model }: HereAsked['provider'], runtime: RuntimeEvidence): RuntimeEvidence {
  const details = objectOr(runtime.details);
  if (id === OCR) {
    const files = Object.values(OCR_WEIGHTS).map(({ source, bytes, sha256 }) => ({ source, bytes, sha256 }));
    return {
      runtime_name: 'onnxruntime-web',
      runtime_version: runtime.runtime_version,
      model_digest: model === OCR_MODEL ? OCR_DIGEST : `the digest of ${model}`,
      details: {
        backend: 'wasm',
        threads: wholeOr(details.threads, 'a number of threads'),
        files,
        vision: true,
      },
    };
  }
  const choice = readVlmModel(model);
  return {
    runtime_name: 'transformers.js',
    runtime_version: runtime.runtime_version,
    model_digest: digestOf(details.files),
    details: {
      backend: choice?.backend ?? `the backend of ${model}`,
      dtype: choice?.dtype ?? `the precision of ${model}`,
      files: filesOf(details.files),
      vision: true,
    },
  };
}

/** The files that were read, each with what is kept of one. */
function filesOf(files: Json | undefined): Json {
  if (!Array.isArray(files)) return 'the files that were read';
  return files.map(objectOr).map(({ path, bytes, sha256 }) => ({
    path: path ?? 'a path',
    bytes: bytes ?? 'a length',
    sha256: sha256 ?? 'a digest',
  }));
}

function digestOf(files: Json | undefined): string {
  const list = Array.isArray(files) ? files.map(objectOr) : [];
  const known = list.every(({ path, sha256 }) => typeof path === 'string' && typeof sha256 === 'string');
  return list.length > 0 && known
    ? filesDigest(list as unknown as LoadedFile[])
    : 'the digest of listed files';
}

function objectOr(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}
