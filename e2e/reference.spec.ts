import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { chatReply, mockOllama, sendJson } from './servers/ollama';
import { expect, exportNewest, PNG, startOllama, test } from './support/site';

// What the browser's worker computes, against the reference's own files: these tests read the export as a stranger
// would and never run our code on it.

const fixtures = new URL('../fixtures/png-representation/', import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'));

test('ids and comparison files of the scripted smoke, made in the browser, are the reference’s', async ({
  page,
}) => {
  await page.goto('./');
  await page.getByRole('button', { name: /Run all smoke fixtures/ }).click();
  await expect(page.getByTestId('smoke-png-representation-scripted')).toContainText(
    'equals the published value',
  );
  await page.goto('./#/evidence');
  const files = unzipSync(new Uint8Array(await exportNewest(page, 'zip', 'Scripted replies')));
  const text = (path: string) => strFromU8(files[path] ?? new Uint8Array());
  for (const kind of ['json', 'csv', 'md']) {
    expect(text(`comparison.${kind}`)).toBe(
      readFileSync(new URL(`fake-run/smoke-comparison.${kind}`, fixtures), 'utf8'),
    );
  }
  const { smoke } = json('fake-run/fake-run.json');
  for (const [variant, expected] of Object.entries<Record<string, unknown>>(smoke)) {
    expect(JSON.parse(text(`${variant}/run.json`)), variant).toEqual(expected.run);
    expect(JSON.parse(text(`${variant}/summary.json`)), variant).toEqual(expected.summary);
    expect(JSON.parse(text(`${variant}/report.json`)), variant).toEqual(expected.report);
    expect(text(`${variant}/cases.jsonl`).trim().split('\n'), variant).toEqual(expected.cases_jsonl_lines);
  }
});

test('every parser case of the reference gets its verdict in the browser', async ({ context, baseURL }) => {
  const { cases } = json('parser-cases.json') as {
    cases: { raw: string; accepted: boolean; prediction?: object; reason?: string }[];
  };
  const server = await mockOllama((_call, n, response) => {
    sendJson(response, chatReply(cases[n - 1]?.raw ?? 'nothing more'));
  });
  try {
    const page = await context.newPage();
    await page.goto(`${baseURL}${PNG}`);
    await startOllama(page, server.url);
    await expect(page.getByTestId('verdict')).toBeVisible({ timeout: 60_000 });
    const files = unzipSync(new Uint8Array(await exportNewest(page, 'zip')));
    const told = Object.keys(files)
      .filter((path) => path.endsWith('-v1/cases.jsonl'))
      .sort((a, b) => ORDER.indexOf(a.split('/')[0] ?? '') - ORDER.indexOf(b.split('/')[0] ?? ''))
      .flatMap((path) =>
        strFromU8(files[path] ?? new Uint8Array())
          .trim()
          .split('\n'),
      )
      .map((line) => JSON.parse(line) as { prediction?: object; error?: string });
    for (const [i, { raw, accepted, prediction, reason }] of cases.entries()) {
      const blank = raw.trim() === '';
      if (accepted) expect(told[i]?.prediction, raw).toEqual(prediction);
      else if (!blank) expect(told[i]?.error, raw).toBe(reason);
      else expect(told[i]?.error, 'a blank reply').toMatch(/^RuntimeError: Ollama returned empty message/);
    }
    expect(told).toHaveLength(48);
  } finally {
    await server.close();
  }
});

const ORDER = [
  'labelled-v1',
  'unlabelled-v1',
  'cooldown-shape-v1',
  'cooldown-dual-v1',
  'cooldown-redundant-v1',
  'lane-enhanced-v1',
];
