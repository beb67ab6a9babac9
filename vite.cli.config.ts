import { defineConfig } from 'vite';

// The command line is the same engine, bundled for Node. Packages stay in node_modules.
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'build/cli',
    target: 'node20',
    minify: false,
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: {
      input: {
        main: 'cli/main.ts',
        'signals-worker': 'cli/signals-worker.ts',
        'pong-worker': 'cli/pong-worker.ts',
      },
      // Flat, so that the pools find their workers beside them.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
