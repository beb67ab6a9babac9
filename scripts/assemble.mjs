// Assembles a 6502 source: node scripts/assemble.mjs SOURCE.asm IMAGE.bin
import { readFileSync, writeFileSync } from 'node:fs';
import { assemble } from './assembler/assembler.mjs';

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) {
  console.error('node scripts/assemble.mjs SOURCE.asm IMAGE.bin');
  process.exitCode = 2;
} else {
  try {
    const { bytes, start } = assemble(readFileSync(source, 'utf8'));
    writeFileSync(target, bytes);
    console.log(`${target}: ${bytes.length} bytes from $${start.toString(16)}`);
  } catch (error) {
    console.error(`${source}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
