// examples.html: every HTML example of docs/embedding.md, as text and live, made from that text.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

const ADDRESS = 'https://example.org/pixelproof/';

/** The fenced HTML blocks of a Markdown text, each with the heading above it. */
export function htmlExamples(markdown) {
  return [...markdown.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```html\n([\s\S]*?)^```$/gm)].map(
    ([, heading, html]) => ({ heading, html: html.trim() }),
  );
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function buildExamples(file) {
  const examples = htmlExamples(readFileSync(join(root, 'docs/embedding.md'), 'utf8'));
  if (examples.length < 3)
    throw new Error(`docs/embedding.md has ${examples.length} examples; at least 3 are expected.`);
  const live = examples.map(({ html }) => html.replaceAll(ADDRESS, './'));
  // The page lives by the rules that it documents: its inline scripts are allowed one by one.
  const hashes = live
    .flatMap((html) => [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text))
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const sections = examples.map(
    ({ heading, html }, at) => `    <section>
      <h2>${escaped(heading)}</h2>
      <pre tabindex="0"><code>${escaped(html)}</code></pre>
${live[at]}
    </section>`,
  );
  writeFileSync(
    file,
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' ${hashes.join(' ')}; style-src 'self'; frame-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="Live demos of Pixelproof’s experiments as any page can embed them, each beside the lines of HTML that make it." />
    <title>Pixelproof: embedded demos</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="./examples.css" />
  </head>
  <body>
    <main>
      <h1>Embedded demos</h1>
      <p>The examples of docs/embedding.md as they stand there, each with what it shows.</p>
${sections.join('\n')}
    </main>
  </body>
</html>
`,
  );
}
