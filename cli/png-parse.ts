import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { pyToPlain } from '../src/evidence/identity/python-json';
import { predictionPayload, readReply } from '../src/experiments/png-representation';
import { printJson } from './output';

/** More than any model of this protocol says in 128 tokens; a larger input is a mistake. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;

export function addParse(png: Command): void {
  png
    .command('parse')
    .description('read a raw model reply on standard input and print the verdict of the published parser')
    .option('--json', 'print JSON (it always does)', true)
    .action(async () => {
      const verdict = readReply(await standardInput(), 'labelled-lines');
      printJson(
        verdict.ok
          ? { ok: true, prediction: pyToPlain(predictionPayload(verdict.value)) }
          : { ok: false, reason: verdict.reason },
      );
    });
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    length += (part as Buffer).length;
    if (length > MAX_REPLY_BYTES) {
      throw new PixelproofError('input_too_large', 'A reply of more than 8 MiB is not read.', {
        expected: `at most ${MAX_REPLY_BYTES} bytes`,
        got: `more than ${length}`,
      });
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new PixelproofError('input_not_text', 'Standard input is not UTF-8 text.', { cause });
  }
}
