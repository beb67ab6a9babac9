import { PixelproofError } from '../../errors';
import type { Row } from './manifest';
import type { FamilyPair, Profile } from './profile';
import { CONDITIONS, type Condition } from './protocol';

/** What the matrix needs of a row. */
export type MatrixRow = Pick<Row, 'unique_data_id' | 'stream_order' | 'visual_family'>;

/** One of the controls of a row: which picture is shown, and what it should make the model say. */
export interface Control {
  readonly unique_data_id: string;
  readonly visual_family: string;
  readonly condition: Condition;
  /** The row whose picture is shown, null without one. */
  readonly image_unique_data_id: string | null;
  /** Whether that picture is of the first family; null without a picture: nothing is expected then. */
  readonly expected: boolean | null;
  readonly counts_as_semantic_hit: boolean;
}

/**
 * Whose picture each row borrows: in each family rows by ascending `stream_order`, and the row at position i borrows
 * from row `i mod n` of the other family of n. Throws `family_empty`.
 */
export function swapPartners(
  rows: readonly MatrixRow[],
  families: FamilyPair,
): ReadonlyMap<string, MatrixRow> {
  const [first, second] = families.map((family) =>
    rows
      .filter(({ visual_family }) => visual_family === family)
      .sort((a, b) => a.stream_order - b.stream_order),
  );
  const partners = new Map<string, MatrixRow>();
  for (const [mine, others] of [
    [first ?? [], second ?? []],
    [second ?? [], first ?? []],
  ] as const) {
    for (const [index, row] of mine.entries()) {
      const partner = others[index % others.length];
      if (partner === undefined) {
        throw new PixelproofError('family_empty', 'A swap needs pictures of both families.', {
          expected: families.join(' and '),
          got: row.visual_family,
        });
      }
      partners.set(row.unique_data_id, partner);
    }
  }
  return partners;
}

/** The matrix: rows in manifest order, for each one present, omitted, swapped. Throws `family_empty`. */
export function controlMatrix(
  rows: readonly MatrixRow[],
  { families }: Pick<Profile, 'families'>,
): Control[] {
  const partners = swapPartners(rows, families);
  const first = ({ visual_family }: MatrixRow) => visual_family === families[0];
  return rows.flatMap((row) =>
    CONDITIONS.map((condition): Control => {
      const partner = partners.get(row.unique_data_id) ?? row;
      const shown = condition === 'omitted' ? null : condition === 'present' ? row : partner;
      return {
        unique_data_id: row.unique_data_id,
        visual_family: row.visual_family,
        condition,
        image_unique_data_id: shown?.unique_data_id ?? null,
        expected: shown === null ? null : first(shown),
        counts_as_semantic_hit: shown !== null,
      };
    }),
  );
}
