// Serves the built site under a sub-path, as a project page on a static host would.
import { serve } from '../scripts/serve.mjs';

const folder = new URL('../dist', import.meta.url).pathname;
await serve({
  folder,
  base: '/some/sub/path/',
  port: Number(process.env.PIXELPROOF_E2E_PORT ?? 4519),
});
