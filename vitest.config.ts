import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'src/**/*.test.ts',
      'wasm/**/*.test.ts',
      'cli/**/*.test.ts',
      'workers/**/*.test.ts',
      'scripts/**/*.test.ts',
      'training/**/*.test.ts',
      'schemas/**/*.test.ts',
    ],
    testTimeout: 60_000,
  },
});
