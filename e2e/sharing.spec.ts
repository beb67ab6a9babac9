import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { anotherRecord } from './support/another-record';
import { dropFromDesktop } from './support/drop';
import { Keyboard } from './support/keyboard';
import { expectFits, expectSound } from './support/look';
import { expect, exportNewest, importFile, PNG, test } from './support/site';

type Page = import('@playwright/test').Page;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

async function replayed(page: Page): Promise<Buffer> {
  await page.goto(PNG);
  await page.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  return exportNewest(page, 'zip');
}

/** The server has this file beside the site. */
async function beside(page: Page, path: string, body: Buffer | string, contentType = 'application/zip') {
  await page.route(`**/some/sub/path/${path}`, (route) => route.fulfill({ body, contentType }));
}

/** A drag of a file that stops over an element, or ends there. */
async function drag(
  page: Page,
  kind: 'dragover' | 'drop',
  over: string,
  name: string,
  bytes: Buffer,
): Promise<boolean> {
  return page
    .locator(over)
    .first()
    .evaluate(
      (element, [type, file, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], file));
        const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
        // What is not prevented navigates the tab to the file.
        return !element.dispatchEvent(event);
      },
      [kind, name, bytes.toString('base64')] as const,
    );
}

test('a link to a view is copied; its run goes to somebody else as a bundle beside the site', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  await replayed(page);
  await page.goto(`${page.url()}&later-key=kept`);
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  const keyboard = new Keyboard(page);
  await keyboard.tabTo(/^Copy link$/);
  await page.keyboard.press('Enter');
  const share = page.getByTestId('share');
  await expect(share).toContainText('Copied: this view as it stands.');
  await expect(share).toContainText('The run in it is in this browser only.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`${baseURL}#/png-representation?`);
  expect(copied).toContain('later-key=kept');
  expect(copied).toMatch(/run=png-representation-/);
  await expectSound(page, 'a copied link');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectFits(page, 'a copied link at 320 px');

  const link = (await share.locator('pre').textContent()) ?? '';
  const [, run = ''] = /\?bundle=runs\/(.+)\.zip&v=1$/.exec(link) ?? [];
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    share.getByRole('button', { name: 'Export the zip for it' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${run}.zip`);

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await beside(other, `runs/${run}.zip`, await readFile(await download.path()));
  await other.goto(link);
  await expect(other.getByTestId('linked')).toContainText(`runs/${run}.zip verifies`, { timeout: 60_000 });
  await expect(other.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });
  await expect(other).toHaveURL(/\?bundle=runs\//);
  // Without a network the link opens what it opened before, and says that nothing was checked again.
  await other.unroute(`**/some/sub/path/runs/${run}.zip`);
  await other.route(`**/some/sub/path/runs/${run}.zip`, (route) => route.abort('internetdisconnected'));
  await other.reload();
  await expect(other.getByTestId('linked')).toContainText('did not arrive', { timeout: 30_000 });
  await expect(other.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });
  // A run that is chosen takes the bundle's place in the address.
  await other.getByRole('button', { name: 'Replay the published run' }).click();
  await expect(other).toHaveURL(/\?(.*&)?run=/, { timeout: 60_000 });
  expect(other.url()).not.toContain('bundle=');
  await elsewhere.close();
});

test('a link names its bundle on Evidence, and on the page of another experiment', async ({ page }) => {
  const bytes = await replayed(page);
  await beside(page, 'x.zip', bytes);
  await page.goto('./#/evidence?bundle=x.zip');
  const note = page.getByTestId('linked');
  await expect(note.getByTestId('verification')).toContainText('already stored', { timeout: 60_000 });
  await note.getByRole('link', { name: 'Open it under PNG representation' }).click();
  await expect(page).toHaveURL(/#\/png-representation\/report\?bundle=x.zip/);
  await expect(page.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });
  await page.goto('./#/about');
  await page.goto('./#/vision-controls/report?bundle=./x.zip');
  await expect(page).toHaveURL(/#\/png-representation\/report\?bundle=/, { timeout: 30_000 });
  await expect(page.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });
});

test('a link to what cannot be opened says why, and asks nobody else', async ({ page, baseURL }) => {
  await beside(page, 'page.zip', '<!doctype html><title>Home</title>', 'text/html');
  await beside(page, 'holiday.zip', 'not a zip at all');
  const told = page.getByTestId('linked');
  for (const [path, code] of [
    ['https://example.com/runs/x.zip', 'link_origin'],
    ['//example.com/x.zip', 'link_origin'],
    ['runs/nowhere.zip', 'link_missing'],
    ['page.zip', 'link_missing'],
    ['http://[', 'link_address'],
  ] as const) {
    await page.goto('./#/about');
    await page.goto(`${baseURL}#/evidence?bundle=${encodeURIComponent(path)}`);
    await expect(told.locator(`[data-code="${code}"]`)).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('heading', { level: 1, name: 'Evidence' })).toBeVisible();
  }
  await expectSound(page, 'a link that cannot be opened');
  await page.goto(`${baseURL}#/png-representation/report?bundle=holiday.zip`);
  await expect(told).toContainText('bundle_foreign', { timeout: 30_000 });
});

