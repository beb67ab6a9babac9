import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import type { BundleInput } from '../src/evidence/bundle';
import { type VerifyResult, verifyBundle } from '../src/evidence/verify';
import { experiments } from '../src/lab/lab';
import { EXIT } from './exit';
import { folderBundle } from './folder';
import { printJson, say } from './output';
import type { Session } from './session';

export function addVerifyCommand(program: Command, session: Session): void {
  program
    .command('verify')
    .description('recompute everything in a bundle from the bundle alone and name what differs')
    .argument('<path>', 'a bundle: zip, JSON or folder')
    .option('--repacked', 'accept a container that was packed again by other tools', false)
    .option('--root <digest>', 'a root digest known from elsewhere, which the bundle must have')
    .option('--json', 'print the result as JSON', false)
    .action(async (path: string, options: { repacked: boolean; root?: string; json: boolean }) => {
      const result = await verifyBundle(await inputAt(path), experiments, {
        repacked: options.repacked,
        signal: session.signal,
        ...(options.root === undefined ? {} : { expectedRoot: options.root }),
      });
      if (options.json) printJson(result);
      else sayResult(path, result);
      session.exit(result.ok ? EXIT.complete : EXIT.difference);
    });
}

async function inputAt(path: string): Promise<BundleInput> {
  try {
    return statSync(path).isDirectory() ? folderBundle(path) : new Uint8Array(await readFile(path));
  } catch (cause) {
    throw new PixelproofError('input_unreadable', `${path} cannot be read.`, {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

function sayResult(path: string, { ok, counts, findings, root_digest }: VerifyResult): void {
  for (const { level, code, where, message, expected, got } of findings) {
    if (level === 'pass') continue;
    say(`${level}  ${code}  ${where}`);
    say(`  ${message}`);
    if (expected !== undefined) say(`  expected: ${expected}`);
    if (got !== undefined) say(`  got:      ${got}`);
  }
  const verdict = ok ? 'verified' : `NOT verified: ${counts.failure} differences`;
  process.stdout.write(
    `${path}: ${verdict} (${counts.files} files, ${counts.cases} cases, ${counts.pass} checks held)\n`,
  );
  if (root_digest.got !== null) process.stdout.write(`root digest ${root_digest.got}\n`);
}
