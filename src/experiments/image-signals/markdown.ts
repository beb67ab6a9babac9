import type { SignalsReport } from './report';

const share = (value: number) => value.toFixed(3);
const interval = (rate: { readonly low: number; readonly high: number } | null) =>
  rate === null ? 'none' : `${share(rate.low)} to ${share(rate.high)}`;

/** The report for a person to read: rates with their intervals, cells with their states, and what it does not show. */
export function markdownReport(report: SignalsReport): string {
  const lines = [
    `# Image signals: ${report.definition}`,
    '',
    `${report.measured} pictures measured, ${report.undecodable} not readable. Kind: ${report.kind}.`,
    '',
    '| signal | passes | pictures | 95 % Wilson interval | undefined |',
    '|---|---:|---:|---|---:|',
    ...report.signals.map(
      (one) =>
        `| ${one.signal} | ${one.passes} | ${one.of_images} | ${interval(one.interval)} | ${one.undefined_values} |`,
    ),
    '',
    '## Matrix',
    '',
    '| arm | repetition | state | reason |',
    '|---|---:|---|---|',
    ...report.cells.map(({ arm, repetition, steps }) => {
      const last = steps.at(-1);
      return `| ${arm} | ${repetition} | ${last?.state ?? 'planned'} | ${cell(last?.reason ?? '')} |`;
    }),
    '',
    '| arm | signal | passes | of attempts | of pictures | 95 % Wilson interval |',
    '|---|---|---:|---:|---:|---|',
    ...report.arms.flatMap((arm) =>
      arm.signals.map(
        (one) =>
          `| ${arm.arm} | ${one.signal} | ${one.passes} | ${one.of_attempts} | ${one.of_images} | ${interval(one.interval)} |`,
      ),
    ),
    '',
    '## Review',
    '',
    `${report.reviews.scores} scores by ${report.reviews.reviewers} reviewers, kept apart from the signals.`,
    '',
    '## What this does not show',
    '',
    ...report.non_claims.map((claim) => `* ${claim}`),
    '',
  ];
  return lines.join('\n');
}

/** A reason comes from a person: it must not end the table. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
