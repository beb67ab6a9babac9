import type { Sha256Id } from '../../evidence/identity/json';
import { type PyObject, type PyValue, pyFloat, pythonCanonicalId } from '../../evidence/identity/python-json';
import type { CaseDto, OUTCOMES } from './case';
import type { RunDto } from './run';
import { floatRows, vpmArtifact } from './vpm-artifact';

/** The content of `report.json`. */
export type CompiledReport = PyObject & {
  readonly adapted_report_id: Sha256Id;
  readonly compiled_report_artifact_id: Sha256Id;
  readonly subject_count: number;
  /** Bare hex. */
  readonly vpm_artifact_id: string;
};

const CONTRACT = {
  spec_version: 'zeromodel-artifacts-report/v1',
  adapter_id: 'zeromodel.examples.provider_evaluation_report_adapter',
  adapter_version: 'provider-evaluation-report-adapter/v1',
  report_kind: 'provider_policy_impact_evaluation',
  subject_kind: 'provider_observation_case',
  dimension_namespace: 'provider_evaluation/v1',
  compatibility_id: 'provider-evaluation-report/v1',
  missing_value_semantics: 'error',
  duplicate_value_semantics: 'reject',
};
export const ADAPTER_CONTRACT_ID = pythonCanonicalId(CONTRACT);

const LAYOUT = {
  version: 'vpm-layout/0',
  name: 'arcade-png-representation-benchmark-priority-order',
  row_order: { kind: 'source', tie_break: 'row_id' },
  column_order: { kind: 'source' },
  normalization: { kind: 'per_metric_minmax', clip: true },
};

/** Cases that change the action come first: the report is read from its top. */
const PRIORITY = [
  'action_changing',
  'rejected',
  'action_equivalent',
  'exact',
] satisfies (typeof OUTCOMES)[number][];

interface Dimension {
  readonly id: string;
  readonly label: string;
  readonly semantics: 'higher_is_better' | 'higher_is_worse' | 'descriptive';
  /** The raw value, null where it does not apply to this case. */
  readonly value: (of: CaseDto) => number | null;
}

const flag = (value: boolean) => (value ? 1 : 0);
const factor = (id: string, label: string, name: string): Dimension => ({
  id,
  label,
  semantics: 'higher_is_better',
  value: (of) => (of.factor_matches[name] === undefined ? null : flag(of.factor_matches[name])),
});

const DIMENSIONS: readonly Dimension[] = [
  { id: 'accepted', label: 'Accepted', semantics: 'higher_is_better', value: (of) => flag(of.accepted) },
  {
    id: 'exact_state_match',
    label: 'Exact State Match',
    semantics: 'higher_is_better',
    value: (of) => flag(of.exact_state_match),
  },
  {
    id: 'action_match',
    label: 'Action Match',
    semantics: 'higher_is_better',
    value: (of) => flag(of.action_match),
  },
  {
    id: 'action_equivalent',
    label: 'Action Equivalent (state wrong, action still correct)',
    semantics: 'descriptive',
    value: (of) => flag(of.outcome === 'action_equivalent'),
  },
  {
    id: 'action_changing',
    label: 'Action Changing (policy-boundary error)',
    semantics: 'higher_is_worse',
    value: (of) => flag(of.outcome === 'action_changing'),
  },
  factor('tank_column_match', 'Tank Column Match', 'tank_column'),
  factor('target_present_match', 'Target Present Match', 'target_present'),
  factor('target_column_match', 'Target Column Match', 'target_column'),
  factor('cooldown_match', 'Cooldown Match', 'cooldown'),
  {
    id: 'confidence',
    label: 'Provider Confidence',
    semantics: 'higher_is_better',
    value: (of) =>
      of.provider_confidence_basis_points === null ? null : of.provider_confidence_basis_points / 10000,
  },
  {
    id: 'latency',
    label: 'Provider Latency (microseconds)',
    semantics: 'higher_is_worse',
    value: (of) => of.provider_latency_us,
  },
];

const DIMENSION_OBJECTS = DIMENSIONS.map(({ id, label, semantics }) => ({
  dimension_id: id,
  label,
  score_semantics: semantics,
  family: null,
  value_min: pyFloat(0),
  value_max: id === 'latency' ? null : pyFloat(1),
  target_min: null,
  target_max: null,
  default_importance: pyFloat(1),
  attributes: {},
}));

