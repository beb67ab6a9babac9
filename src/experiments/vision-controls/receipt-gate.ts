import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { attachmentOf } from './attachment';
import { swapPartners } from './controls';
import { isHit, polarityOf } from './gate';
import { type GateName, NOUL_THRESHOLD } from './protocol';
import { REVISION_DIGESTS } from './published-fixture';
import { publishedRow, type ReceiptContent, readReceipt } from './receipt-read';
import { type Judgement, judgeControls } from './verdict';

/** A figure that a receipt states and that does not follow from its probabilities. */
interface StoredDifference {
  readonly path: string;
  readonly stored: Json;
  readonly recomputed: Json;
}

export interface ReceiptVerdict {
  /** Null where the receipt cannot be judged; `cause` says why. */
  readonly judgement: Judgement | null;
  readonly verdict: Judgement['verdict'];
  readonly cause: string | null;
  readonly gate: GateName;
  readonly stored_differences: readonly StoredDifference[];
}

/**
 * Judges a receipt from its probabilities, token counts, gold, conditions and ids alone, and lists every stored figure
 * that contradicts what follows from them. A receipt that no verdict can rest on is `refused`, one without all of its
 * rows `incomplete`. Throws nothing for what is in the text.
 */
export function judgeReceipt(text: string, gate: GateName = 'smoke'): ReceiptVerdict {
  try {
    const content = readReceipt(text);
    const judgement = judgeContent(content, gate);
    return {
      judgement,
      verdict: judgement.verdict,
      cause: judgement.cause,
      gate,
      stored_differences: [...differences(content, judgement)],
    };
  } catch (error) {
    if (!(error instanceof PixelproofError)) throw error;
    const got = error.got === undefined ? '' : ` Found: ${error.got}.`;
    const cause = `${error.message}${got}`;
    return { judgement: null, verdict: 'refused', cause, gate, stored_differences: [] };
  }
}

function judgeContent(content: ReceiptContent, gate: GateName): Judgement {
  const { controls, row_ids, rule, sizeOf, level, credited, countsAreWhole } = content;
  const there = new Set(controls.map(({ unique_data_id }) => unique_data_id));
  const order = new Map(row_ids.map((id, index) => [id, index]));
  const sorted = [...controls].sort(
    (a, b) => (order.get(a.unique_data_id) ?? 0) - (order.get(b.unique_data_id) ?? 0),
  );
  return judgeControls({
    controls: sorted,
    gate,
    attachment: attachmentOf(sorted, rule, sizeOf),
    level,
    missing: row_ids.filter((id) => !there.has(id)),
    credited,
    countsAreWhole,
  });
}

/** The figures as the command line and a page show them. */
export function verdictRecord({
  judgement,
  verdict,
  cause,
  gate,
  stored_differences,
}: ReceiptVerdict): JsonObject {
  return {
    verdict,
    cause,
    gate,
    paired_ordering:
      judgement?.paired_ordering.map(({ row_id, family, present, swapped, margin, ordered }) => ({
        row_id,
        family,
        present,
        swapped,
        margin,
        ordered,
      })) ?? [],
    hits: judgement === null ? null : { ...judgement.hits },
    attachment:
      judgement === null
        ? { checked: false, min_growth: null, ok: null }
        : {
            checked: judgement.attachment.checked,
            min_growth: judgement.attachment.min_growth,
            ok: judgement.attachment.ok,
          },
    threshold_diagnostic:
      judgement === null ? null : (JSON.parse(JSON.stringify(judgement.threshold_diagnostic)) as JsonObject),
    stored_differences: stored_differences.map((one) => ({ ...one })),
  };
}

function* differences(content: ReceiptContent, judgement: Judgement): Iterable<StoredDifference> {
  const { root, form } = content;
  if (form === 'original') {
    yield* controlFigures(content);
    yield* partnerFigures(content);
    yield* annotationFigures(root);
    yield* rowFigures(root);
    const diagnostic = object(root.threshold_diagnostic);
    yield* compare('threshold_diagnostic threshold', diagnostic.threshold, NOUL_THRESHOLD);
    const summary = object(diagnostic.summary);
    for (const [key, value] of Object.entries(judgement.hits))
      yield* compare(`threshold_diagnostic summary ${key}`, summary[key], value);
  } else yield* consumerFigures(root);
  yield* pairFigures(root, judgement);
}

function* controlFigures({ root, controls }: ReceiptContent): Iterable<StoredDifference> {
  const stored = root.visual_controls as readonly JsonObject[];
  for (const [index, control] of controls.entries()) {
    const where = `visual_controls ${index} (${control.unique_data_id} ${control.condition})`;
    const given = stored[index] ?? {};
    yield* compare(`${where} polarity`, given.polarity, polarityOf(control.probability));
    yield* compare(
      `${where} counts_as_semantic_hit`,
      given.counts_as_semantic_hit,
      control.counts_as_semantic_hit,
    );
    yield* compare(`${where} semantic_hit`, given.semantic_hit, isHit(control));
  }
}