test('a link that failed is fetched again, and no other run is passed off as its own', async ({ page }) => {
  // Ten pages are opened and a run is checked eight times: on two busy cores that is minutes.
  test.setTimeout(240_000);
  const bytes = await replayed(page);
  const note = page.getByTestId('linked');
  let status = 404;
  let body: Buffer = bytes;
  await page.route('**/some/sub/path/runs/late.zip', (route) =>
    status === 200
      ? route.fulfill({ body, contentType: 'application/zip' })
      : route.fulfill({ status, body: 'no', contentType: 'text/plain' }),
  );
  await page.goto('./#/png-representation/report?bundle=runs/late.zip&later-key=kept&v=2');
  await expect(note.locator('[data-code="link_missing"]')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 30_000 });
  // The run that is shown came from this browser: the copied link does not claim that the bundle holds it.
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByTestId('share')).toContainText('The run in it is in this browser only.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).not.toContain('bundle=');
  expect(copied).toMatch(/run=png-representation-.*&v=2$/);

  status = 503;
  await note.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(note.locator('[data-code="link_unreachable"]')).toContainText('HTTP 503', { timeout: 30_000 });
  status = 200;
  await page.goto('./#/about');
  await page.goto('./#/png-representation/report?bundle=runs/late.zip');
  await expect(note).toContainText('runs/late.zip verifies', { timeout: 30_000 });
  await expect(note).toContainText('already stored');
  // The same link under another experiment, in the same tab, goes to its own page again.
  await page.goto('./#/vision-controls/report?bundle=runs/late.zip');
  await expect(page).toHaveURL(/#\/png-representation\/report\?bundle=/, { timeout: 30_000 });
  await expect(page.getByTestId('verdict')).toContainText('labelled-v1', { timeout: 30_000 });

  // The host cannot give it now, but did before.
  status = 500;
  await page.reload();
  await expect(note).toContainText('did not arrive', { timeout: 30_000 });
  await expectSound(page, 'a link that may be tried again');
  status = 200;
  await note.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(note).toContainText('runs/late.zip verifies', { timeout: 30_000 });

  // Evidence shows no run, so the run of the link can be opened there; deleted, it is told as gone.
  await page.goto('./#/evidence?bundle=runs/late.zip');
  const record = page.getByRole('article', { name: /^Run / });
  await expect(record).not.toContainText('shown on this page');
  await record.getByRole('button', { name: 'Open' }).press('Enter');
  await expect(page).toHaveURL(/#\/png-representation\/report\?run=/);
  await page.goto('./#/evidence?bundle=runs/late.zip');
  await expect(note.getByTestId('verification')).toBeVisible({ timeout: 30_000 });
  await record.getByRole('button', { name: 'Delete…' }).click();
  await record.getByRole('button', { name: 'Delete it' }).click();
  await expect(note).toContainText('was deleted', { timeout: 30_000 });
  await expect(note).not.toContainText('verifies');
  await expect(note.getByRole('link')).toHaveCount(0);
  await note.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(note.getByTestId('verification')).toContainText('It was stored.', { timeout: 30_000 });

  // A record of the same run with another clock.
  body = await anotherRecord(bytes);
  await page.goto('./#/about');
  await page.reload();
  await page.goto('./#/png-representation/report?bundle=runs/late.zip');
  const conflict = note.locator('[data-code="import_conflict"]');
  await expect(conflict).toBeVisible({ timeout: 30_000 });
  await expect(conflict.getByText(/^sha256:[0-9a-f]{64}$/)).toHaveCount(2);
});

test('a bundle is imported by dropping it on any page, and no file leads away from the site', async ({
  page,
}) => {
  const bytes = await replayed(page);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.goto('./#/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await drag(page, 'dragover', 'h1', 'run.zip', bytes)).toBe(true);
  await expect(page.getByTestId('drop-target')).toContainText('Drop to check and import this bundle');
  expect(await drag(page, 'drop', 'h1', 'run.zip', bytes)).toBe(true);
  await expect(page.getByTestId('drop-target')).toHaveCount(0);
  await expect(page).toHaveURL(/#\/evidence/, { timeout: 30_000 });
  await expect(page.getByTestId('verification')).toContainText('run.zip verifies');
  await expect(page.getByRole('article', { name: /^Run / })).toHaveCount(1);

  // What is no bundle leaves the page where it is.
  await page.goto('./#/providers');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [name, text] of [
    ['notes.txt', 'hello'],
    ['holiday.zip', 'not a zip at all'],
  ] as const) {
    expect(await drag(page, 'drop', 'h1', name, Buffer.from(text))).toBe(true);
    await expect(page.locator('[data-code="drop_foreign"]')).toContainText(`${name} was not imported`);
    expect(page.url()).toContain('#/providers');
  }
  // An import elsewhere, or another page, takes it away.
  await page.evaluate(() => {
    location.hash = '#/about';
  });
  await expect(page.getByRole('heading', { level: 1, name: /about/i })).toBeVisible();
  await expect(page.locator('[data-code="drop_foreign"]')).toHaveCount(0);
  await drag(page, 'drop', 'h1', 'turned\u202Etxt.zip', Buffer.from('not a zip'));
  await expect(page.locator('[data-code="drop_foreign"]')).toContainText(
    'turned\uFFFDtxt.zip was not imported',
  );
  await expectSound(page, 'a foreign drop');
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(page.locator('[data-code="drop_foreign"]')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  // A page's own field wins inside itself.
  await page.goto('./#/image-signals');
  const zone = '[data-testid="drop"]';
  await expect(page.locator(zone)).toBeVisible();
  expect(await drag(page, 'dragover', zone, 'a.png', bytes)).toBe(true);
  await expect(page.getByTestId('drop-target')).toHaveCount(0);
  expect(await drag(page, 'dragover', 'h1', 'a.png', bytes)).toBe(true);
  await expect(page.getByTestId('drop-target')).toBeVisible();
  await drag(page, 'drop', zone, 'notes.txt', Buffer.from('hello'));
  await expect(page.getByTestId('drop-target')).toHaveCount(0);
  await expect(page.locator('[data-code="drop_foreign"]')).toHaveCount(0);
  await expect(page.getByText('notes.txt').first()).toBeVisible();
});

test('several bundles are imported one after the other, wherever they are given', async ({ page }) => {
  const one = await replayed(page);
  await page.goto(`${PNG}?provider=scripted&v=1`);
  await page.getByRole('button', { name: 'Run the wiring check' }).click();
  // The verdict of the run before is still on the page: a root digest is there once this one is complete.
  const wiring = page.getByRole('article', { name: /^Run / }).filter({ hasText: 'Scripted replies' });
  await expect(wiring.getByRole('button', { name: /^Root digest/ })).toBeVisible({ timeout: 60_000 });
  const two = await exportNewest(page, 'zip', 'Scripted replies');
  await page.goto('./#/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const both = [
    ['one.zip', one],
    ['notes.txt', Buffer.from('hello')],
    ['two.zip', two],
  ] as const;
  await page
    .locator('h1')
    .first()
    .evaluate(
      (element, files) => {
        const data = new DataTransfer();
        for (const [name, text] of files)
          data.items.add(new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], name));
        element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      both.map(([name, bytes]) => [name, bytes.toString('base64')] as const),
    );
  await expect(page).toHaveURL(/#\/evidence/, { timeout: 30_000 });
  const said = page.getByTestId('verification');
  await expect(said).toContainText(['one.zip verifies', 'two.zip verifies']);
  await expect(page.locator('[data-code="drop_foreign"]')).toContainText('notes.txt was not imported');

  // By the field: others are chosen in the same moment, before the first can have been read.
  await page.getByLabel(/Import and verify a bundle/).evaluate(
    (field: HTMLInputElement, files) => {
      for (const names of [['three.zip'], ['four.zip', 'five.zip']]) {
        const data = new DataTransfer();
        for (const name of names) {
          const bytes = Uint8Array.from(atob(files[name] ?? ''), (each) => each.charCodeAt(0));
          data.items.add(new File([bytes], name, { type: 'application/zip' }));
        }
        field.files = data.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      }
    },
    Object.fromEntries(
      [
        ['three.zip', one],
        ['four.zip', two],
        ['five.zip', one],
      ].map(([name, bytes]) => [name, bytes?.toString('base64')] as const),
    ) as Record<string, string>,
  );
  await expect(page.getByRole('status').filter({ hasText: 'Checking' })).toHaveCount(0, { timeout: 60_000 });
  await expect(said).toContainText(['three.zip verifies', 'four.zip verifies', 'five.zip verifies']);
  await expect(page.locator('[data-code="drop_foreign"]')).toHaveCount(0);
});

test('of a dropped folder the bundles are imported, and what was left is named', async ({ page }) => {
  const bytes = await replayed(page);
  const place = await mkdtemp(join(tmpdir(), 'drop-'));
  for (const folder of ['photos', 'runs']) await mkdir(join(place, folder));
  await writeFile(join(place, 'photos/a.png'), 'no picture');
  await writeFile(join(place, 'runs/one.zip'), bytes);
  await writeFile(join(place, 'runs/notes.txt'), 'hello');
  // A bundle that somebody has unpacked.
  for (const [path, content] of Object.entries(unzipSync(bytes))) {
    await mkdir(dirname(join(place, 'runs/unpacked', path)), { recursive: true });
    await writeFile(join(place, 'runs/unpacked', path), content);
  }
  await page.goto('./#/about');
  await dropFromDesktop(page.getByRole('heading', { level: 1 }), [join(place, 'runs')]);
  await expect(page).toHaveURL(/#\/evidence/, { timeout: 60_000 });
  const said = page.getByTestId('verification');
  await expect(said).toContainText(['runs/unpacked verifies', 'runs/one.zip verifies']);
  await expect(page.getByRole('status').filter({ hasText: 'Not taken' })).toContainText('runs/notes.txt');
  await expectSound(page, 'a dropped folder');

  const zone = page.getByRole('region', { name: 'Drop a file here' });
  await dropFromDesktop(zone, [join(place, 'photos'), join(place, 'runs')]);
  await expect(page.locator('[data-code="drop_no_bundle"]')).toContainText('photos could not be read');
  await expect(zone).toContainText('Not taken: photos/a.png, runs/notes.txt');
  await expect(said).toContainText(['runs/unpacked verifies', 'runs/one.zip verifies']);
});

test('a folder in a field that takes one file is named as one, and a folder of pictures gives its pictures', async ({
  page,
}) => {
  const place = await mkdtemp(join(tmpdir(), 'drop-'));
  await mkdir(join(place, 'roms/inner'), { recursive: true });
  await writeFile(join(place, 'roms/inner/a.png'), 'no picture');
  await page.goto('./#/atari');
  const zone = page.getByRole('region', { name: 'Drop a ROM here' });
  await dropFromDesktop(zone, [join(place, 'roms')]);
  await expect(zone).toContainText('roms is a folder. Drop one file here: ROM file of a game you own.');
  await page.goto('./#/vision-controls/plan?fixture=five-row');
  await dropFromDesktop(page.getByRole('region', { name: 'Published pictures' }), [join(place, 'roms')]);
  await expect(page.getByRole('region', { name: 'Published pictures' })).toContainText('a.png:');
});

test('a link to a run that is not here says so where it lands, until the run is here', async ({ page }) => {
  const bytes = await replayed(page);
  const run = /[?&]run=([^&]+)/.exec(page.url())?.[1] ?? '';
  const record = page.getByRole('article', { name: /^Run / });
  await record.getByRole('button', { name: 'Delete…' }).click();
  await record.getByRole('button', { name: 'Delete it' }).click();
  await expect(record).toHaveCount(0);
  const note = page.getByTestId('missing-run');
  await expect(note).toHaveCount(0);
  for (const experiment of ['vision-controls', 'pong-controls', 'image-signals', 'png-representation']) {
    await page.goto('./#/about');
    await page.goto(`./#/${experiment}?run=${run}`);
    await expect(note).toContainText('not in this browser');
    await expect(note).toBeInViewport();
  }
  await expectSound(page, 'a run that is not here');
  await importFile(page, 'run.zip', bytes);
  await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
  await expect(note).toHaveCount(0);
});

test('a link says that its run was deleted, also in another tab', async ({ page, context, baseURL }) => {
  await beside(page, 'x.zip', await replayed(page));
  await page.goto('./#/png-representation/report?bundle=x.zip');
  const note = page.getByTestId('linked');
  await expect(note).toContainText('x.zip verifies', { timeout: 60_000 });
  const other = await context.newPage();
  await other.goto(`${baseURL}#/evidence`);
  const run = other.getByRole('article', { name: /^Run / });
  await run.getByRole('button', { name: 'Delete…' }).click();
  await run.getByRole('button', { name: 'Delete it' }).click();
  await expect(run).toHaveCount(0);
  await expect(note).toContainText('The run of x.zip was deleted');
});
