import type { Command } from 'commander';
import { checkFixture, type FixtureCheck } from '../src/experiments/vision-controls';
import { EXIT } from './exit';
import { printJson, say, tell } from './output';
import type { Session } from './session';
import { readFixtureFolder } from './vision-folder';

export function addCheck(vision: Command, session: Session): void {
  vision
    .command('check')
    .description('check a fixture folder: manifest, digests, leak ban')
    .argument('<folder>', 'a folder with manifest.json and its pictures under any names')
    .option('--json', 'print the checks as JSON', false)
    .action(async (folder: string, options: { readonly json: boolean }) => {
      const { manifest, files } = await readFixtureFolder(folder);
      const checked = await checkFixture(manifest, files);
      if (options.json) printJson(checked);
      else sayCheck(folder, checked);
      session.exit(checked.ok ? EXIT.complete : EXIT.difference);
    });
}

function sayCheck(folder: string, { ok, manifest, pictures, foreign, leak_ban, error }: FixtureCheck): void {
  if (error !== null)
    say(`${error.code}: ${error.message}`, `  expected: ${error.expected}`, `  got:      ${error.got}`);
  for (const { file_name, status, code, message } of pictures) {
    if (status !== 'ok') say(`${status}: ${file_name} (${code}${message === null ? '' : `: ${message}`})`);
  }
  for (const { name } of foreign) say(`belongs to no row: ${name}`);
  if (leak_ban !== null && leak_ban.ok !== true) say(`${leak_ban.code}: the leak ban does not hold`);
  const there = pictures.filter(({ status }) => status === 'ok').length;
  tell(
    `${folder}: ${ok ? 'complete' : 'NOT complete'}` +
      (manifest === null
        ? ', manifest rejected'
        : `, ${manifest.revision ?? 'own'} manifest, ${there} of ${pictures.length} pictures`),
  );
}
