import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { earlyShell } from './scripts/early-shell';
import { ocrWeights } from './scripts/ocr-weights';

const nothing = fileURLToPath(new URL('scripts/nothing.ts', import.meta.url));

/** How long its plugins took is no news to whoever builds the site. */
const checks = { bundlerTimings: false };

// Relative URLs everywhere: the same dist runs from any sub-path, in an iframe and offline.
export default defineConfig({
  base: './',
  plugins: [svelte(), ocrWeights(), earlyShell()],
  worker: { format: 'es', rolldownOptions: { checks } },
  // A codec looks for them where it runs in Node; here it never asks.
  resolve: { alias: { fs: nothing, path: nothing } },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    // Browsers that do not know modulepreload load all the same, a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks,
      input: ['index.html', 'embed.html'],
      output: {
        codeSplitting: {
          groups: [
            {
              // The first script knows which files the address needs, and waits for none of them.
              name: 'ahead',
              test: /src\/app\/(address|fetched|page-files)\.ts|vite\/preload-helper/,
              priority: 3,
            },
            {
              // What Home needs comes in one piece: on a slow line twenty small files cost more than their bytes.
              name: 'shell',
              test: /src\/app\/(App\.svelte|start\.ts)/,
              priority: 2,
            },
            {
              // So do the parts of which every page is made; charts come with the first chart.
              name: 'parts',
              test: /src\/app\/parts\/(EvidencePanel|InterruptedRun|RunBar|Section|SectionNav|Stage|DataTable|Later|Lazy|Chart|Verdict|DefinitionList|Disclosure|OutcomeChip|Digest)\.svelte|src\/app\/(named-run|json-read|parts\/growing\.svelte)\.ts|src\/(errors|numeric\/wilson)\.ts/,
              priority: 1,
            },
            {
              // And what an experiment's page has besides: providers, identities, the words of verdicts.
              name: 'lab',
              test: /src\/app\/parts\/(ProviderChoice|KeyField)\.svelte|src\/app\/(provider-settings\.svelte|parts\/vlm-choice|pages\/\w+-\w+\/verdict)\.ts|src\/(providers\/base-url|evidence\/bundle\/safe-json|experiments\/(png-representation|pong-controls|vision-controls)\/protocol)\.ts|node_modules\/valibot/,
              priority: 0,
            },
          ],
        },
      },
    },
  },
});
