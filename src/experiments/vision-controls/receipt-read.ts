import { parseObject } from '../../evidence/bundle/safe-json';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type { GrowthRule } from './attachment';
import { swapPartners } from './controls';
import type { Reading, ScoredControl } from './gate';
import type { Row } from './manifest';
import { PUBLISHED_PROFILE } from './profile';
import { NATIVE_TEMPLATES } from './prompt';
import { type Condition, DATASET_ID, PROBABILITY_SUM_TOLERANCE, VISUAL_QUESTION } from './protocol';
import { publishedManifest } from './published-fixture';
import {
  booleanAt,
  conditionAt,
  listAt,
  objectAt,
  probabilityAt,
  refuseField,
  textAt,
  tokensAt,
} from './receipt-fields';
import { CREDIT_LEVELS, type CreditLevel } from './verdict';

/** What a verdict may rest on, read from a receipt; everything else in it is only compared. */
export interface ReceiptContent {
  readonly form: 'original' | 'consumer';
  readonly root: JsonObject;
  readonly controls: readonly ScoredControl[];
  /** Every row that the receipt must have controls of, in order. */
  readonly row_ids: readonly string[];
  /** Omitted controls that are stored as a hit, or as counting for one. */
  readonly credited: readonly string[];
  readonly level: CreditLevel | null;
  readonly rule: GrowthRule;
  readonly countsAreWhole: boolean;
  readonly sizeOf: (image: string | null) => string | null;
}

/** Rows of the published fixture by id; the later receipts name rows of it and nothing else about them. */
const PUBLISHED = new Map<string, Row>(
  publishedManifest('six-row').rows.map((row) => [row.unique_data_id, row]),
);
export const publishedRow = (id: string): Row | null => PUBLISHED.get(id) ?? null;

/**
 * Reads a receipt of either form: the original one with `visual_controls`, the later consumer's with `matrix_rows`.
 * Throws `json_*` for the text and `receipt_field` for anything that a verdict cannot rest on: a control twice, a row
 * without one of its controls, an unknown condition, a probability outside 0 to 1, a token count that is no whole
 * number, gold or pictures that contradict each other or the published fixture.
 */
export function readReceipt(text: string): ReceiptContent {
  const root = parseObject(text, 'The receipt');
  if (root.visual_controls !== undefined) return original(root);
  if (root.matrix_rows !== undefined) return consumer(root);
  return refuseField('the receipt', 'one with visual_controls or matrix_rows', Object.keys(root));
}

function original(root: JsonObject): ReceiptContent {
  const web = root.web === undefined ? {} : objectAt('web', root.web);
  const readings = new Map<string, Reading>();
  const sizes = new Map<string, string>();
  for (const [index, value] of listAt('web controls', web.controls ?? []).entries()) {
    const where = `web controls ${index}`;
    const control = objectAt(where, value);
    const key = `${String(control.unique_data_id)} ${String(control.condition)}`;
    if (control.reading !== undefined) readings.set(key, readingAt(`${where} reading`, control.reading));
    if (typeof control.image_size === 'string' && typeof control.image_unique_data_id === 'string')
      sizes.set(control.image_unique_data_id, control.image_size);
  }
  const credited: string[] = [];
  const controls = listAt('visual_controls', root.visual_controls).map((value, index): ScoredControl => {
    const where = `visual_controls ${index}`;
    const given = objectAt(where, value);
    const id = textAt(`${where} unique_data_id`, given.unique_data_id);
    const condition = conditionAt(`${where} condition`, given.condition);
    const imaged = condition !== 'omitted';
    const probability = probabilityAt(`${where} probability`, given.probability);
    if (!imaged && (given.counts_as_semantic_hit === true || given.semantic_hit === true)) credited.push(id);
    return {
      unique_data_id: id,
      visual_family: textAt(`${where} visual_family`, given.visual_family),
      condition,
      image_unique_data_id: imageAt(
        `${where} image_unique_data_id`,
        condition,
        id,
        given.image_unique_data_id,
      ),
      expected: imaged
        ? booleanAt(`${where} expected`, given.expected)
        : nullAt(`${where} expected`, given.expected),
      counts_as_semantic_hit: imaged,
      probability,
      reading: boundedReading(where, probability, readings.get(`${id} ${condition}`)),
      tokens_evaluated: tokensAt(where, given),
    };
  });
  const listed = listAt('rows', root.rows ?? []).map((row, index) =>
    textAt(`rows ${index} unique_data_id`, objectAt(`rows ${index}`, row).unique_data_id),
  );
  const row_ids = rowIds(root, controls, listed);
  if (listed.length > 0) {
    const foreign = controls.find(({ unique_data_id }) => !row_ids.includes(unique_data_id));
    if (foreign !== undefined) refuseField('visual_controls', 'of the rows listed', foreign.unique_data_id);
  }
  requireConsistent(controls);
  return {
    form: 'original',
    root,
    controls,
    row_ids,
    credited,
    level: CREDIT_LEVELS.find((level) => level === web.credit_level) ?? null,
    rule: ruleOf(web.template_class),
    countsAreWhole: web.counts_are_whole !== false,
    sizeOf: (image) => (image === null ? null : (sizes.get(image) ?? null)),
  };
}

