import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const address = `http://127.0.0.1:${process.env['PIXELPROOF_E2E_PORT'] ?? '4519'}/some/sub/path/`;
const asRoot = process.getuid?.() === 0;

// The software WebGPU adapter makes a laptop with a GPU behave like CI; the rest keeps Chromium off the network.
const args = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(asRoot ? ['--no-sandbox'] : []),
];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  // A loaded machine is slow, not wrong.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: {
    baseURL: address,
    trace: 'retain-on-failure',
    // Tests put their hands on requests; the one about offline allows what comes between.
    serviceWorkers: 'block',
    launchOptions: { executablePath, args },
  },
  webServer: {
    command: 'node e2e/serve-dist.mjs',
    url: address,
    reuseExistingServer: false,
  },
});
