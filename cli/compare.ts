import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { bundleRun, openBundle } from '../src/evidence/bundle';
import {
  type ComparedCase,
  compareRuns,
  comparisonSentence,
  type RunComparison,
} from '../src/evidence/compare';
import { verifyBundle } from '../src/evidence/verify';
import { verifiers } from '../src/lab/lab';
import { EXIT } from './exit';
import { printJson, tell } from './output';
import type { Session } from './session';
import { inputAt } from './verify';

export function addCompareCommand(program: Command, session: Session): void {
  program
    .command('compare')
    .description('say in what two runs differ: plans, identities, cases, outcomes')
    .argument('<a>', 'a bundle: zip, JSON or folder')
    .argument('<b>', 'another one')
    .option('--json', 'print the comparison as JSON', false)
    .action(async (a: string, b: string, { json }: { json: boolean }) => {
      const comparison = await compareRuns(await runAt(a, session.signal), await runAt(b, session.signal));
      if (json) printJson({ a, b, sentence: comparisonSentence(comparison), ...comparison });
      else sayComparison(comparison);
      session.exit(comparison.findings === 'equal' ? EXIT.complete : EXIT.difference);
    });
}

/** A bundle is verified first: digests that nobody recomputed would make two forgeries equal. Throws `compare_unverified`. */
async function runAt(path: string, signal: AbortSignal) {
  const input = await inputAt(path, signal);
  const { ok, findings } = await verifyBundle(input, verifiers, { signal });
  if (!ok) {
    const first = findings.find(({ level }) => level === 'failure');
    throw new PixelproofError(
      'compare_unverified',
      `${path} does not verify, so it is compared with nothing; verify says what is wrong with it.`,
      { got: first === undefined ? 'a failure' : `${first.code}: ${first.message}` },
    );
  }
  const bundle = await openBundle(input);
  const { provider, complete, root_digest, record_digest } = bundle.manifest;
  return {
    source: await bundleRun(bundle),
    provider,
    root_digest: complete ? root_digest : null,
    record_digest: complete ? record_digest : null,
  };
}

function sayComparison(comparison: RunComparison): void {
  const { identities, plan, cases, tallies } = comparison;
  tell(comparisonSentence(comparison));
  for (const { what, a, b, equal } of identities) if (!equal) sides(what, a, b);
  for (const { path, a, b } of plan.items) sides(`plan ${path}`, a, b);
  more(plan, 'members of the plan');
  for (const { arm, ordinal } of cases.only_a.items) tell(`only in A: ${arm} case ${ordinal + 1}`);
  more(cases.only_a, 'cases only in A');
  for (const { arm, ordinal } of cases.only_b.items) tell(`only in B: ${arm} case ${ordinal + 1}`);
  more(cases.only_b, 'cases only in B');
  for (const each of cases.outcome.items) caseLines(each, 'outcome');
  more(cases.outcome, 'cases of another outcome');
  for (const each of cases.evidence.items) caseLines(each, 'evidence');
  more(cases.evidence, 'cases of other evidence');
  for (const { arm, outcome, a, b } of tallies.items)
    if (a !== b) tell(`${arm}, ${outcome}: ${a} in A, ${b} in B`);
}

function caseLines({ arm, ordinal, a, b, first }: ComparedCase, what: 'outcome' | 'evidence'): void {
  const place = `${arm} case ${ordinal + 1}`;
  if (what === 'outcome') sides(`${place}: outcome`, a, b);
  if (first !== null) sides(`${place}: evidence ${first.path}`, first.a, first.b);
}

function sides(where: string, a: string | null, b: string | null): void {
  tell(where, `  A: ${a ?? 'nothing'}`, `  B: ${b ?? 'nothing'}`);
}

function more(
  { total, items }: { readonly total: number; readonly items: readonly unknown[] },
  what: string,
): void {
  if (total > items.length) tell(`and ${total - items.length} more ${what}`);
}
