import type { Command } from 'commander';
import { CATALOGUE } from '../src/providers/catalogue';
import { printJson } from './output';

/** `pixelproof providers`: everybody who can be asked, by what they can be asked. */
export function addProvidersCommand(program: Command): void {
  program
    .command('providers')
    .description('list everybody who can be asked, where they run and what they can be asked')
    .option('--json', 'print the list as JSON', false)
    .action(({ json }: { readonly json: boolean }) => {
      if (json) printJson(CATALOGUE);
      else process.stdout.write(`${CATALOGUE.map(line).join('\n')}\n`);
    });
}

function line({ id, runs, key, capabilities, baseUrl, summary }: (typeof CATALOGUE)[number]): string {
  const where = [
    runs,
    ...(baseUrl === null ? [] : [baseUrl]),
    ...(key === 'required' ? ['needs a key'] : []),
  ];
  return `${id.padEnd(18)}${where.join(', ')}\n${' '.repeat(18)}${capabilities.join(', ')}\n${' '.repeat(18)}${summary}`;
}
