// Finds the browser for the tests, in this order: CHROMIUM_PATH, a browser of the system, Playwright's own,
// Debian's package when root. Says which it took; never skips silently.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { answers, run, say } from './lib.mjs';

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
const FIXED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

function onSystem() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...FIXED];
  return candidates.find((path) => existsSync(path)) ?? null;
}

async function ofPlaywright() {
  const path = (await import('@playwright/test')).chromium.executablePath();
  return existsSync(path) ? path : null;
}

/** Path of a Chromium-family browser, or null with the ways to get one said on stderr. */
export async function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return given;
    say(`CHROMIUM_PATH names ${given}, which does not exist.`);
    return null;
  }
  const found = onSystem() ?? (await ofPlaywright());
  if (found !== null) return found;
  if (process.getuid?.() === 0 && answers('apt-get')) {
    say('No browser found: installing Debian’s chromium package…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
    const installed = onSystem();
    if (installed !== null) return installed;
  }
  say('No browser found. One of these gives one:');
  say('  install Google Chrome or Chromium');
  say('  npx playwright install chromium');
  say('  CHROMIUM_PATH=/path/to/chrome npm test');
  return null;
}
