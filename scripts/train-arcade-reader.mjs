// `npm run train:arcade-reader [-- --out DIR] [-- --measure]`: training/train.ts, bundled for Node. Takes some minutes on
// one core and gives the same bytes every time.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './lib.mjs';

await ensureInstalled();
await (await import('./build-wasm.mjs')).buildWasm();
const { build } = await import('vite');
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: 'build/training',
    target: 'node20',
    minify: false,
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: {
      input: { train: join(root, 'training/train.ts') },
      output: { entryFileNames: '[name].js' },
    },
  },
});
const { main } = await import(pathToFileURL(join(root, 'build/training/train.js')).href);
await main(process.argv.slice(2));