/** The rows listed; for the published data set, at least those of the revision that its rows are of. */
function rowIds(root: JsonObject, controls: readonly ScoredControl[], listed: readonly string[]): string[] {
  if (new Set(listed).size !== listed.length) refuseField('rows', 'each listed once', listed);
  const there = [...new Set(controls.map(({ unique_data_id }) => unique_data_id))];
  const ids = listed.length > 0 ? [...listed] : there;
  if (root.dataset_id !== DATASET_ID || !ids.every((id) => PUBLISHED.has(id))) return ids;
  // A run of ours over some rows says so; the published receipts of this form are of a whole revision.
  const chosen = root.web === undefined ? undefined : objectAt('web', root.web).rows;
  if (chosen !== undefined && listAt('web rows', chosen).join(' ') === ids.join(' ')) return ids;
  const five = publishedManifest('five-row').rows.map(({ unique_data_id }) => unique_data_id);
  const revision = ids.every((id) => five.includes(id)) ? five : [...PUBLISHED.keys()];
  return revision;
}

function consumer(root: JsonObject): ReceiptContent {
  const controls: ScoredControl[] = [];
  const images = new Map<string, string>();
  const frozen = listAt('frozen_case_image_digests', root.frozen_case_image_digests ?? []).map(
    (value, index) =>
      textAt(
        `frozen_case_image_digests ${index}`,
        objectAt(`frozen_case_image_digests ${index}`, value).unique_data_id,
      ),
  );
  const rows = listAt('matrix_rows', root.matrix_rows).map((value, index) =>
    objectAt(`matrix_rows ${index}`, value),
  );
  for (const [index, row] of rows.entries()) {
    const where = `matrix_rows ${index}`;
    const id = textAt(`${where} unique_data_id`, row.unique_data_id);
    const fixture = PUBLISHED.get(id) ?? refuseField(`${where} unique_data_id`, 'a row of the fixture', id);
    const answers = objectAt(`${where} answers`, row.answers);
    if (row.leg === 'annotation') {
      if (row.condition !== 'text_annotation')
        refuseField(`${where} condition`, 'text_annotation', row.condition);
      for (const [name, answer] of Object.entries(answers)) annotationAt(`${where} answers ${name}`, answer);
      continue;
    }
    if (row.leg !== 'visual') refuseField(`${where} leg`, 'visual or annotation', row.leg);
    const condition = conditionAt(`${where} condition`, row.condition);
    const answer = objectAt(`${where} answers ${VISUAL_QUESTION}`, answers[VISUAL_QUESTION]);
    if (answer.kind !== 'Noul') refuseField(`${where} answers kind`, 'Noul', answer.kind);
    const probability = probabilityAt(`${where} answers noul`, answer.noul);
    const imaged = condition !== 'omitted';
    controls.push({
      unique_data_id: id,
      visual_family: fixture.visual_family,
      condition,
      image_unique_data_id: imaged ? id : null,
      expected: imaged ? (fixture.visual_family === 'fox_news') === (condition === 'present') : null,
      counts_as_semantic_hit: imaged,
      probability,
      reading: { low: probability, high: probability },
      tokens_evaluated: tokensAt(where, row),
    });
    images.set(id, fixture.screenshot.sha256);
  }
  const listed = frozen.length > 0 ? frozen : [...images.keys()];
  const foreign = controls.find(({ unique_data_id }) => !listed.includes(unique_data_id));
  if (foreign !== undefined) refuseField('matrix_rows', 'of the frozen cases', foreign.unique_data_id);
  // Whose picture a swap borrowed stands in no field; the rule gives it.
  const partners = partnersOf(listed);
  const withImages = controls.map((control) =>
    control.condition === 'swapped'
      ? { ...control, image_unique_data_id: partners.get(control.unique_data_id) ?? null }
      : control,
  );
  requireConsistent(withImages);
  return {
    form: 'consumer',
    root,
    controls: withImages,
    row_ids: listed,
    credited: [],
    level: null,
    rule: ruleOf(root.served_template ?? NATIVE_TEMPLATES[1]),
    countsAreWhole: true,
    sizeOf: () => null,
  };
}

function partnersOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const rows = ids.flatMap((id) => PUBLISHED.get(id) ?? []);
  const families = new Set(rows.map(({ visual_family }) => visual_family));
  if (families.size < 2) return new Map();
  const partners = swapPartners(rows, PUBLISHED_PROFILE.families);
  return new Map([...partners].map(([id, { unique_data_id }]) => [id, unique_data_id]));
}

