import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { strFromU8, unzipSync } from 'fflate';
import { SMOKE_RUNS } from '../src/lab/smoke-runs';
import { expect, test } from './support/site';

// The page and the command line are one engine: what each makes of the same smoke runs is compared byte by byte, as a
// stranger would who has both ZIPs and none of our code.

interface Listed {
  readonly path: string;
  readonly role: 'evidence' | 'circumstance' | 'image';
  readonly sha256: string;
  readonly bytes: number;
  readonly media_type: string;
  readonly inlined: boolean;
}

/** The only files of role circumstance that may differ, and in which lines: clock and machine have no other place. */
const CIRCUMSTANCES: Readonly<Record<string, readonly { readonly path: RegExp; readonly line: RegExp }[]>> = {
  'pong-controls-local': [
    { path: /^python-[24]px\/seed-3[67]\/(summary|evaluation)\.json$/, line: /"wall_seconds": / },
    { path: /^comparison\.json$/, line: /"wall_seconds": / },
    { path: /^details\.jsonl$/, line: /wall_seconds/ },
  ],
  'vision-controls-scripted': [{ path: /^receipt\.json$/, line: /"user_agent": / }],
  'vision-controls-replay': [{ path: /^receipt\.json$/, line: /"user_agent": / }],
};
/** Differs in every run: when and where. Its plan's choices may not. */
const ENVIRONMENT = 'environment.json';
/** What speaks of the other files, and so differs with them. */
const ABOUT = ['pixelproof.json', 'ro-crate-metadata.json', 'statement.intoto.json'];

type Zip = Readonly<Record<string, Uint8Array>>;

const jsonOf = (zip: Zip, path: string) => JSON.parse(strFromU8(zip[path] ?? new Uint8Array()));
const listed = (zip: Zip): Listed[] => jsonOf(zip, 'pixelproof.json').files;
const same = (a: Zip, b: Zip, path: string) =>
  Buffer.compare(a[path] ?? new Uint8Array(), b[path] ?? new Uint8Array()) === 0;
const lines = (zip: Zip, path: string) => strFromU8(zip[path] ?? new Uint8Array()).split('\n');

async function exported(page: Page, run: Locator): Promise<Zip> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    run.getByRole('button', { name: 'Export zip' }).click(),
  ]);
  return unzipSync(new Uint8Array(await readFile(await download.path())));
}

/** The smoke runs of the page, by the name that the command line gives their bundles. */
async function pageBundles(page: Page): Promise<ReadonlyMap<string, Zip>> {
  await page.goto('./');
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await expect(page.getByText(/^All smoke runs are complete/).first()).toBeVisible({ timeout: 100_000 });
  await page.goto('./#/evidence');
  const runs = page.getByRole('article', { name: /^Run / });
  await expect(runs).toHaveCount(SMOKE_RUNS.length);
  const found = new Map<string, Zip>();
  for (let at = 0; at < SMOKE_RUNS.length; at += 1) {
    const zip = await exported(page, runs.nth(at));
    const { experiment, provider } = jsonOf(zip, 'pixelproof.json');
    found.set(`${experiment}-${provider.id}`, zip);
  }
  return found;
}

const pixelproof = (...args: string[]) => promisify(execFile)('node', ['scripts/pixelproof.mjs', ...args]);

async function commandLineBundles(): Promise<ReadonlyMap<string, Zip>> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelproof-parity-'));
  try {
    const { stdout } = await pixelproof('smoke', '--json', '--out', folder);
    const said = JSON.parse(stdout);
    const schema = JSON.parse(await readFile('public/schemas/cli-smoke-1.schema.json', 'utf8'));
    const fits = new Ajv2020({ strictTypes: false }).compile(schema);
    expect(fits(said), 'smoke --json has its schema').toBe(true);
    expect(fits({ ...said, checks: [{}] }), 'a check without its members').toBe(false);
    const found = new Map<string, Zip>();
    for (const { request, root } of SMOKE_RUNS) {
      const file = join(folder, `${request.experiment}-${request.provider.id}.zip`);
      await pixelproof('verify', file, '--root', root);
    }
    for (const file of await readdir(folder))
      found.set(file.replace(/\.zip$/, ''), unzipSync(new Uint8Array(await readFile(join(folder, file)))));
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Fails where a file differs that may not, or in a line that may not. */
function expectOnlyCircumstances(name: string, here: Zip, there: Zip): void {
  const may = CIRCUMSTANCES[name] ?? [];
  const different: string[] = [];
  for (const { path, role } of listed(there)) {
    if (same(here, there, path) || path === ENVIRONMENT) continue;
    expect(role, `${name}: ${path} differs, and is evidence`).toBe('circumstance');
    const rule = may.find((each) => each.path.test(path));
    expect(rule, `${name}: ${path} differs, and has no reason to`).toBeDefined();
    const [a, b] = [lines(here, path), lines(there, path)];
    expect(a.length, `${name}: lines of ${path}`).toBe(b.length);
    for (const [at, line] of a.entries())
      if (line !== b[at]) expect(line, `${name}: ${path}`).toMatch(rule?.line ?? /^$/);
    different.push(path);
  }
  const [one, other] = [jsonOf(here, ENVIRONMENT), jsonOf(there, ENVIRONMENT)];
  expect(one.circumstances, `${name}: choices beside the plan`).toEqual(other.circumstances);
  expect([one.environment.platform, one.environment.program]).toEqual(['browser', other.environment.program]);

  // The manifests differ in the entries of those files and in what is made from them, and nowhere else.
  const changed = [ENVIRONMENT, ...different];
  const bare = (zip: Zip) => {
    const { record_digest: _record, manifest_id: _id, files, ...rest } = jsonOf(zip, 'pixelproof.json');
    return {
      ...rest,
      files: files.map((file: Listed) =>
        changed.includes(file.path) ? { ...file, sha256: 'differs', bytes: 'differs' } : file,
      ),
    };
  };
  expect(bare(here), `${name}: manifest`).toEqual(bare(there));
  for (const key of ['record_digest', 'manifest_id'])
    expect(jsonOf(here, 'pixelproof.json')[key]).not.toBe(jsonOf(there, 'pixelproof.json')[key]);
}

test('the page and the command line give the same bundles but for clock and machine', async ({ page }) => {
  test.setTimeout(240_000);
  const fromThere = await commandLineBundles();
  const fromHere = await pageBundles(page);
  const names = SMOKE_RUNS.map(({ request }) => `${request.experiment}-${request.provider.id}`).sort();
  expect([...fromThere.keys()].sort()).toEqual(names);
  expect([...fromHere.keys()].sort()).toEqual(names);
  for (const { request, root } of SMOKE_RUNS) {
    const name = `${request.experiment}-${request.provider.id}`;
    const [here, there] = [fromHere.get(name) ?? {}, fromThere.get(name) ?? {}];
    // Entries in the order of the container, which is part of the format.
    expect(Object.keys(here), `${name}: files`).toEqual(Object.keys(there));
    expect(Object.keys(there)).toEqual([...listed(there).map(({ path }) => path), ...ABOUT]);
    expect(jsonOf(here, 'pixelproof.json').root_digest, name).toBe(root);
    expectOnlyCircumstances(name, here, there);
  }
});
