import { pythonListRepr, pythonRepr } from '../../evidence/identity/python-repr';
import { SPACE_CLASS, WORD_CLASS } from '../../evidence/identity/unicode14';

/** What a reply says, before its fields are checked. */
export type ParsedReply = {
  readonly tank_column: number;
  readonly target_present: boolean;
  readonly target_column: number;
  readonly cooldown: number;
  /** 0..1. */
  readonly confidence: number;
};

/** A refusal of what the model said; `reason` is the reference's `<Class>: <message>`. Part of the data, no exception. */
export type Rejection = { readonly ok: false; readonly reason: string };
export type Verdict<T> = { readonly ok: true; readonly value: T } | Rejection;

// Python's white space, word characters and case folding, which differ from JavaScript's and stay what they are in
// Python 3.11: no flag and no class of the engine is asked. With IGNORECASE an `i` also matches U+0130 and U+0131, an
// `s` U+017F and a `k` U+212A.
const WS = SPACE_CLASS;
// A value ends in a word character, so its word boundary is that none follows; a percent sign is none itself, so its
// boundary is that one follows, and where none does the sign is left out of the match.
const END = `(?!${WORD_CLASS})`;
const PERCENT_END = `${WS}*%(?=${WORD_CLASS})`;
const SEP = '[_ -]?';
const FOLDS: Readonly<Record<string, string>> = { i: '\u0130\u0131', k: '\u212a', s: '\u017f' };

/** The pattern with every letter in both cases, as IGNORECASE has it. */
function anyCase(pattern: string): string {
  return pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}${FOLDS[letter] ?? ''}]`);
}

function field(label: string, value: string, end = END): RegExp {
  return new RegExp(`(?:${anyCase(label)})${WS}*[:=]${WS}*(${anyCase(value)})${end}`, 'gu');
}

const FIELDS = {
  tank: field(`tank(?:${SEP}column)?|cyan(?:${SEP}tank)?(?:${SEP}lane)?`, '[0-6]'),
  target: field(
    `target(?:${SEP}column)?|magenta(?:${SEP}(?:target|alien))?(?:${SEP}lane)?`,
    `none|absent|no${SEP}target|-1|[0-6]`,
  ),
  cooldown: field(`cooldown|status(?:${SEP}(?:light|indicator))?`, 'ready|green|blocked|red|0|1'),
  confidence: field('confidence', '100|[0-9]{1,2}', `(?:${PERCENT_END}|${END})`),
};

const NO_TARGET = ['none', 'absent', 'no_target', 'no-target', 'no target', '-1'];

/**
 * Reads the four labelled values anywhere in a reply (protocol v2). Each must occur, and all its occurrences must agree
 * when lower-cased. The first fault, in the order tank, target, cooldown, confidence, gives the reason.
 */
export function parseReply(raw: string): Verdict<ParsedReply> {
  const tank = only(raw, FIELDS.tank, 'tank column');
  if (!tank.ok) return tank;
  const target = only(raw, FIELDS.target, 'target column');
  if (!target.ok) return target;
  const cooldown = only(raw, FIELDS.cooldown, 'cooldown');
  if (!cooldown.ok) return cooldown;
  const confidence = only(raw, FIELDS.confidence, 'confidence');
  if (!confidence.ok) return confidence;

  const absent = NO_TARGET.includes(target.value.toLowerCase());
  // `notarget` fits the grammar but is no word for "absent": the reference then fails to read it as an integer.
  if (!absent && !/^[0-6]$/.test(target.value)) {
    return valueError(`invalid literal for int() with base 10: ${pythonRepr(target.value)}`);
  }
  return {
    ok: true,
    value: {
      tank_column: Number(tank.value),
      target_present: !absent,
      target_column: absent ? -1 : Number(target.value),
      cooldown: ['ready', 'green', '0'].includes(cooldown.value.toLowerCase()) ? 0 : 1,
      confidence: Number(confidence.value) / 100,
    },
  };
}

export function valueError(message: string): Rejection {
  return { ok: false, reason: `ValueError: ${message}` };
}

/** The one value of a field, in its original case. */
function only(raw: string, pattern: RegExp, name: string): Verdict<string> {
  const values = Array.from(raw.matchAll(pattern), (match) => match[1] ?? '');
  const [first] = values;
  if (first === undefined) return valueError(`model text is missing ${name}: ${pythonRepr(raw)}`);
  if (new Set(values.map((value) => value.toLowerCase())).size > 1) {
    return valueError(`model text has conflicting ${name} values: ${pythonListRepr(values)}`);
  }
  return { ok: true, value: first };
}
