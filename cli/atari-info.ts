import type { Command } from 'commander';
import { readCartridge } from '../src/atari';
import { readFileOf } from './atari-rom';
import { printJson, say } from './output';

export function addInfo(atari: Command): void {
  atari
    .command('info')
    .description('what a ROM file is: MD5, bank scheme, size, and the name of a known game')
    .requiredOption('--rom <file>', 'the cartridge image')
    .option('--json', 'print JSON', false)
    .action((options: { readonly rom: string; readonly json: boolean }) => {
      const { md5, scheme, rom, known } = readCartridge(readFileOf(options.rom));
      const info = { md5, scheme, size: rom.length, name: known?.name ?? null };
      if (options.json) printJson(info);
      else say(`${info.name ?? 'unknown image'}: ${info.size} bytes, scheme ${info.scheme}, MD5 ${info.md5}`);
    });
}
