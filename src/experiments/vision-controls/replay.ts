import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type {
  ControlScore,
  ExchangeRecord,
  ProviderDescription,
  ScoredReply,
} from '../../providers/provider';
import type { CaseKey } from '../../runner/experiment';
import { CONDITIONS, VISUAL_QUESTION } from './protocol';
import { annotationQuestions } from './questions';

/** The published consumer receipt: Gemma 4, four pinned cases of the six-row fixture. */
export async function publishedReceipt(): Promise<JsonObject> {
  const { default: receipt } = await import('../../../fixtures/vision-controls/consumer-receipt.json');
  return receipt as unknown as JsonObject;
}

/** Who answered then. */
export const REPLAY_DESCRIPTION: ProviderDescription = {
  id: 'replay',
  kind: 'replayed',
  label: 'Published receipt, replayed',
  model: 'gemma-4-31b-kv9-q4km-mm',
  seed: 0,
  base_url: null,
};

/** The recorded answer to a question of a case as an exchange, null where the receipt has none. */
export async function recordedExchange(key: CaseKey, index: number): Promise<ExchangeRecord | null> {
  const receipt = await publishedReceipt();
  const rows = receipt.matrix_rows as readonly JsonObject[];
  const annotation = annotationQuestions[index - 1];
  const row = rows.find(
    ({ unique_data_id, leg, condition }) =>
      unique_data_id === key.arm &&
      (index === 0 ? leg === 'visual' && condition === CONDITIONS[key.ordinal] : leg === 'annotation'),
  );
  const answers = (row?.answers ?? {}) as JsonObject;
  const answer = answers[annotation?.name ?? VISUAL_QUESTION] as JsonObject | undefined;
  if (row === undefined || answer === undefined) return null;
  const controls =
    answer.kind === 'Noul'
      ? stated(Number(answer.noul), 0)
      : stated(Number(answer.confidence), annotation?.labels.indexOf(String(answer.choice)) ?? 0);
  // Tokens and seconds of the annotation are of both questions together.
  const whole = index === 0;
  const tokens = whole ? numberOr(((row.usage ?? {}) as JsonObject).input_tokens) : null;
  const seconds = whole ? numberOr(row.latency_s) : null;
  const reply: ScoredReply = {
    level: null,
    controls,
    tokens_evaluated: tokens,
    listed: null,
    complete: false,
    off_option_mass: null,
  };
  return {
    request_sha256: null,
    image_sha256: null,
    attempt: 1,
    status: null,
    cause: null,
    reply_text: canonicalJson(reply as unknown as Json),
    model_in_reply: null,
    latency_us: seconds === null ? null : Math.round(seconds * 1_000_000),
    tokens: null,
    response_metadata_text: '{"recorded":"consumer receipt"}',
    reply_error: null,
  };
}

/** A probability as a receipt states it: of the answered control, the other one has the rest. */
function stated(value: number, at: number): ControlScore[] {
  return ['0', '1'].map((control, index) => ({
    control,
    token_id: null,
    logprob: null,
    at_most: null,
    probability: index === at ? value : 1 - value,
  }));
}

function numberOr(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
