import type { Sha256Id } from '../../evidence/identity/json';
import { type PyObject, pyFloat } from '../../evidence/identity/python-json';
import { PROTOCOL_VERSION } from './protocol';
import { type ArcadeState, CANONICAL_STATES, canonicalIndex, rowId, stateOfRow } from './states';
import { vpmArtifact } from './vpm-artifact';

/** Actions in metric order; a tie goes to the first. */
const ACTIONS = ['LEFT', 'RIGHT', 'STAY', 'FIRE'] as const;
export type Action = (typeof ACTIONS)[number];

/** The compiled policy's four values of a state, in metric order. */
export function policyValues(state: ArcadeState): readonly [number, number, number, number] {
  const { tank_column: tank, target_column: target, cooldown } = state;
  if (target === null) return [0, 0, 1, 0];
  if (tank > target) return [1, 0, 0.1, 0];
  if (tank < target) return [0, 1, 0.1, 0];
  return cooldown === 0 ? [0, 0, 0, 1] : [0, 0, 1, 0];
}

/** Arg-max over the raw values. */
export function policyAction(state: ArcadeState): Action {
  const values = policyValues(state);
  const best = Math.max(...values);
  return ACTIONS[values.indexOf(best)] ?? 'LEFT';
}

const LAYOUT = {
  version: 'vpm-layout/0',
  name: 'local-model-arcade-source-order',
  row_order: { kind: 'source', tie_break: 'row_id' },
  column_order: { kind: 'source' },
  normalization: { kind: 'per_metric_minmax', clip: true },
};

/** The compiled policy as an artifact: its identity covers the values, the layout and where they come from. */
export const POLICY_ARTIFACT = vpmArtifact({
  values: CANONICAL_STATES.map(policyValues),
  row_ids: CANONICAL_STATES.map(rowId),
  metric_ids: ACTIONS,
  metadata: { kind: 'local_model_arcade_policy', schema: PROTOCOL_VERSION },
  layout: LAYOUT,
  provenance: { kind: 'local_only_experiment', provider: 'local_vlm' },
});

export const POLICY_ARTIFACT_ID: Sha256Id = `sha256:${POLICY_ARTIFACT.artifact_id}`;

/** What the policy does in a state and why, as case records keep it. Throws `unknown_row`. */
export function decisionTrace(row: string): PyObject & { readonly action: Action } {
  const state = stateOfRow(row);
  const values = policyValues(state);
  const action = policyAction(state);
  const metric = ACTIONS.indexOf(action);
  const index = canonicalIndex(state);
  return {
    artifact_id: POLICY_ARTIFACT_ID,
    row_id: row,
    action,
    metric_id: action,
    value: pyFloat(values[metric] ?? 0),
    source_row_index: index,
    source_metric_index: metric,
    view_row: index,
    view_column: metric,
    candidates: Object.fromEntries(ACTIONS.map((name, i) => [name, pyFloat(values[i] ?? 0)])),
    evidence: {},
  };
}
