import type { ExchangeRecord } from '../src/providers/provider';
import { say } from './output';

/** Characters of a server's words that are printed; the record keeps more. */
const QUOTED = 200;

/** Options that a resume needs again: they name what no run keeps. */
interface Again {
  readonly out: string;
  readonly apiKeyEnv?: string;
  readonly modelFolder?: string;
  readonly modelFile?: string;
  readonly modelCard?: string;
}

/** What came in place of an answer, as far as the record keeps it. */
export function sayRefusal({ status, reply_text, cause }: ExchangeRecord): void {
  if (reply_text === null || reply_text.trim() === '') return;
  const model = /"model(?:Version)?"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(reply_text)?.[1];
  if (cause?.code === 'provider_wrong_model' && model !== undefined) say(`  answered by: ${model}`);
  const cut = reply_text.length > QUOTED ? '…' : '';
  const from = status === null ? '' : ` (HTTP ${status})`;
  say(`  the server said${from}: ${reply_text.slice(0, QUOTED).toWellFormed()}${cut}`);
}

/** The command that goes on with an unfinished run, to copy. */
export function sayHowToGoOn(command: string, again: Again): void {
  const words = ['pixelproof', command, '--resume', '--out', quoted(again.out)];
  for (const [option, value] of [
    ['--api-key-env', again.apiKeyEnv],
    ['--model-folder', again.modelFolder],
    ['--model-file', again.modelFile],
    ['--model-card', again.modelCard],
  ] as const) {
    if (value !== undefined) words.push(option, quoted(value));
  }
  say(`go on with: ${words.join(' ')}`);
}

/** As one word of a shell, where it is not one already. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
