import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import { parseRational, type Rational } from '../../numeric/rational';
import { FEATURES, MAX_TERMS, type Predicate } from '../../pixels/signals/task';

/** Fields of a record that a predicate's name would collide with. */
const TAKEN = [
  'roi',
  'n',
  'sum',
  'value',
  'pass',
  'total',
  'min_area',
  'count',
  'areas',
  'boxes',
  'components_total',
];

/** Fields of a record that a signal's id, with _ for -, would overwrite. */
const RECORD_FIELDS = [
  'file',
  'sha256',
  'width',
  'height',
  'decoder',
  'rgb_sha256',
  'gates_passed',
  'decoder_exact',
  'definition',
  'engine',
  'reasons',
  'rounding_sensitivity',
  'warnings',
  'error',
  'constructor',
];

const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/, 'lower case letters, digits and _'));
const id = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,59}$/, 'lower case letters, digits and -'));
const level = v.pipe(v.number(), v.integer(), v.minValue(-255), v.maxValue(255));
const fraction = v.pipe(v.string(), v.regex(/^-?\d{1,7}(\/\d{1,7})?$/, 'a fraction such as 3/10'));
const term = v.strictObject({
  feature: v.picklist(FEATURES),
  at_least: v.optional(level),
  at_most: v.optional(level),
});
const span = v.strictTuple([fraction, fraction]);
const region = v.strictObject({ x: span, y: span });
const pass = v.union(
  [v.strictObject({ at_least: fraction }), v.strictObject({ at_most: fraction })],
  'an object with a fraction as either at_least or at_most',
);
const signal = v.variant('statistic', [
  v.strictObject({
    id,
    statistic: v.literal('mean'),
    region,
    of: v.picklist(FEATURES),
    where: name,
    pass: v.optional(pass),
  }),
  v.strictObject({ id, statistic: v.literal('share'), region, where: name, pass: v.optional(pass) }),
  v.strictObject({ id, statistic: v.literal('components'), least_area: fraction }),
]);
/** public/schemas/signals-definition-1.schema.json says the same to other programs. */
export const DEFINITION_FORM = v.strictObject({
  schema: v.literal('pixelproof-signals/1'),
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  title: v.pipe(v.string(), v.maxLength(200)),
  predicates: v.record(name, v.pipe(v.array(term), v.minLength(1), v.maxLength(MAX_TERMS))),
  /** The predicate whose pixels make the mask: counted over the whole image, and what components are made of. */
  mask: name,
  signals: v.pipe(v.array(signal), v.minLength(1), v.maxLength(64)),
});

/** A definition file as JSON: signals of one family for regions, colours and thresholds of one's own. */
export type DefinitionFile = v.InferOutput<typeof DEFINITION_FORM>;

export interface Region {
  readonly x: readonly [Rational, Rational];
  readonly y: readonly [Rational, Rational];
}
/** Both limits are inclusive. */
export interface Threshold {
  readonly side: 'at_least' | 'at_most';
  readonly value: Rational;
}
export interface MeanSignal {
  readonly statistic: 'mean';
  readonly id: string;
  readonly region: Region;
  readonly of: Predicate[number]['feature'];
  readonly where: string;
  readonly threshold: Threshold | null;
}
export interface ShareSignal {
  readonly statistic: 'share';
  readonly id: string;
  readonly region: Region;
  readonly where: string;
  readonly threshold: Threshold | null;
}
export interface ComponentsSignal {
  readonly statistic: 'components';
  readonly id: string;
  readonly least_area: Rational;
}
export type Signal = MeanSignal | ShareSignal | ComponentsSignal;

/** A validated definition. */
export interface Definition {
  readonly file: DefinitionFile;
  readonly id: string;
  readonly title: string;
  readonly predicates: ReadonlyMap<string, Predicate>;
  readonly mask: string;
  readonly signals: readonly Signal[];
}

/**
 * Checks a definition. Throws `definition_invalid` with the path of the first fault: a field that is missing, unknown or
 * malformed; limits that no level meets; a name that a field of the results has; a region that is empty or leaves the image; a predicate that is not there; an identifier used twice; more
 * than one signal of components (they all share one mask).
 */
