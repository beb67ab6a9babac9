import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { earlyShell } from './scripts/early-shell';
import { ocrWeights } from './scripts/ocr-weights';

// Relative URLs everywhere: the same dist runs from any sub-path, in an iframe and offline.
export default defineConfig({
  base: './',
  plugins: [svelte(), ocrWeights(), earlyShell()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
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
              // So does what every experiment's page is made of; its charts come with the first chart.
              name: 'parts',
              test: /src\/app\/parts\/(EvidencePanel|InterruptedRun|ProviderChoice|RunBar|Section|SectionNav|Stage|DataTable|Later|Verdict|DefinitionList|Disclosure|KeyField|OutcomeChip|Digest)\.svelte|src\/app\/(named-run|provider-settings\.svelte|json-read)\.ts|src\/errors\.ts/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
