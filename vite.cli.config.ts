import { defineConfig } from 'vite';

// The command line is the same engine, bundled for Node. Packages stay in node_modules.
export default defineConfig({
  build: {
    ssr: 'cli/main.ts',
    outDir: 'build/cli',
    target: 'node20',
    minify: false,
    emptyOutDir: true,
    copyPublicDir: false,
    rollupOptions: { output: { entryFileNames: '[name].js' } },
  },
});
