import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type KeepBundle, OVERALL, smokeChecks } from '../src/lab/smoke';
import { EXIT } from './exit';
import { prepareOutput, writing } from './folder';
import { printJson, say, tell } from './output';
import { readPaddle } from './pong-cartridge';
import { environmentRecord } from './run';
import type { Session } from './session';

export function addSmokeCommand(program: Command, session: Session): void {
  program
    .command('smoke')
    .description('everything that needs no network, compared with the reference')
    .option('--out <dir>', 'a new or empty folder that takes the bundle of each run, as a ZIP')
    .option('--json', 'print the checks as JSON', false)
    .action(async ({ json, out }: { json: boolean; out?: string }) => {
      if (out !== undefined) await prepareOutput(out, { resume: false, force: false });
      const keep: KeepBundle = async (name, zip) => {
        if (out !== undefined) await writing(out, () => writeFile(join(out, name), zip));
      };
      const checks = [];
      const all = smokeChecks(environmentRecord(), readGolden, readPaddle(), session.signal, keep);
      for await (const check of all) {
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
