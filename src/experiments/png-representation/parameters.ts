import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { DEFAULT_TIMEOUT_SECONDS, type FixtureName } from './protocol';
import {
  COOLDOWN_VARIANTS,
  type CombinedParts,
  combinedParts,
  DEFAULT_VARIANTS,
  VARIANTS,
  type VariantId,
} from './variants';

/** What a person chooses, checked. Null stands for "not given". */
export interface Parameters {
  readonly fixture: FixtureName;
  readonly variants: readonly VariantId[];
  readonly combined_cooldown: string | null;
  readonly combined_lane: string | null;
  /** Set exactly when combined-v1 is among the variants. */
  readonly combined: CombinedParts | null;
  /** Takes the first n states; the fixture keeps its identity, as in the reference. */
  readonly max_cases: number | null;
  readonly model: string | null;
  readonly seed: number | null;
  readonly confidence_threshold: number;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly stamp: string | null;
  readonly compile_reports: boolean;
  readonly write_pngs: boolean;
  readonly timeout: number;
  readonly base_url: string | null;
  readonly resume: boolean;
  /** How the reply is asked for; enters the provider configuration's identity. */
  readonly answer: AnswerChoice;
  /** Limits of asking, null for the usual ones. They are circumstances: no identity knows them. */
  readonly max_in_flight: number | null;
  readonly min_interval_ms: number | null;
}

/** The three options of an answer as a person chooses them. */
export interface AnswerChoice {
  /** A JSON Schema holds the reply to the four values, and the reply is read as that object. */
  readonly structured: boolean;
  /** The server's own temperature, for models that take none. */
  readonly server_temperature: boolean;
  readonly max_tokens: number;
}

/** As published: four labelled lines, temperature 0, 128 tokens. */
export const PUBLISHED_CHOICE: AnswerChoice = {
  structured: false,
  server_temperature: false,
  max_tokens: 128,
};

const NAMES = [
  'fixture',
  'variants',
  'combined_cooldown',
  'combined_lane',
  'max_cases',
  'model',
  'seed',
  'confidence_threshold',
  'stamp',
  'compile_reports',
  'write_pngs',
  'timeout',
  'base_url',
  'resume',
  'structured',
  'server_temperature',
  'max_tokens',
  'max_in_flight',
  'min_interval_ms',
];

/** Checks raw parameters; the first fault is thrown as a `plan_*` error. */
export function readParameters(given: JsonObject): Parameters {
  for (const name of Object.keys(given)) {
    if (!NAMES.includes(name))
      refuse('plan_unknown_parameter', `There is no parameter ${name}.`, NAMES.join(', '), name);
  }
  const variants = readVariants(given.variants ?? null);
  const resume = flag(given, 'resume', false);
  const combined_cooldown = text(given, 'combined_cooldown');
  const combined_lane = text(given, 'combined_lane');
  if (!variants.includes('combined-v1') && (combined_cooldown ?? combined_lane) !== null) {
    refuse(
      'plan_combined',
      'Parts of combined-v1 were named, but combined-v1 is not among the variants.',
      'combined-v1 among the variants, or no parts',
      [combined_cooldown, combined_lane].filter((part) => part !== null).join(', '),
    );
  }
  return {
    fixture: readFixture(given.fixture ?? 'smoke'),
    variants,
    combined_cooldown,
    combined_lane,
    combined: variants.includes('combined-v1')
      ? readCombined(variants, combined_cooldown, combined_lane, resume)
      : null,
    max_cases: readMaxCases(given.max_cases ?? null),
    model: text(given, 'model'),
    seed: readSeed(given.seed ?? null),
    confidence_threshold: readThreshold(given.confidence_threshold ?? 0),
    stamp: readStamp(text(given, 'stamp')),
    compile_reports: flag(given, 'compile_reports', false),
    write_pngs: flag(given, 'write_pngs', true),
    timeout: readTimeout(given.timeout ?? DEFAULT_TIMEOUT_SECONDS),
    base_url: text(given, 'base_url'),
    resume,
    answer: {
      structured: flag(given, 'structured', PUBLISHED_CHOICE.structured),
      server_temperature: flag(given, 'server_temperature', PUBLISHED_CHOICE.server_temperature),
      max_tokens: whole(given, 'max_tokens', 1, 32_768) ?? PUBLISHED_CHOICE.max_tokens,
    },
    max_in_flight: whole(given, 'max_in_flight', 1, 64),
    min_interval_ms: whole(given, 'min_interval_ms', 0, 600_000),
  };
}

