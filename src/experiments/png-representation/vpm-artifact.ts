import { framedMatrix, joinBytes, labelled } from '../../evidence/identity/framing';
import type { Sha256Id } from '../../evidence/identity/json';
import { type PyObject, pyFloat, pythonCanonical } from '../../evidence/identity/python-json';
import { sha256, sha256Hex } from '../../evidence/identity/sha256';

/** A score table and how it is laid out; policies and reports are both artifacts of this kind. */
export interface VpmSource {
  /** One row of finite values for each row id, one column for each metric id. */
  readonly values: readonly (readonly number[])[];
  readonly row_ids: readonly string[];
  readonly metric_ids: readonly string[];
  readonly metadata: PyObject;
  readonly layout: PyObject;
  /** Joined to the provenance's digests and empty parents. */
  readonly provenance: PyObject;
}

export interface VpmArtifact {
  /** Bare hex. */
  readonly artifact_id: string;
  readonly source_digest: Sha256Id;
  readonly recipe_digest: Sha256Id;
  readonly normalized: readonly (readonly number[])[];
  readonly provenance: PyObject;
}

/**
 * The identity of an artifact in source order (`zeromodel.vpm_artifact.identity.v1`): SHA-256 over framed table, layout,
 * normalised values, orders and provenance.
 */
export function vpmArtifact(source: VpmSource): VpmArtifact {
  const table = joinBytes([
    labelled('format', 'zeromodel.score_table.identity.v1'),
    labelled('values', framedMatrix(source.values)),
    labelled('row_ids', pythonCanonical(source.row_ids)),
    labelled('metric_ids', pythonCanonical(source.metric_ids)),
    labelled('metadata', pythonCanonical(source.metadata)),
  ]);
  const layout = pythonCanonical(source.layout);
  const source_digest = sha256(table);
  const recipe_digest = sha256(layout);
  const normalized = normalise(source.values);
  const provenance = { source_digest, recipe_digest, parents: [], ...source.provenance };
  const artifact_id = sha256Hex(
    joinBytes([
      labelled('format', 'zeromodel.vpm_artifact.identity.v1'),
      labelled('spec_version', 'vpm-artifact/0'),
      labelled('source', table),
      labelled('layout_recipe', layout),
      labelled('normalized_values', framedMatrix(normalized)),
      labelled('row_order', pythonCanonical(source.row_ids.map((_, i) => i))),
      labelled('column_order', pythonCanonical(source.metric_ids.map((_, i) => i))),
      labelled('provenance', pythonCanonical(provenance)),
    ]),
  );
  return { artifact_id, source_digest, recipe_digest, normalized, provenance };
}

/** Per column (v - min) / (max - min), a constant column as it is, clipped to 0..1. */
function normalise(values: readonly (readonly number[])[]): number[][] {
  const columns = values[0]?.length ?? 0;
  const out = values.map(() => new Array<number>(columns).fill(0));
  for (let column = 0; column < columns; column++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const row of values) {
      low = Math.min(low, row[column] ?? 0);
      high = Math.max(high, row[column] ?? 0);
    }
    for (const [i, row] of values.entries()) {
      const value = row[column] ?? 0;
      const scaled = high > low ? (value - low) / (high - low) : value;
      const target = out[i];
      if (target !== undefined) target[column] = Math.min(1, Math.max(0, scaled));
    }
  }
  return out;
}

/** A matrix as JSON: every entry a float. */
export function floatRows(values: readonly (readonly number[])[]): PyObject[string] {
  return values.map((row) => row.map(pyFloat));
}
