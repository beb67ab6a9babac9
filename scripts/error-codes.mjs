// `node scripts/error-codes.mjs`: writes docs/errors.md, the list of every error code with its first sentence, from the
// sources. A test compares the file with the sources, so the list is never stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib.mjs';

const FOLDERS = ['src', 'workers', 'cli'];
/** A code is the first argument of whatever makes an error; its sentence is the second. */
const MADE =
  /(PixelproofError|InfrastructureFailure|refuse|fault|failure|failed)\(\s*'([a-z][a-z0-9]*(?:_[a-z0-9]+)+)'\s*,\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)")?/g;
/** Codes of records that are no thrown errors: findings, store events, reasons of a stop. */
const NAMED =
  /\b(code): '([a-z][a-z0-9]*(?:_[a-z0-9]+)+)',\s*message:\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;

export function errorCodes() {
  const codes = new Map();
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(root, folder), { recursive: true }).sort()) {
      if (!/\.(ts|svelte)$/.test(file) || /\.test\.ts$|testing/.test(file)) continue;
      const text = readFileSync(join(root, folder, file), 'utf8');
      for (const pattern of [MADE, NAMED]) {
        for (const [, maker, code, single, template, double] of text.matchAll(pattern)) {
          // The second argument of a finding is where it was found.
          const said = maker === 'failure' ? '' : (single ?? double ?? template ?? '');
          const sentence = said.replaceAll("\\'", "'").replace(/\$\{[^}]*\}/g, '…');
          if (!codes.has(code) || codes.get(code) === '') codes.set(code, sentence);
        }
      }
    }
  }
  return [...codes].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Codes that no test names: nobody knows whether they can still be raised. */
export function untestedCodes() {
  let tests = '';
  for (const folder of [...FOLDERS, 'e2e', 'wasm']) {
    for (const file of readdirSync(join(root, folder), { recursive: true })) {
      if (/\.(test|spec)\.ts$/.test(file)) tests += readFileSync(join(root, folder, file), 'utf8');
    }
  }
  return errorCodes()
    .map(([code]) => code)
    .filter((code) => !new RegExp(`\\b${code}\\b`).test(tests));
}

export function errorsPage() {
  const rows = errorCodes().map(
    ([code, sentence]) =>
      `| \`${code}\` | ${sentence === '' ? 'the sentence depends on where it is found' : sentence.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`,
  );
  return [
    '# Error codes',
    '',
    'Every error of the engine has a stable code, one sentence, and where there are two sides to compare, what was expected',
    'and what came. This list is made from the sources by `node scripts/error-codes.mjs`; a test keeps it complete. An `…`',
    'stands for what the sentence quotes. Codes that begin with `provider_` or `model_` are plumbing: no case is written, and',
    'the run can be resumed.',
    '',
    '| code | sentence |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'docs/errors.md'), errorsPage());
  for (const code of untestedCodes()) process.stderr.write(`No test names ${code}.\n`);
}
