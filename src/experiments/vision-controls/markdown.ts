import { controlOfCase } from './judge';
import { contentsOf, type VisionPlan } from './plan';
import { BLIND_PROBABILITY, CONDITIONS, PAIRED_MARGIN_FLOOR } from './protocol';
import type { VisionReport } from './report';

/** The report for a reader: verdict, matrix, margins, attachment, and what may not be concluded. */
export function markdownReport(plan: VisionPlan, report: VisionReport, nonClaims: readonly string[]): string {
  const { judgement, blind } = report;
  const { profile, rows } = contentsOf(plan);
  const controls = report.cases.map(controlOfCase);
  const of = (row: string, condition: string) => {
    const found = controls.find((c) => c.unique_data_id === row && c.condition === condition);
    return found === undefined ? '' : String(found.probability);
  };
  const { hits, attachment } = judgement;
  return [
    '# Vision controls',
    '',
    `Kind: ${report.kind}. Gate: ${judgement.gate}. Credit level: ${report.credit_level ?? 'none'}.`,
    `Verdict: **${judgement.verdict}**${judgement.cause === null ? '' : ` (${cell(judgement.cause)})`}.`,
    '',
    `Probability of \`true\` for \`${cell(profile.visual.name)}\`.`,
    '',
    `| row | family | ${CONDITIONS.join(' | ')} |`,
    '|---|---|---|---|---|',
    ...rows.map(
      ({ unique_data_id: id, visual_family }) =>
        `| ${cell(id)} | ${cell(visual_family)} | ${CONDITIONS.map((condition) => of(id, condition)).join(' | ')} |`,
    ),
    '',
    `Margins (floor ${PAIRED_MARGIN_FLOOR.toFixed(2)}):`,
    '',
    '| row | margin | ordered |',
    '|---|---|---|',
    ...judgement.paired_ordering.map(
      ({ row_id, margin, ordered }) => `| ${cell(row_id)} | ${margin} | ${ordered ?? 'open'} |`,
    ),
    '',
    `Threshold diagnostic, recorded and not gated${judgement.threshold_diagnostic.gated ? ' in the gate smoke' : ''}: ` +
      `${hits.hits} of ${hits.counted} counted controls read as expected, ${hits.uncounted} are never counted.`,
    `Token growth: ${attachment.min_growth ?? 'unknown'} at least, rule ${attachment.rule}.`,
    `A harness that does not look (every value ${BLIND_PROBABILITY}) has ${blind.hits.hits} of ${blind.hits.counted} ` +
      `hits on the same controls and the verdict ${blind.verdict}.`,
    '',
    '## What may not be concluded',
    '',
    ...nonClaims.map((claim) => `- ${claim}`),
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replace(/[|\\`*_<>[\]\r\n]/g, (char) => (char === '\r' || char === '\n' ? ' ' : `\\${char}`));
}
