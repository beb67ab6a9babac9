// One HTML file that checks bundles: script and style inlined, allowed by their digests alone.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './lib.mjs';

/** It is to be kept beside a bundle and mailed around. */
export const MOST_BYTES = 100_000;

const sha256 = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export async function buildVerifier(file) {
  const folder = join(root, 'src/verifier');
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      copyPublicDir: false,
      modulePreload: false,
      rollupOptions: { input: join(folder, 'main.ts') },
    },
  });
  const chunks = [built].flat().flatMap(({ output }) => output);
  if (chunks.length !== 1) throw new Error(`The verifier must be one script, not ${chunks.length}.`);
  // A script element ends at the first `</script`, also inside a text of the script.
  const script = chunks[0].code.replaceAll('</script', '<\\/script').trim();
  const style = readFileSync(join(folder, 'page.css'), 'utf8').trim();
  const values = { SCRIPT_HASH: sha256(script), STYLE_HASH: sha256(style), SCRIPT: script, STYLE: style };
  const html = readFileSync(join(folder, 'page.html'), 'utf8')
    .replaceAll(/%(\w+)%/g, (_, name) => values[name])
    .replaceAll(/\s*\/\* (SCRIPT|STYLE) \*\/\s*/g, (_, name) => values[name]);
  const bytes = Buffer.byteLength(html);
  if (bytes >= MOST_BYTES)
    throw new Error(`The verifier page has ${bytes} bytes; it must stay below ${MOST_BYTES}.`);
  writeFileSync(file, html);
  return bytes;
}
