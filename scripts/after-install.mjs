// `npm ci` and `npm install` end with this: it takes out what a package brings along and nothing here can run. binaryen
// carries each of its command-line programs whole (81 MB); the compiler of our WebAssembly uses its library alone.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

const modules = join(root, 'node_modules');
const manifest = join(modules, 'binaryen/package.json');
if (existsSync(manifest)) {
  const { bin = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const [name, file] of Object.entries(bin)) {
    rmSync(join(modules, 'binaryen', file), { force: true });
    for (const link of [name, `${name}.cmd`, `${name}.ps1`])
      rmSync(join(modules, '.bin', link), { force: true });
  }
}
