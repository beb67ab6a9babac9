import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { ocrWeights } from './scripts/ocr-weights';

// Relative URLs everywhere: the same dist runs from any sub-path, in an iframe and offline.
export default defineConfig({
  base: './',
  plugins: [svelte(), ocrWeights()],
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
              // What Home needs comes in one piece: on a slow line twenty small files cost more than their bytes.
              name: 'shell',
              test: /src\/app\/App\.svelte/,
              priority: 2,
            },
            {
              // So does what every experiment's page is made of; its charts come with the first chart.
              name: 'parts',
              test: /src\/app\/parts\/(EvidencePanel|ProviderChoice|RunBar|Section|SectionNav|Stage|DataTable|Verdict)\.svelte/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
