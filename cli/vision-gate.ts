import { type Command, Option } from 'commander';
import { GATES, type GateName, judgeReceipt, verdictRecord } from '../src/experiments/vision-controls';
import { EXIT, type ExitCode } from './exit';
import { printJson, say, tell } from './output';
import type { Session } from './session';
import { textOf } from './vision-folder';

export function addGate(vision: Command, session: Session): void {
  vision
    .command('gate')
    .description('judge a receipt again from its probabilities: margins, hits, attachment, verdict')
    .argument('<receipt>', 'a receipt of either published form, or of ours')
    .addOption(new Option('--gate <name>', 'which gate').choices([...GATES]).default('smoke'))
    .option('--json', 'print the verdict as JSON', false)
    .action(async (path: string, options: { readonly gate: GateName; readonly json: boolean }) => {
      const found = judgeReceipt(await textOf(path), options.gate);
      const { verdict, cause, judgement, stored_differences } = found;
      if (options.json) printJson(verdictRecord(found));
      else {
        for (const { path: where, stored, recomputed } of stored_differences)
          say(
            `differs: ${where}`,
            `  stored:     ${JSON.stringify(stored)}`,
            `  recomputed: ${JSON.stringify(recomputed)}`,
          );
        for (const { row_id, margin, ordered } of judgement?.paired_ordering ?? [])
          tell(`${row_id}  margin ${margin}  ${ordered === true ? 'ordered' : 'not ordered'}`);
        tell(`${path}: ${verdict}${cause === null ? '' : ` (${cause})`}`);
      }
      session.exit(exitOf(verdict, stored_differences.length));
    });
}

function exitOf(verdict: string, differences: number): ExitCode {
  if (verdict === 'refused') return EXIT.usage;
  return verdict === 'pass' && differences === 0 ? EXIT.complete : EXIT.difference;
}
