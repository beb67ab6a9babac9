import { join } from 'node:path';
import { chromium } from '@playwright/test';

export interface WorkerSpeed {
  readonly ram: number;
  readonly sha256: number;
}

interface Measured {
  readonly browser: string;
  measure(): Promise<WorkerSpeed>;
  close(): Promise<void>;
}

/** The built site in a browser with a cartridge in its worker; each `measure` is one press of the page's own button. */
export async function openPage(rom: string): Promise<Measured | null> {
  const module = (name: string): Promise<unknown> => import(join(process.cwd(), 'scripts', name));
  const { serve } = (await module('serve.mjs')) as {
    serve(options: { folder: string; base: string }): Promise<{ url: string; close(): Promise<void> }>;
  };
  const { findBrowser } = (await module('browser.mjs')) as { findBrowser(): Promise<string | null> };
  const { buildSite } = (await module('build.mjs')) as { buildSite(): Promise<void> };
  const executablePath = await findBrowser();
  if (executablePath === null) return null;
  await buildSite();
  const site = await serve({ folder: join(process.cwd(), 'dist'), base: '/bench/' });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const page = await browser.newPage();
  await page.goto(`${site.url}#/atari`);
  await page.getByLabel('ROM file of a game you own').setInputFiles(rom);
  const button = page.getByRole('button', { name: 'Measure the speed here' });
  return {
    browser: `Chromium ${browser.version()}`,
    async measure() {
      await button.click();
      await page.getByTestId('speed').waitFor({ state: 'detached' });
      const speed = page.getByTestId('speed');
      await speed.waitFor({ timeout: 120_000 });
      const figure = async (name: string) => Number(await speed.getAttribute(`data-${name}`));
      return { ram: await figure('ram'), sha256: await figure('sha256') };
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}
