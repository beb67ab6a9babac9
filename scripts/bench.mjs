// `npm run bench [name…]`: every bench/<name>.bench.ts, bundled for Node and run one after another. Each prints
// ratios against named peers measured in the same run, with the peers' versions.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root, say } from './lib.mjs';

await ensureInstalled();
await (await import('./build-wasm.mjs')).buildWasm();
const wanted = process.argv.slice(2);
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (names.length === 0) {
  say(`No such benchmark. There are files bench/<name>.bench.ts; asked for: ${wanted.join(', ') || 'all'}`);
  process.exit(2);
}
const { build } = await import('vite');
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: 'build/bench',
    target: 'node20',
    minify: false,
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: {
      input: Object.fromEntries(names.map((name) => [name, join(root, 'bench', `${name}.bench.ts`)])),
      output: { entryFileNames: '[name].js' },
    },
  },
});
let failed = 0;
for (const name of names) {
  console.log(`\n== ${name}`);
  const { bench } = await import(pathToFileURL(join(root, 'build/bench', `${name}.js`)).href);
  try {
    await bench();
  } catch (error) {
    failed += 1;
    console.error(error);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
