import { pythonListRepr, pythonRepr } from '../../evidence/identity/python-repr';

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

// Python's white space, word characters and case folding, which differ from JavaScript's:
// U+001C to U+001F and U+0085 are white space, U+FEFF is not; a word character is any letter or number; and with
// IGNORECASE an `i` also matches U+0130 and U+0131 (the `u` flag gives U+017F for s and U+212A for k).
const WS = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const WORD = '[\\p{L}\\p{N}_]';
const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const SEP = '[_ -]?';

function field(label: string, value: string, tail = ''): RegExp {
  const pattern = `(?:${label})${WS}*[:=]${WS}*(${value})${tail}${BOUNDARY}`;
  return new RegExp(pattern.replaceAll(/(?<![\\?<])i/g, '[i\\u0130\\u0131]'), 'giu');
}

const FIELDS = {
  tank: field(`tank(?:${SEP}column)?|cyan(?:${SEP}tank)?(?:${SEP}lane)?`, '[0-6]'),
  target: field(
    `target(?:${SEP}column)?|magenta(?:${SEP}(?:target|alien))?(?:${SEP}lane)?`,
    `none|absent|no${SEP}target|-1|[0-6]`,
  ),
  cooldown: field(`cooldown|status(?:${SEP}(?:light|indicator))?`, 'ready|green|blocked|red|0|1'),
  confidence: field('confidence', '100|[0-9]{1,2}', `(?:${WS}*%)?`),
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
  // With the `i` flag U+0345, a mark, counts as the letter iota; any other mark stands for it where it ends a word.
  const values = Array.from(raw.replaceAll('\u0345', '\u0301').matchAll(pattern), (match) => match[1] ?? '');
  const [first] = values;
  if (first === undefined) return valueError(`model text is missing ${name}: ${pythonRepr(raw)}`);
  if (new Set(values.map((value) => value.toLowerCase())).size > 1) {
    return valueError(`model text has conflicting ${name} values: ${pythonListRepr(values)}`);
  }
  return { ok: true, value: first };
}
