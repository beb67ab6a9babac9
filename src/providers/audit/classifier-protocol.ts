import { canonicalJson } from '../../evidence/identity/canonical';
import type { JsonObject, Sha256Id } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import {
  ARCADE_READER,
  ARCADE_READER_CARD,
  ARCADE_READER_MODELS,
  type ShippedFile,
} from '../in-page/arcade-reader-card';
import { type ClassifierCard, outputFor, type Variable } from '../in-page/card';
import type { Backend } from '../in-page/model-host';
import type { ExchangeRecord, ProviderDescription } from '../provider';

export { ARCADE_READER } from '../in-page/arcade-reader-card';
export const CLASSIFIER = 'classifier';
/** Providers that this protocol is of. */
export const CLASSIFIERS: readonly string[] = [ARCADE_READER, CLASSIFIER];

/** One score is a share of this: whole numbers, so that two machines write the same. */
const WHOLE = 1_000_000;

/** Millionths a class, in the order of the card's classes. */
export type Scores = { readonly [variable in Variable]: readonly number[] };

/** Shares of 0 to 1 as they are kept. */
export function millionths(shares: readonly number[]): number[] {
  return shares.map((share) => Math.round(share * WHOLE));
}

/**
 * The reply in the experiment's four labelled lines: of each variable the class with the highest score, the first of
 * equals; the confidence is the product of the three scores as a whole percentage, halves rounded up.
 */
function classifierReply(card: ClassifierCard, scores: Scores): string {
  const best = (variable: Variable) => {
    const { classes } = outputFor(card, variable);
    const list = scores[variable];
    const at = list.indexOf(Math.max(...list));
    return { name: classes[at] ?? '', share: (list[at] ?? 0) / WHOLE };
  };
  const [tank, target, cooldown] = [best('tank_column'), best('target_column'), best('cooldown')];
  return [
    `TANK_COLUMN: ${tank.name}`,
    `TARGET_COLUMN: ${target.name}`,
    `COOLDOWN: ${cooldown.name}`,
    `CONFIDENCE: ${Math.min(100, Math.round(tank.share * target.share * cooldown.share * 100))}`,
  ].join('\n');
}

/** The whole record of an answer but its time. */
export function classifierRecord(
  model: string,
  card: ClassifierCard,
  image_sha256: Sha256Id,
  scores: Scores,
  latency_us: number | null,
): ExchangeRecord {
  return {
    request_sha256: null,
    image_sha256,
    attempt: 1,
    status: null,
    cause: null,
    reply_text: classifierReply(card, scores),
    model_in_reply: model,
    latency_us,
    tokens: null,
    response_metadata_text: canonicalJson({ scores: scores as unknown as JsonObject }),
    reply_error: null,
  };
}

/** The scores that a record keeps, null where it keeps none that fit the card. */
export function keptScores(text: string, card: ClassifierCard): Scores | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const kept = (value as { readonly scores?: unknown } | null)?.scores;
  if (typeof kept !== 'object' || kept === null) return null;
  const of = (variable: Variable): number[] | null => {
    const list: unknown = (kept as Record<string, unknown>)[variable];
    const { length } = outputFor(card, variable).classes;
    if (!Array.isArray(list) || list.length !== length) return null;
    const numbers = list.filter((one): one is number => Number.isInteger(one) && one >= 0 && one <= WHOLE);
    const sum = numbers.reduce((total, one) => total + one, 0);
    // Each score is rounded by itself.
    return numbers.length === length && Math.abs(sum - WHOLE) <= length ? numbers : null;
  };
  const [tank_column, target_column, cooldown] = [of('tank_column'), of('target_column'), of('cooldown')];
  return tank_column === null || target_column === null || cooldown === null
    ? null
    : { tank_column, target_column, cooldown };
}

const ON_GPU = ' on webgpu';

/** The model of a plan: what answers, and the backend where it is not the usual one. */
export function modelOn(base: string, backend: Backend): string {
  return backend === 'webgpu' ? `${base}${ON_GPU}` : base;
}

/** The parts of such a name. */
export function readModelName(model: string): { readonly base: string; readonly backend: Backend } {
  return model.endsWith(ON_GPU)
    ? { base: model.slice(0, -ON_GPU.length), backend: 'webgpu' }
    : { base: model, backend: 'wasm' };
}

/** Who a model of a person's own is: its card's name, and one digest over card and file. */
export function classifierIdentity(card: ClassifierCard, model_digest: Sha256Id): string {
  return `${card.name} ${sha256(canonicalJson({ card: card as unknown as JsonObject, model_digest }))}`;
}

/** Who answers, by id and model. The seed is 0: nothing is drawn. */
export function classifierDescription(id: string, model: string): ProviderDescription {
  const { base } = readModelName(model);
  const label =
    id === ARCADE_READER
      ? 'arcade-reader, in this program'
      : `Classifier of your own: ${base.split(' sha256:')[0]}`;
  return { id, kind: 'measured', label, model, seed: 0, base_url: null };
}

/** The card and the file that an identity of a shipped model stands for; null for any other. */
export function shippedModel(model: string): (ShippedFile & { readonly card: ClassifierCard }) | null {
  const file = ARCADE_READER_MODELS.get(readModelName(model).base);
  return file === undefined ? null : { card: ARCADE_READER_CARD, ...file };
}
