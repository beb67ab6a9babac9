import { PixelproofError } from '../../errors';
import { byCodePoint, type PyObject, pythonPresentation } from '../../evidence/identity/python-json';
import { type Classification, classify, identityOf, incomparability } from './classification';
import type { RunDto } from './run';

type ComparisonRow = PyObject & {
  readonly variant_id: string;
  readonly recipe_id: string;
  readonly run_id: string;
  readonly exact_count: number;
  readonly action_equivalent_count: number;
  readonly action_changing_count: number;
  readonly rejected_count: number;
  readonly action_correct_count: number;
  readonly latency_median_us: number | null;
  readonly latency_p95_us: number | null;
};

/** The content of `comparison.json`, and who the baseline is. */
export interface Comparison {
  readonly baseline: string;
  readonly classifications: { readonly [variant: string]: Classification };
  readonly compatibility_statement: string;
  /** Sorted by variant id. */
  readonly rows: readonly ComparisonRow[];
}

/** Throws `runs_not_comparable` with the reference's sentence when any run differs from the first in an identity. */
export function validateComparableRuns(runs: readonly RunDto[]): void {
  const [first, ...others] = runs;
  if (first === undefined) return;
  for (const other of others) {
    const sentence = incomparability(first, other);
    if (sentence !== null) throw new PixelproofError('runs_not_comparable', sentence);
  }
}

/**
 * Every run against the baseline: `unlabelled-v1` if present, else the alphabetically first. An incomparable run gets
 * the label `incompatible`. Throws `comparison_empty` without any run.
 */
export function compareRuns(runs: readonly RunDto[]): Comparison {
  const sorted = [...runs].sort((a, b) => byCodePoint(a.representation_mode, b.representation_mode));
  const baseline = sorted.find((run) => run.representation_mode === 'unlabelled-v1') ?? sorted[0];
  if (baseline === undefined) {
    throw new PixelproofError('comparison_empty', 'There is no finished run to compare.', {
      expected: 'at least one run',
      got: 'none',
    });
  }
  return {
    baseline: baseline.representation_mode,
    classifications: Object.fromEntries(
      sorted
        .filter((run) => run !== baseline)
        .map((run) => [run.representation_mode, classify(baseline, run)]),
    ),
    compatibility_statement: statement(baseline),
    rows: sorted.map(rowOf),
  };
}

function statement(baseline: RunDto): string {
  const { protocol_version: _, ...shared } = identityOf(baseline);
  const list = Object.entries(shared).map(([field, value]) => `${field}=${value}`);
  return (
    `All compared runs share ${list.join(', ')}. Only representation_mode and recipe_id varied across the ` +
    `compared runs. Baseline variant: ${baseline.representation_mode}.`
  );
}

function rowOf(run: RunDto): ComparisonRow {
  const { summary } = run;
  return {
    variant_id: run.representation_mode,
    recipe_id: String(run.metadata.recipe_id),
    run_id: run.run_id,
    exact_count: summary.exact_count,
    action_equivalent_count: summary.action_equivalent_count,
    action_changing_count: summary.action_changing_count,
    rejected_count: summary.rejected_count,
    action_correct_count: summary.action_correct_count,
    factor_counts: summary.factor_correct_counts,
    latency_median_us: summary.latency_median_us,
    latency_p95_us: summary.latency_p95_us,
  };
}

/** `comparison.json`, byte for byte as the reference writes it. */
export function comparisonJson({ classifications, compatibility_statement, rows }: Comparison): string {
  return pythonPresentation({ classifications, compatibility_statement, rows });
}

const CSV_COLUMNS = [
  'variant_id',
  'recipe_id',
  'run_id',
  'exact_count',
  'action_equivalent_count',
  'action_changing_count',
  'rejected_count',
  'action_correct_count',
  'latency_median_us',
  'latency_p95_us',
];

/** `comparison.csv`: CRLF row ends, null as nothing. */
export function comparisonCsv({ rows }: Comparison): string {
  const lines = rows.map((row) => CSV_COLUMNS.map((column) => String(row[column] ?? '')));
  return [CSV_COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** `comparison.md`: LF line ends. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { classifications, compatibility_statement, rows } = comparison;
  const lines = rows.map((row) => {
    const cells = [
      row.variant_id,
      `\`${row.recipe_id.slice(0, 16)}...\``,
      row.exact_count,
      row.action_equivalent_count,
      row.action_changing_count,
      row.rejected_count,
      row.action_correct_count,
      row.latency_median_us ?? '-',
      row.latency_p95_us ?? '-',
      classifications[row.variant_id]?.label ?? 'n/a',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const reasons = Object.entries(classifications).map(
    ([variant, { label, reasoning }]) => `- **${variant}**: ${label} - ${reasoning}`,
  );
  return `${[
    '# Representation comparison',
    '',
    compatibility_statement,
    '',
    '| Variant | Recipe | Exact | Action-equiv | Action-changing | Rejected | Action-correct | Latency median (us) | Latency p95 (us) | Classification |',
    '|---|---|---:|---:|---:|---:|---:|---:|---:|---|',
    ...lines,
    '',
    '## Classification reasoning',
    '',
    ...reasons,
  ].join('\n')}\n`;
}
