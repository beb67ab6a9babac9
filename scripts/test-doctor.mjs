// `npm run test:doctor`: every fault server, the doctor in Node and in Chromium on the built site, and a table of what it
// said. The same two test files are part of `npm test`.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { buildSite } from './build.mjs';
import { bin, freePort, root, run, say } from './lib.mjs';

const notes = join(root, 'build/reports/doctor.jsonl');

await buildSite();
rmSync(notes, { force: true });
const unit = await run(bin('vitest'), ['run', 'src/providers/doctor/doctor.test.ts']);
const browser = await findBrowser();
const page =
  browser === null
    ? 1
    : await run(bin('playwright'), ['test', 'e2e/doctor.spec.ts'], {
        env: { ...process.env, CHROMIUM_PATH: browser, PIXELPROOF_E2E_PORT: String(await freePort()) },
      });

const rows = new Map();
for (const line of readFileSync(notes, 'utf8').trim().split('\n')) {
  const { where, fault, kind, code } = JSON.parse(line);
  const key = `${fault.padEnd(52)} ${kind.padEnd(7)}`;
  rows.set(key, { ...rows.get(key), [where]: code });
}
console.log(`${'fault'.padEnd(52)} server  ${'in Node'.padEnd(24)} in Chromium`);
for (const [key, said] of rows) console.log(`${key} ${(said.node ?? '-').padEnd(24)} ${said.page ?? '-'}`);
const ok = unit === 0 && page === 0;
say(
  ok ? `Every fault was named rightly: ${rows.size}.` : 'A fault was named wrongly, or a test did not run.',
);
process.exitCode = ok ? 0 : 1;
