import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { OVERALL, smokeChecks } from '../src/lab/smoke';
import { EXIT } from './exit';
import { printJson, say, tell } from './output';
import { readPaddle } from './pong-cartridge';
import { environmentRecord } from './run';
import type { Session } from './session';

export function addSmokeCommand(program: Command, session: Session): void {
  program
    .command('smoke')
    .description('everything that needs no network, compared with the reference')
    .option('--json', 'print the checks as JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const checks = [];
      for await (const check of smokeChecks(environmentRecord(), readGolden, readPaddle(), session.signal)) {
        checks.push(check);
        if (!check.equal)
          say(`differs: ${check.what}`, `  expected: ${check.expected}`, `  got:      ${check.got}`);
      }
      const equal = checks.filter((check) => check.equal).length;
      const overall = checks.find(({ what }) => what === OVERALL);
      const whole = equal === checks.length;
      if (json)
        printJson({ ok: whole, equal, total: checks.length, overall_digest: overall?.got ?? null, checks });
      else {
        tell(`smoke: ${equal} of ${checks.length} checks equal the reference`);
        if (overall !== undefined)
          tell(
            `overall digest ${overall.got}${overall.equal ? ', as published' : `, published is ${overall.expected}`}`,
          );
      }
      session.exit(whole ? EXIT.complete : EXIT.difference);
    });
}

/** The built command line lies two folders below the repository's root. */
const GOLDEN = new URL('../../fixtures/image-signals/golden/', import.meta.url);

async function readGolden(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(file, GOLDEN)));
}
