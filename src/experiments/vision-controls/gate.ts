import { PixelproofError } from '../../errors';
import type { Control } from './controls';
import { NOUL_THRESHOLD, PAIRED_MARGIN_FLOOR } from './protocol';

/** A probability, or what is known of one: credit level C gives one side only. Both ends equal for a read one. */
export interface Reading {
  readonly low: number;
  readonly high: number;
}

/** A control with what was read for it. */
export interface ScoredControl extends Control {
  /** Of `true`, 0 to 1. For a one-sided reading the known side. */
  readonly probability: number;
  readonly reading: Reading;
  /** Null where the server does not say. */
  readonly tokens_evaluated: number | null;
}

/** On which side of the threshold a yes/no probability reads. */
export function polarityOf(probability: number): boolean {
  return probability >= NOUL_THRESHOLD;
}

/** Whether a control counts and reads as expected. An omitted control is never a hit, whatever it answered. */
export function isHit({ counts_as_semantic_hit, expected, probability }: ScoredControl): boolean {
  return counts_as_semantic_hit && expected !== null && polarityOf(probability) === expected;
}

export interface HitSummary {
  readonly counted: number;
  readonly hits: number;
  readonly uncounted: number;
}

export function hitSummary(controls: readonly ScoredControl[]): HitSummary {
  const counted = controls.filter((control) => control.counts_as_semantic_hit).length;
  return { counted, hits: controls.filter(isHit).length, uncounted: controls.length - counted };
}

/** The two imaged controls of a row against each other. */
export interface PairedOrdering {
  readonly row_id: string;
  readonly family: string;
  readonly present: number;
  readonly swapped: number;
  readonly first_image_id: string | null;
  readonly first_probability: number;
  readonly second_image_id: string | null;
  readonly second_probability: number;
  /** p(picture of the first family) - p(picture of the second), in doubles. */
  readonly margin: number;
  /** Null where one-sided readings leave it open. */
  readonly ordered: boolean | null;
}

/** Inclusive, as IEEE doubles: 0.2 - 0.1 is ordered, 0.6 - 0.5 is not. */
export function isOrdered(margin: number): boolean {
  return margin >= PAIRED_MARGIN_FLOOR;
}

/**
 * The paired gate of one row. Throws `pair_expected` unless exactly one of its two pictures is of the first family.
 */
function pairOf(present: ScoredControl, swapped: ScoredControl): PairedOrdering {
  const [first, second] = present.expected === true ? [present, swapped] : [swapped, present];
  if (first.expected !== true || second.expected !== false) {
    throw new PixelproofError(
      'pair_expected',
      `Row ${present.unique_data_id} needs one picture that should read true and one that should read false.`,
      { expected: 'one true and one false', got: `${present.expected} and ${swapped.expected}` },
    );
  }
  return {
    row_id: present.unique_data_id,
    family: present.visual_family,
    present: present.probability,
    swapped: swapped.probability,
    first_image_id: first.image_unique_data_id,
    first_probability: first.probability,
    second_image_id: second.image_unique_data_id,
    second_probability: second.probability,
    margin: first.probability - second.probability,
    ordered: orderedWithin(first.reading, second.reading),
  };
}

/** Whether the bounds alone decide it. */
function orderedWithin(first: Reading, second: Reading): boolean | null {
  const [least, greatest] = [first.low - second.high, first.high - second.low];
  if (isOrdered(least)) return true;
  return isOrdered(greatest) ? null : false;
}

/** The row's pairs, in the order of the controls. Rows whose two imaged controls are not both there are left out. */
export function pairedOrdering(controls: readonly ScoredControl[]): PairedOrdering[] {
  const rows = new Map<string, { present?: ScoredControl; swapped?: ScoredControl }>();
  for (const control of controls) {
    const row = rows.get(control.unique_data_id) ?? {};
    rows.set(control.unique_data_id, row);
    if (control.condition === 'present') row.present = control;
    if (control.condition === 'swapped') row.swapped = control;
  }
  return [...rows.values()].flatMap(({ present, swapped }) =>
    present === undefined || swapped === undefined ? [] : [pairOf(present, swapped)],
  );
}