function whole(given: JsonObject, name: string, low: number, high: number): number | null {
  const value = given[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high) return value;
  return refuse('plan_number', `The parameter ${name} is a whole number.`, `${low} to ${high}`, value);
}

export function refuse(code: string, message: string, expected: string, got: Json): never {
  throw new PixelproofError(code, message, { expected, got });
}

function readFixture(value: Json): FixtureName {
  if (value === 'smoke' || value === 'canonical') return value;
  return refuse('plan_fixture', 'The fixture is smoke or canonical.', 'smoke or canonical', value);
}

function readVariants(value: Json): readonly VariantId[] {
  if (value === null) return DEFAULT_VARIANTS;
  const names: readonly Json[] = Array.isArray(value) ? value : [];
  const found = names.map((name) => VARIANTS.find((variant) => variant === name));
  const known = found.filter((variant) => variant !== undefined);
  if (known.length !== names.length || known.length === 0 || new Set(known).size !== known.length) {
    return refuse(
      'plan_variants',
      'The variants are a list of known names, each once.',
      VARIANTS.join(', '),
      value,
    );
  }
  return known;
}

function readCombined(
  variants: readonly VariantId[],
  cooldown: string | null,
  lane: string | null,
  resume: boolean,
): CombinedParts {
  if (!resume && !variants.some((variant) => COOLDOWN_VARIANTS.includes(variant))) {
    refuse(
      'plan_combined',
      'combined-v1 may only run beside at least one isolated cooldown variant.',
      COOLDOWN_VARIANTS.join(' | '),
      variants.join(', '),
    );
  }
  try {
    return combinedParts(cooldown, lane);
  } catch (cause) {
    if (!(cause instanceof PixelproofError)) throw cause;
    throw new PixelproofError('plan_combined', cause.message, {
      expected: cause.expected,
      got: cause.got,
      cause,
    });
  }
}

function readMaxCases(value: Json): number | null {
  if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1))
    return value;
  return refuse('plan_max_cases', 'The greatest number of cases is a positive integer.', '1 or more', value);
}

function readSeed(value: Json): number | null {
  if (value === null || (typeof value === 'number' && Number.isSafeInteger(value))) return value;
  return refuse('plan_seed', 'The seed is an integer.', 'an integer', value);
}

function readThreshold(value: Json): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  return refuse('plan_threshold', 'The confidence threshold lies between 0 and 1.', '0 to 1', value);
}

function readTimeout(value: Json): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  return refuse('plan_timeout', 'The time limit is a positive number of seconds.', 'more than 0', value);
}

const STAMP = /^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])[0-5]\d[0-5]\dZ$/;

function readStamp(value: string | null): string | null {
  if (value === null || STAMP.test(value)) return value;
  return refuse('plan_stamp', 'The stamp is a UTC time without punctuation.', 'YYYYMMDDTHHMMSSZ', value);
}

function text(given: JsonObject, name: string): string | null {
  const value = given[name] ?? null;
  if (value === null || (typeof value === 'string' && value.length > 0 && value.length <= 400)) return value;
  return refuse('plan_text', `The parameter ${name} is a short text.`, '1 to 400 characters', value);
}

function flag(given: JsonObject, name: string, fallback: boolean): boolean {
  const value = given[name] ?? fallback;
  if (typeof value === 'boolean') return value;
  return refuse('plan_flag', `The parameter ${name} is true or false.`, 'true or false', value);
}