/** The token figure of 200 is Gemma 3's; a receipt that does not say its template is of the original smoke. */
function ruleOf(template: Json | undefined): GrowthRule {
  if (template === undefined || template === null) return 'gemma3';
  return String(template).toLowerCase() === NATIVE_TEMPLATES[0] ? 'gemma3' : 'relative';
}

function annotationAt(where: string, value: Json): void {
  const answer = objectAt(where, value);
  if (answer.kind === 'Noul') {
    probabilityAt(`${where} noul`, answer.noul);
    return;
  }
  if (answer.kind !== 'Choice') refuseField(`${where} kind`, 'Noul or Choice', answer.kind);
  probabilityAt(`${where} confidence`, answer.confidence);
  const probabilities = Object.entries(objectAt(`${where} probabilities`, answer.probabilities ?? {}));
  const sum = probabilities.reduce(
    (total, [label, p]) => total + probabilityAt(`${where} probabilities ${label}`, p),
    0,
  );
  if (probabilities.length > 0 && Math.abs(sum - 1) > PROBABILITY_SUM_TOLERANCE)
    refuseField(`${where} probabilities`, 'a distribution that sums to 1', sum);
}

function readingAt(where: string, value: Json): Reading {
  const { low, high } = objectAt(where, value);
  const reading = { low: probabilityAt(`${where} low`, low), high: probabilityAt(`${where} high`, high) };
  return reading.low <= reading.high ? reading : refuseField(where, 'a low at most its high', value);
}

/** A one-sided reading must have the stored probability as its known side. */
function boundedReading(where: string, probability: number, reading: Reading | undefined): Reading {
  if (reading === undefined) return { low: probability, high: probability };
  if (reading.low === probability || reading.high === probability) return reading;
  return refuseField(`${where} probability`, 'the known side of its reading', probability);
}

function imageAt(where: string, condition: Condition, id: string, value: Json | undefined): string | null {
  if (condition === 'omitted') return nullAt(where, value);
  const image = textAt(where, value);
  if (condition === 'present' && image !== id) refuseField(where, 'the row’s own id', image);
  if (condition === 'swapped' && image === id) refuseField(where, 'the id of another row', image);
  return image;
}

function nullAt(where: string, value: Json | undefined): null {
  return value === null ? null : refuseField(where, 'null without a picture', value);
}

/** Exactly one control for each row and condition; gold follows from the families, and is the published one. */
function requireConsistent(controls: readonly ScoredControl[]): void {
  const seen = new Map<string, ScoredControl>();
  for (const control of controls) {
    const key = `${control.unique_data_id} ${control.condition}`;
    if (seen.has(key)) refuseField('controls', 'one for each row and condition', `${key} twice`);
    seen.set(key, control);
  }
  const truth = new Map<string, boolean | null>();
  for (const { unique_data_id: id, visual_family, condition } of controls) {
    for (const other of ['present', 'omitted', 'swapped']) {
      if (!seen.has(`${id} ${other}`))
        refuseField('controls', 'one for each row and condition', `${id} without ${other}`);
    }
    const [present, swapped] = [seen.get(`${id} present`), seen.get(`${id} swapped`)];
    if (present?.expected === swapped?.expected)
      refuseField(
        `expected of ${id}`,
        'true for one picture and false for the other',
        present?.expected ?? null,
      );
    if (condition !== 'present') continue;
    const family = truth.get(visual_family);
    const expected = present?.expected ?? null;
    if (family !== undefined && family !== expected)
      refuseField(`expected of ${id}`, `${family}, as for all of ${visual_family}`, expected);
    truth.set(visual_family, expected);
    const published = PUBLISHED.get(id);
    if (published !== undefined && published.expected[VISUAL_QUESTION] !== expected)
      refuseField(`expected of ${id}`, `${published.expected[VISUAL_QUESTION]}, as in the fixture`, expected);
  }
  const gold = [...truth.values()];
  if (truth.size > 2 || new Set(gold).size !== gold.length)
    refuseField('visual_family', 'two families, one that reads true and one that reads false', [
      ...truth.keys(),
    ]);
  for (const { unique_data_id, visual_family, condition, image_unique_data_id, expected } of controls) {
    if (truth.get(visual_family) !== seen.get(`${unique_data_id} present`)?.expected)
      refuseField(`visual_family of ${unique_data_id}`, 'the same in every control', visual_family);
    const shown = condition === 'swapped' ? seen.get(`${image_unique_data_id} present`) : undefined;
    if (shown !== undefined && shown.expected !== expected)
      refuseField(
        `expected of ${unique_data_id} swapped`,
        `${shown.expected}, as its picture’s own row`,
        expected,
      );
  }
}
