// Types, in four projects: what a file can see depends on where it runs.
import { bin, run } from './lib.mjs';

export const PROJECTS = ['shared', 'worker', 'node'];

export async function checkTypes(record = () => {}) {
  let failed = 0;
  for (const name of PROJECTS) {
    const code = await run(bin('tsc'), ['-p', `tsconfig.${name}.json`]);
    record(`types (${name})`, code === 0);
    if (code !== 0) failed += 1;
  }
  const code = await run(bin('svelte-check'), [
    '--tsconfig',
    'tsconfig.dom.json',
    '--fail-on-warnings',
    '--output',
    'human',
  ]);
  record('types (dom, svelte)', code === 0);
  return failed + (code === 0 ? 0 : 1);
}

if (import.meta.url === `file://${process.argv[1]}`) process.exitCode = (await checkTypes()) === 0 ? 0 : 1;
