import type { ScoredControl } from './gate';
import { MINIMUM_TOKEN_GROWTH } from './protocol';

/**
 * How growth is judged. `gemma3`: at least 200 tokens. `relative`, for every other template or model: above zero, and
 * equal for all imaged controls whose pictures have equal sides; it never raises a provider above credit level B.
 */
export type GrowthRule = 'gemma3' | 'relative';

export interface Attachment {
  /** False where a token count is missing: nothing is shown then. */
  readonly checked: boolean;
  /** Least growth over all imaged controls, null where none could be computed. */
  readonly min_growth: number | null;
  /** Null where not checked. */
  readonly ok: boolean | null;
  readonly rule: GrowthRule;
  readonly growths: readonly Growth[];
}

interface Growth {
  readonly row_id: string;
  readonly condition: string;
  readonly image_id: string | null;
  readonly growth: number;
}

/**
 * Whether pictures reached the model, by prompt tokens: each imaged control against the omitted one of its row. A status
 * of 200 and a valid distribution are no evidence: a dropped picture leaves the marker as text, about 30 tokens.
 * `sizeOf` gives the sides of a picture, null where unknown (then all are taken as equal).
 */
export function attachmentOf(
  controls: readonly ScoredControl[],
  rule: GrowthRule,
  sizeOf: (image: string | null) => string | null = () => null,
): Attachment {
  const omitted = new Map<string, number | null>();
  for (const control of controls) {
    if (control.condition === 'omitted') omitted.set(control.unique_data_id, control.tokens_evaluated);
  }
  const growths: Growth[] = [];
  let checked = controls.length > 0;
  for (const control of controls) {
    if (control.condition === 'omitted') continue;
    const without = omitted.get(control.unique_data_id) ?? null;
    if (control.tokens_evaluated === null || without === null) {
      checked = false;
      continue;
    }
    growths.push({
      row_id: control.unique_data_id,
      condition: control.condition,
      image_id: control.image_unique_data_id,
      growth: control.tokens_evaluated - without,
    });
  }
  const min_growth = growths.length === 0 ? null : Math.min(...growths.map(({ growth }) => growth));
  if (min_growth === null) checked = false;
  const least = rule === 'gemma3' ? MINIMUM_TOKEN_GROWTH : 1;
  // A growth that is too small is shown by what is there, also where other counts are missing.
  const small = min_growth !== null && min_growth < least;
  const uneven = rule === 'relative' && !equalBySize(growths, sizeOf);
  return {
    checked,
    min_growth,
    ok: small || uneven ? false : checked ? true : null,
    rule,
    growths,
  };
}

function equalBySize(growths: readonly Growth[], sizeOf: (image: string | null) => string | null): boolean {
  const bySize = new Map<string, number>();
  for (const { image_id, growth } of growths) {
    const size = sizeOf(image_id) ?? 'unknown';
    const known = bySize.get(size);
    if (known !== undefined && known !== growth) return false;
    bySize.set(size, growth);
  }
  return true;
}
