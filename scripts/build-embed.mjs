// The script that defines <pixelproof-demo>: one classic script with a lasting name, because other people's pages name it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './lib.mjs';

export async function buildEmbed(file) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    build: {
      write: false,
      target: 'es2022',
      copyPublicDir: false,
      modulePreload: false,
      rollupOptions: { input: join(root, 'src/embed/element.ts'), output: { format: 'iife' } },
    },
  });
  const chunks = [built].flat().flatMap(({ output }) => output);
  if (chunks.length !== 1) throw new Error(`The embed script must be one file, not ${chunks.length}.`);
  writeFileSync(file, chunks[0].code);
}