/** Compiles a run's cases into the reference's report and returns its identities. The run must be closed over them. */
export function compileReport(run: RunDto, cases: readonly CaseDto[]): CompiledReport {
  const ordered = [...cases].sort(
    (a, b) => PRIORITY.indexOf(a.outcome) - PRIORITY.indexOf(b.outcome) || a.case_ordinal - b.case_ordinal,
  );
  const subjects = ordered.map((of, position) => ({
    subject_id: of.case_id,
    label: `case-${String(of.case_ordinal).padStart(3, '0')}`,
    ordinal: position,
    source_ref: of.frame_id,
    attributes: {},
  }));
  const raw = ordered.map((of) => DIMENSIONS.map((dimension) => dimension.value(of)));
  const values = ordered.flatMap((of, row) =>
    DIMENSIONS.map(({ id }, column) => cellOf(run, of, id, raw[row]?.[column] ?? null)),
  );
  const adapted = {
    spec_version: CONTRACT.spec_version,
    report_id: run.run_id,
    report_kind: CONTRACT.report_kind,
    adapter_contract_id: ADAPTER_CONTRACT_ID,
    compatibility_id: CONTRACT.compatibility_id,
    subjects,
    dimensions: DIMENSION_OBJECTS,
    values,
    parent_report_ids: [],
    attributes: {},
  };
  const adapted_report_id = pythonCanonicalId(adapted);

  const scores = raw.map((row) => row.map((value) => value ?? 0));
  const row_ids = ordered.map((of) => of.case_id);
  const metric_ids = DIMENSIONS.map((dimension) => dimension.id);
  const metadata = { adapted_report_id };
  const vpm = vpmArtifact({
    values: scores,
    row_ids,
    metric_ids,
    metadata,
    layout: LAYOUT,
    provenance: { adapted_report_id, adapter_contract_id: ADAPTER_CONTRACT_ID },
  });
  const table = { values: floatRows(scores), row_ids, metric_ids, metadata };
  const vpmRef = {
    spec_version: 'vpm-artifact/0',
    source: table,
    layout_recipe: LAYOUT,
    view: {
      normalized_values: floatRows(vpm.normalized),
      row_order: row_ids.map((_, i) => i),
      column_order: metric_ids.map((_, i) => i),
    },
    provenance: vpm.provenance,
    artifact_id: vpm.artifact_id,
  };
  const {
    missing_value_semantics,
    report_kind,
    subject_kind,
    dimension_namespace,
    duplicate_value_semantics,
  } = CONTRACT;
  const compiled_report_artifact_id = pythonCanonicalId({
    spec_version: 'zeromodel-artifacts-compiled-report/v1',
    artifact_kind: 'zeromodel.artifacts.compiled-report/v1',
    adapted_report_ref: reference('zeromodel.artifacts.adapted-report/v1', adapted_report_id),
    adapter_contract_ref: reference('zeromodel.artifacts.report-adapter-contract/v1', ADAPTER_CONTRACT_ID),
    compatibility_id: CONTRACT.compatibility_id,
    compatibility_schema_id: pythonCanonicalId({
      missing_value_semantics,
      dimensions: DIMENSION_OBJECTS.map(
        ({ dimension_id, score_semantics, value_min, value_max, target_min, target_max }) => ({
          dimension_id,
          score_semantics,
          value_min,
          value_max,
          target_min,
          target_max,
        }),
      ),
    }),
    missing_value_semantics,
    report_kind,
    subject_kind,
    dimension_namespace,
    duplicate_value_semantics,
    report_semantics_id: pythonCanonicalId({
      report_kind,
      subject_kind,
      dimension_namespace,
      duplicate_value_semantics,
    }),
    score_table_ref: reference('zeromodel.core.score-table/v1', pythonCanonicalId(table)),
    layout_recipe_ref: reference('zeromodel.core.layout-recipe/v1', pythonCanonicalId(LAYOUT)),
    vpm_artifact_ref: reference('zeromodel.core.vpm-artifact/v1', pythonCanonicalId(vpmRef)),
    subjects,
    dimensions: DIMENSION_OBJECTS,
    cell_bindings: values.map((value, i) => {
      const row = Math.floor(i / DIMENSIONS.length);
      const column = i % DIMENSIONS.length;
      return {
        view_row: row,
        view_column: column,
        source_row_index: row,
        source_metric_index: column,
        subject_id: value.subject_id,
        dimension_id: value.dimension_id,
        value_index: i,
        source_binding: value.source_binding,
      };
    }),
  });
  return {
    adapted_report_id,
    compiled_report_artifact_id,
    subject_count: subjects.length,
    vpm_artifact_id: vpm.artifact_id,
  };
}

function reference(artifact_kind: string, artifact_id: string): PyObject {
  return { artifact_kind, artifact_id };
}

function cellOf(run: RunDto, of: CaseDto, dimension_id: string, raw: number | null) {
  const attributes: PyObject =
    raw === null ? { applicable: 'false', placeholder: 'true' } : { applicable: 'true' };
  const source_binding: PyValue = {
    subject_id: of.case_id,
    dimension_id,
    finding_ref: {
      report_id: run.run_id,
      finding_id: `${of.case_id}:${dimension_id}`,
      finding_kind: null,
    },
    source_uri: of.frame_id,
    source_start: null,
    source_end: null,
    attributes,
  };
  return {
    subject_id: of.case_id,
    dimension_id,
    raw_value: pyFloat(raw ?? 0),
    confidence: null,
    importance: pyFloat(raw === null ? 0 : 1),
    source_binding,
  };
}
