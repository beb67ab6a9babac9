import type { Command } from 'commander';
import { Console, frameDigest } from '../src/atari';
import { nodeSha256, readFileOf } from './atari-rom';
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
      const console = await Console.load(readFileOf(options.rom));
      let sum = 0;
      // The engine compiles the core while it warms up.
      for (let frame = 0; frame < 1000; frame += 1) console.step(0);
      const started = performance.now();
      for (let frame = 0; frame < frames; frame += 1) {
        console.step(0);
        sum += console.ram[frame & 127] ?? 0;
      }
      const read = performance.now();
      for (let frame = 0; frame < frames; frame += 1) {
        console.step(0);
        sum += (await frameDigest(console, nodeSha256)).rgb.length;
      }
      const hashed = performance.now();
      const result = {
        frames,
        frames_per_second_ram: (frames * 1000) / (read - started),
        frames_per_second_sha256: (frames * 1000) / (hashed - read),
        ram_checksum: sum,
      };
      if (options.json) printJson(result);
      else {
        say(`RAM read: ${result.frames_per_second_ram.toFixed(0)} frames/s`);
        say(`SHA-256 of RAM and picture: ${result.frames_per_second_sha256.toFixed(0)} frames/s`);
      }
    });
}
