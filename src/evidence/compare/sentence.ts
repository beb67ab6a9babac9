import type { RunComparison } from './compare';

const cases = (n: number): string => `${n} ${n === 1 ? 'case' : 'cases'}`;

/** The comparison in a sentence or two, for a page and a terminal: findings first, then the records. */
export function comparisonSentence({ findings, records, plan, cases: all }: RunComparison): string {
  const differ = all.outcome.total + all.evidence.total;
  const only = [
    ...(all.only_a.total === 0 ? [] : [`${cases(all.only_a.total)} only in A`]),
    ...(all.only_b.total === 0 ? [] : [`${cases(all.only_b.total)} only in B`]),
  ];
  const common =
    all.both === 0
      ? 'no case in common'
      : differ === 0
        ? `${cases(all.both)} in common, all equal`
        : `${cases(all.both)} in common, of which ${all.outcome.total} differ in outcome and ${all.evidence.total} in evidence only`;
  const counted = [common, ...only].join('; ');
  const plans = plan.total === 0 ? 'The plans are equal' : 'The plans differ';
  if (findings === 'unfinished')
    return `A run that is not complete has no root digest, so the findings cannot be called equal yet. ${plans}: ${counted}.`;
  if (findings === 'different')
    return `The findings differ: the root digests are not the same. ${plans}: ${counted}.`;
  const circumstances =
    records === 'equal'
      ? 'The records are equal too: this is one run twice.'
      : 'The records differ: time, latencies or another circumstance that is no finding.';
  return `The findings are equal: both runs have the same root digest over ${cases(all.both)}. ${circumstances}`;
}
