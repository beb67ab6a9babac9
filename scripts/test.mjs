// `npm test`: everything, from nothing. The last line is `N passed, N failed` for all suites together, and the exit
// code is true to it.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildCli, buildSite } from './build.mjs';
import { bin, ensureInstalled, freePort, root, run, say } from './lib.mjs';

let passed = 0;
let failed = 0;
const failures = [];

function record(name, ok, count = 1) {
  if (ok) passed += count;
  else {
    failed += count;
    failures.push(name);
  }
}

async function step(name, action) {
  say(`\n== ${name}`);
  const started = Date.now();
  try {
    await action();
  } catch (error) {
    say(String(error?.stack ?? error));
    record(name, false);
  }
  say(`   ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

const tool = async (name, command, args) => record(name, (await run(bin(command), args)) === 0);

await ensureInstalled();
const reports = join(root, 'build/reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

await step('build: WebAssembly, site, command line', async () => {
  await buildSite();
  await buildCli();
  record('build', true);
});
await step('types', async () => (await import('./check-types.mjs')).checkTypes(record));
await step('lint and format', () => tool('lint', 'biome', ['ci', '--diagnostic-level=warn', '.']));
await step('import rules', () =>
  tool('import rules', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'src', 'workers', 'cli']),
);
await step('dead code', () => tool('dead code', 'knip', ['--no-progress']));
await step('documentation', async () => {
  const { errorsPage, untestedCodes } = await import('./error-codes.mjs');
  record(
    'docs/errors.md is made from the sources',
    readFileSync(join(root, 'docs/errors.md'), 'utf8') === errorsPage(),
  );
  const untested = untestedCodes();
  record(
    `every error code is named by a test${untested.map((code) => `, not ${code}`).join('')}`,
    untested.length === 0,
  );
  const { documentedCommands } = await import('./documented-commands.mjs');
  for (const command of documentedCommands()) {
    say(`   ${command}`);
    record(`documented command: ${command}`, (await run('sh', ['-c', command])) === 0);
  }
});
await step('unit and wasm tests', async () => {
  const file = join(reports, 'unit.json');
  const code = await run(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    {
      env: { ...process.env, NO_COLOR: '1' },
    },
  );
  const report = JSON.parse(readFileSync(file, 'utf8'));
  record('unit', true, report.numPassedTests);
  if (report.numFailedTests > 0) record('unit', false, report.numFailedTests);
  else if (code !== 0) record('unit (the runner failed)', false);
  if (report.numPendingTests > 0) say(`   ${report.numPendingTests} unit tests were skipped`);
});
await step('end to end, on the built site under a sub-path', async () => {
  const browser = await (await import('./browser.mjs')).findBrowser();
  if (browser === null) return record('end to end (no browser)', false);
  say(`   browser: ${browser}`);
  const file = join(reports, 'e2e.json');
  const code = await run(bin('playwright'), ['test', '--reporter=list,json'], {
    env: {
      ...process.env,
      CHROMIUM_PATH: browser,
      PIXELPROOF_E2E_PORT: String(await freePort()),
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      NO_COLOR: '1',
    },
  });
  const { expected, unexpected, flaky } = JSON.parse(readFileSync(file, 'utf8')).stats;
  record('e2e', true, expected + flaky);
  if (unexpected > 0) record('end to end', false, unexpected);
  else if (code !== 0) record('end to end (the runner failed)', false);
});

if (failures.length > 0) say(`\nFailed: ${[...new Set(failures)].join('; ')}`);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed`);