/** Whose picture a swap borrows follows from the rows; a receipt that does not list their order says nothing of it. */
function* partnerFigures({ root, controls }: ReceiptContent): Iterable<StoredDifference> {
  const orders = new Map(
    list(root.rows)
      .map(object)
      .map(({ unique_data_id, stream_order }) => [unique_data_id, stream_order]),
  );
  const present = controls.filter(({ condition }) => condition === 'present');
  const rows = present.flatMap(({ unique_data_id, visual_family }) => {
    const stream_order = orders.get(unique_data_id);
    return typeof stream_order === 'number' ? [{ unique_data_id, visual_family, stream_order }] : [];
  });
  const [first, second] = new Set(present.map(({ visual_family }) => visual_family));
  if (rows.length !== orders.size || first === undefined || second === undefined) return;
  const partners = swapPartners(rows, [first, second]);
  for (const { unique_data_id, condition, image_unique_data_id } of controls) {
    if (condition !== 'swapped') continue;
    const partner = partners.get(unique_data_id)?.unique_data_id ?? null;
    yield* compare(
      `visual_controls ${unique_data_id} swapped image_unique_data_id`,
      image_unique_data_id,
      partner,
    );
  }
}

function* annotationFigures(root: JsonObject): Iterable<StoredDifference> {
  for (const [index, value] of list(root.annotation_present_only).entries()) {
    const { category, requires_login } = object(value);
    const [chosen, login] = [object(category), object(requires_login)];
    const where = `annotation_present_only ${index}`;
    if (chosen.predicted !== undefined)
      yield* compare(`${where} category gold_match`, chosen.gold_match, chosen.predicted === chosen.expected);
    if (typeof login.probability === 'number') {
      const polarity = polarityOf(login.probability);
      yield* compare(`${where} requires_login polarity`, login.polarity, polarity);
      yield* compare(`${where} requires_login gold_match`, login.gold_match, polarity === login.expected);
    }
  }
}

/** Rows of the published fixture are what it says they are. */
function* rowFigures(root: JsonObject): Iterable<StoredDifference> {
  for (const [index, value] of list(root.rows).entries()) {
    const row = object(value);
    const known = publishedRow(String(row.unique_data_id));
    if (known === null) continue;
    yield* compare(`rows ${index} stream_order`, row.stream_order, known.stream_order);
    yield* compare(`rows ${index} screenshot_sha256`, row.screenshot_sha256, known.screenshot.sha256);
  }
}

function* consumerFigures(root: JsonObject): Iterable<StoredDifference> {
  const rows = list(root.matrix_rows).map(object);
  const annotation = rows.filter(({ leg }) => leg === 'annotation');
  const asked = annotation.reduce((total, { answers }) => total + Object.keys(object(answers)).length, 0);
  yield* compare('judgment_call_count', root.judgment_call_count, rows.length);
  yield* compare(
    'scoring_request_count',
    root.scoring_request_count,
    rows.length - annotation.length + asked,
  );
  const six = REVISION_DIGESTS['six-row'];
  if (root.manifest_sha256 !== six) yield* compare('manifest_sha256', root.manifest_sha256, six.slice(7));
  for (const [index, value] of list(root.frozen_case_image_digests).entries()) {
    const { unique_data_id, sha256 } = object(value);
    const known = publishedRow(String(unique_data_id))?.screenshot.sha256;
    if (known !== undefined && sha256 !== `sha256:${known}`)
      yield* compare(`frozen_case_image_digests ${index} sha256`, sha256, known);
  }
  for (const { unique_data_id, answers } of annotation) {
    for (const [name, value] of Object.entries(object(answers))) {
      const answer = object(value);
      const probabilities = Object.entries(object(answer.probabilities));
      if (answer.kind !== 'Choice' || probabilities.length === 0) continue;
      const best = probabilities.reduce((a, b) => (Number(b[1]) > Number(a[1]) ? b : a));
      const where = `matrix_rows ${String(unique_data_id)} ${name}`;
      yield* compare(`${where} choice`, answer.choice, best[0]);
      yield* compare(`${where} confidence`, answer.confidence, best[1]);
    }
  }
}

/** The two names of the published families; others are called first and second. */
function* pairFigures(root: JsonObject, { paired_ordering }: Judgement): Iterable<StoredDifference> {
  const stored = list(root.paired_ordering).map(object);
  for (const pair of paired_ordering) {
    const given = stored.find(({ unique_data_id }) => unique_data_id === pair.row_id);
    if (given === undefined) continue;
    const where = `paired_ordering ${pair.row_id}`;
    yield* compare(`${where} fox_image_id`, given.fox_image_id, pair.first_image_id);
    yield* compare(`${where} fox_probability`, given.fox_probability, pair.first_probability);
    yield* compare(`${where} non_fox_image_id`, given.non_fox_image_id, pair.second_image_id);
    yield* compare(`${where} non_fox_probability`, given.non_fox_probability, pair.second_probability);
    yield* compare(`${where} margin`, given.margin, pair.margin);
    yield* compare(`${where} ordered`, given.ordered, pair.ordered);
  }
  const rows = new Set(paired_ordering.map(({ row_id }) => row_id));
  for (const { unique_data_id } of stored) {
    if (rows.has(String(unique_data_id))) continue;
    yield { path: `paired_ordering ${String(unique_data_id)}`, stored: 'a row', recomputed: 'no such row' };
  }
}

/** Numbers are compared as numbers: another language prints 1.0 and 1e-07. What is not stated contradicts nothing. */
function* compare(path: string, stored: Json | undefined, recomputed: Json): Iterable<StoredDifference> {
  if (stored !== undefined && stored !== recomputed) yield { path, stored, recomputed };
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
