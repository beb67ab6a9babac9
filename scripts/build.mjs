// `npm run build`: WebAssembly, the static site in dist/, the command line in build/cli/.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, ifChanged, root, say } from './lib.mjs';

const SITE_INPUTS = [
  'src',
  'workers',
  'wasm',
  'public',
  'fixtures',
  'index.html',
  'embed.html',
  'vite.config.ts',
  'scripts/early-shell.ts',
  'scripts/ocr-weights.ts',
  'scripts/nothing.ts',
  'scripts/build-verifier.mjs',
  'scripts/build-embed.mjs',
  'scripts/build-examples.mjs',
  'docs/embedding.md',
  'scripts/build-offline.mjs',
  'svelte.config.js',
  'package-lock.json',
];
const CLI_INPUTS = [
  'src',
  'cli',
  'wasm',
  'fixtures',
  'public/models',
  'vite.cli.config.ts',
  'package-lock.json',
];

export async function buildSite() {
  await ensureInstalled();
  await (await import('./build-wasm.mjs')).buildWasm();
  await ifChanged('site', SITE_INPUTS, join(root, 'dist/index.html'), async () => {
    say('Building the site…');
    // The settings name modules without their endings, as all sources do: a later version of Vite may not read them so.
    process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING = 'true';
    await (await import('vite')).build({ root, logLevel: 'warn' });
    await (await import('./build-verifier.mjs')).buildVerifier(join(root, 'dist/verifier.html'));
    await (await import('./build-embed.mjs')).buildEmbed(join(root, 'dist/embed.js'));
    (await import('./build-examples.mjs')).buildExamples(join(root, 'dist/examples.html'));
    // Last: it lists every file that is there.
    await (await import('./build-offline.mjs')).buildOffline(join(root, 'dist'));
  });
}

export async function buildCli() {
  await ensureInstalled();
  await (await import('./build-wasm.mjs')).buildWasm();
  await ifChanged('cli', CLI_INPUTS, join(root, 'build/cli/main.js'), async () => {
    await (await import('vite')).build({
      root,
      configFile: join(root, 'vite.cli.config.ts'),
      logLevel: 'warn',
    });
    // The same files that the site serves, where the command line looks for them.
    cpSync(join(root, 'public/models'), join(root, 'build/cli/models'), { recursive: true });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildSite();
  await buildCli();
  say('Built: dist/ (the site), build/cli/ (the command line).');
}
