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
            },
          ],
        },
      },
    },
  },
});