export function parseDefinition(json: unknown): Definition {
  const parsed = v.safeParse(DEFINITION_FORM, json);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw invalid(v.getDotPath(issue) ?? '(the whole file)', expectedBy(issue), issue.received);
  }
  const file = parsed.output;
  // What every object inherits is left out of a record without a word.
  const inherited = Object.keys((json as DefinitionFile).predicates).find(
    (key) => !Object.hasOwn(file.predicates, key),
  );
  if (inherited !== undefined)
    throw invalid(`predicates.${inherited}`, 'this name cannot be used', inherited);
  const predicates = new Map<string, Predicate>();
  for (const [key, terms] of Object.entries(file.predicates)) {
    if (TAKEN.includes(key)) throw invalid(`predicates.${key}`, 'this name is a field of the results', key);
    predicates.set(
      key,
      terms.map(({ feature, at_least, at_most }, i) => {
        if (at_least === undefined && at_most === undefined)
          throw invalid(`predicates.${key}.${i}`, 'at_least or at_most is needed', 'neither');
        const [least, greatest] = [at_least ?? -255, at_most ?? 255];
        if (least > greatest)
          throw invalid(
            `predicates.${key}.${i}`,
            'at_least no higher than at_most',
            `${least} to ${greatest}`,
          );
        return { feature, least, greatest };
      }),
    );
  }
  const known = (path: string, key: string): string => {
    if (!predicates.has(key)) throw invalid(path, 'no predicate has this name', key);
    return key;
  };
  known('mask', file.mask);
  const seen = new Set<string>();
  let components = 0;
  const signals = file.signals.map((one, i): Signal => {
    const path = `signals.${i}`;
    if (seen.has(one.id)) throw invalid(`${path}.id`, 'each signal has an id of its own', one.id);
    seen.add(one.id);
    const field = one.id.replaceAll('-', '_');
    if (RECORD_FIELDS.includes(field) || field === `${file.mask}_total`)
      throw invalid(`${path}.id`, 'this id is a field of the record', one.id);
    if (one.statistic === 'components') {
      components += 1;
      if (components > 1) throw invalid(path, 'there can be one signal of components', one.id);
      const least_area = rational(`${path}.least_area`, one.least_area);
      if (least_area.num < 0 || least_area.num > least_area.den)
        throw invalid(`${path}.least_area`, 'a share of the image, 0 to 1', one.least_area);
      return { statistic: one.statistic, id: one.id, least_area };
    }
    const shared = {
      id: one.id,
      where: known(`${path}.where`, one.where),
      region: {
        x: interval(`${path}.region.x`, one.region.x),
        y: interval(`${path}.region.y`, one.region.y),
      },
      threshold: threshold(`${path}.pass`, one.pass),
    };
    return one.statistic === 'mean'
      ? { ...shared, statistic: 'mean', of: one.of }
      : { ...shared, statistic: 'share' };
  });
  return { file, id: file.id, title: file.title, predicates, mask: file.mask, signals };
}

function threshold(path: string, given: v.InferOutput<typeof pass> | undefined): Threshold | null {
  if (given === undefined) return null;
  return 'at_least' in given
    ? { side: 'at_least', value: rational(path, given.at_least) }
    : { side: 'at_most', value: rational(path, given.at_most) };
}

function interval(path: string, [from, to]: readonly [string, string]): [Rational, Rational] {
  const [a, b] = [rational(path, from), rational(path, to)];
  if (a.num < 0 || b.num > b.den || a.num * b.den >= b.num * a.den)
    throw invalid(path, 'two fractions of the side, 0 to 1, the first below the second', `${from} to ${to}`);
  return [a, b];
}

function rational(path: string, text: string): Rational {
  try {
    return parseRational(text);
  } catch (cause) {
    throw invalid(path, 'a fraction such as 3/10, both numbers at most 1000000', text, cause);
  }
}

/** What a rule of the form asks for, in words. */
function expectedBy(issue: v.BaseIssue<unknown>): string {
  if (issue.expected === 'never') return 'no such entry';
  return issue.type === 'union' || issue.expected === null || issue.kind !== 'schema'
    ? issue.message
    : issue.expected;
}

function invalid(path: string, expected: string, got: string, cause?: unknown): PixelproofError {
  return new PixelproofError('definition_invalid', `The definition is not valid at ${path}.`, {
    expected,
    got,
    cause,
  });
}
