import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// docs/embedding.md says how two tools include the demo. What it shows are lines of the sources that were built.

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Where a recipe's blocks are in the fixtures, in the order of the text. */
const RECIPES = {
  'MkDocs Material': ['mkdocs-material/source/mkdocs.yml', 'mkdocs-material/source/docs/other.md'],
  Docusaurus: ['docusaurus/source/docusaurus.config.js', 'docusaurus/source/docs/other.mdx'],
};
const BUILT = {
  'MkDocs Material': 'mkdocs-material/built/other/index.html',
  Docusaurus: 'docusaurus/built/other/index.html',
};

test.each(Object.entries(RECIPES))('the recipe for %s is what the fixture was built from', (tool, files) => {
  const section = read('docs/embedding.md')
    .split(/^## /m)
    .find((part) => part.startsWith(`${tool}\n`));
  const blocks = [...(section ?? '').matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, text]) => text ?? '');
  expect(blocks).toHaveLength(files.length);
  for (const [at, file] of files.entries()) {
    const lines = read(`fixtures/host-pages/${file}`)
      .split('\n')
      .map((line) => line.trim());
    for (const line of blocks[at]?.split('\n') ?? []) expect(lines).toContain(line.trim());
  }
});

test.each(Object.entries(BUILT))('the built page of %s has the script and the demo in it', (_, file) => {
  const html = read(`fixtures/host-pages/${file}`);
  expect(html).toContain('src="https://example.org/pixelproof/embed.js"');
  expect(html).toContain('<pixelproof-demo experiment="png-representation" run="replay">');
});
