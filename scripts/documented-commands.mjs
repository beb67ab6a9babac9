// The commands that README.md shows in its shell blocks, so that the tests run them as a reader would.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

/** Two start what never ends or what is running already. */
const NOT_HERE = ['npm start', 'npm test'];

export function documentedCommands() {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !NOT_HERE.includes(line));
}
