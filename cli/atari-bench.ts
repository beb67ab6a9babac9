import type { Command } from 'commander';
import { measureSpeed } from '../src/atari';
import { readFileOf } from './atari-rom';
import { numberOf } from './option';
import { printJson, say } from './output';

export function addBench(atari: Command): void {
  atari
    .command('bench')
    .description('frames per second with RAM read, and with SHA-256 of RAM and RGB picture')
    .requiredOption('--rom <file>', 'the cartridge image')
    .option('--frames <number>', 'frames to measure', '12000')
    .option('--json', 'print JSON', false)
    .action(async (options: { readonly rom: string; readonly frames: string; readonly json: boolean }) => {
      const frames = numberOf('--frames', options.frames, 1, 10_000_000);
      const result = await measureSpeed(readFileOf(options.rom), frames, () => performance.now());
      if (options.json) printJson(result);
      else {
        say(`RAM read: ${result.frames_per_second_ram.toFixed(0)} frames/s`);
        say(`SHA-256 of RAM and picture: ${result.frames_per_second_sha256.toFixed(0)} frames/s`);
      }
    });
}
