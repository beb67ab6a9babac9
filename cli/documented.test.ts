import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../schemas/catalogue';
import { documentedCommands, linesOf } from '../scripts/documented-commands.mjs';
import { run } from './testing/run';

// Blocks marked sh are run by `npm test`, line by line. Here is the rest: what needs a server, a key, a ROM or another
// program is held against the program's own help.

const OURS = /^(?:pixelproof|npm run -s pixelproof --|node scripts\/pixelproof\.mjs) /;

/** Lines of text blocks that are commands of other programs, and why no test runs them. */
const OTHERS: readonly (readonly [line: RegExp, why: string])[] = [
  [/^python bench\/peers\/(atari|pong)_ale\.py /, 'needs ale_py, which npm does not install'],
  [/^python fixtures\/cartridge\/(banks\/)?make_traces\.py/, 'needs ale_py, which npm does not install'],
  [/^node fixtures\/cartridge\/banks\/build\.mjs FOLDER$/, 'the tests of the banks build the same images'],
  [/^npx ajv-cli validate /, 'fetches a package; the tests validate by ajv itself'],
];
/** Text blocks that show something else than commands. */
const NO_COMMANDS = ['docs/architecture.md'];

const wordsOf = (line: string) => line.replace(OURS, '').split(/\s+/);
/** The command's own words: `png run`, `merge`. */
async function commandOf(words: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(words[0] ?? '', '--help');
  return /^Commands:/m.test(out) ? words.slice(0, 2) : words.slice(0, 1);
}

it('every option of a documented command is one that the command has', async () => {
  const lines = ['sh', 'text'].flatMap(linesOf).filter(({ line }) => OURS.test(line));
  expect(lines.length).toBeGreaterThan(25);
  for (const { page, line } of lines) {
    const words = wordsOf(line);
    const { code, out } = await run(...(await commandOf(words)), '--help');
    expect(code, `${page}: ${line}`).toBe(0);
    const known = new Set([...out.matchAll(/--[a-z][a-z-]*/g)].map(([name]) => name));
    for (const option of line.match(/--[a-z][a-z-]*/g) ?? [])
      expect(known, `${page}: ${line}`).toContain(option);
  }
});

it('every other line of a text block is named here with its reason', () => {
  const strange = linesOf('text').filter(
    ({ page, line }) =>
      !OURS.test(line) && !NO_COMMANDS.includes(page) && !OTHERS.some(([other]) => other.test(line)),
  );
  expect(strange).toEqual([]);
  for (const [other, why] of OTHERS)
    expect(
      linesOf('text').some(({ line }) => other.test(line)),
      why,
    ).toBe(true);
});

it('the commands that npm test runs are those of all pages', () => {
  const commands = documentedCommands();
  expect(commands).toContain('npm run -s smoke');
  expect(commands.some((command) => command.includes('pong sweep'))).toBe(true);
  expect(commands.some((command) => command.includes('atari trace'))).toBe(true);
  expect(commands).not.toContain('npm start');
});

it('the console of docs/evidence-format.md shows what its commands print', () => {
  const lines = linesOf('console').map(({ line }) => line);
  const files = unzipSync(new Uint8Array(readFileSync('fixtures/evidence/toy.zip')));
  const cases = files['cases.jsonl'] ?? new Uint8Array();
  const digest = createHash('sha256').update(cases).digest('hex');
  const count = Buffer.from(cases).toString().split('\n').length - 1;
  expect(lines).toEqual([
    '$ unzip -q toy.zip -d toy',
    '$ sha256sum toy/cases.jsonl',
    `${digest}  toy/cases.jsonl`,
    '$ wc -l < toy/cases.jsonl',
    String(count),
  ]);
});

it('every command that prints JSON has a schema', async () => {
  const named = CATALOGUE.flatMap(({ subjects }) => subjects.map(({ name }) => name)).join('\n');
  const children = async (...words: string[]) => {
    const { out } = await run(...words, '--help');
    const list = /^Commands:\n([\s\S]*)/m.exec(out)?.[1] ?? '';
    return {
      out,
      names: [...list.matchAll(/^ {2}([a-z-]+)/gm)]
        .map(([, name]) => name ?? '')
        .filter((name) => name !== 'help'),
    };
  };
  const commands: string[] = [];
  for (const name of (await children()).names) {
    const { out, names } = await children(name);
    if (names.length === 0 && out.includes('--json')) commands.push(name);
    for (const inner of names)
      if ((await children(name, inner)).out.includes('--json')) commands.push(`${name} ${inner}`);
  }
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((command) => !named.includes(command))).toEqual([]);
});
