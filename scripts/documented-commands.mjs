// The commands that README.md, docs/ and the folders' READMEs show, so that the tests run them as a reader would. A block
// marked sh is run line by line; what cannot be run everywhere stands in a block marked text, and a test holds its options
// against the program's.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

/** Two start what never ends or what is running already. */
const NOT_HERE = ['npm start', 'npm test'];

/** Every page of the repository that a reader may type from. */
export function pages() {
  const inside = ['docs', 'fixtures', 'bench', 'training'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => `${folder}/${path}`)
      .filter((path) => path.endsWith('.md')),
  );
  return ['README.md', ...inside.sort()];
}

/** The lines of all blocks with this mark, with their page. */
export function linesOf(mark) {
  return pages().flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(
        new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``, 'g'),
      ),
    ]
      .flatMap(([, block]) => block.split('\n'))
      .map((line) => ({ page, line: line.trim() }))
      .filter(({ line }) => line !== '' && !line.startsWith('#')),
  );
}

export function documentedCommands() {
  return linesOf('sh')
    .map(({ line }) => line)
    .filter((line) => !NOT_HERE.includes(line));
}
