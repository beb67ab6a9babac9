import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { mockLlama } from '../e2e/servers/llama';
import {
  demoManifest,
  demoPicture,
  manifestText,
  publishedManifest,
} from '../src/experiments/vision-controls';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-vision-'));
afterAll(() => rmSync(folder, { recursive: true }));
const published = fileURLToPath(
  new URL('../fixtures/vision-controls/consumer-receipt.json', import.meta.url),
);

/** The demo set as a person has it: other file names, in a folder below. */
function demoFolder(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'my pictures'), { recursive: true });
  writeFileSync(join(root, 'manifest.json'), manifestText(demoManifest()));
  for (const [index, { screenshot }] of demoManifest().rows.entries()) {
    const bytes = demoPicture(`sha256:${screenshot.sha256}`);
    writeFileSync(join(root, 'my pictures', `shot ${index}.PNG`), bytes ?? new Uint8Array());
  }
  return root;
}

describe('pixelproof vision check', () => {
  it('a whole fixture: 0, whatever the files are called', async () => {
    const { code, out } = await run('vision', 'check', demoFolder('whole'), '--json');
    expect(code).toBe(0);
    const found = JSON.parse(out);
    expect(found).toMatchObject({
      ok: true,
      manifest: { revision: 'demo', rows: 5 },
      leak_ban: { ok: true },
    });
    expect(found.pictures.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('ok'));
    expect(found.controls).toHaveLength(15);
  });

  it('a missing and an altered picture: 1, each named', async () => {
    const root = demoFolder('bad');
    rmSync(join(root, 'my pictures', 'shot 0.PNG'));
    writeFileSync(join(root, 'demo-tide-chart.png'), new Uint8Array([1, 2, 3]));
    rmSync(join(root, 'my pictures', 'shot 1.PNG'));
    const { code, out } = await run('vision', 'check', root, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out).pictures.slice(0, 2)).toMatchObject([
      { status: 'missing' },
      { status: 'altered' },
    ]);
    expect((await run('vision', 'check', root)).err).toContain('altered: demo-tide-chart.png');
  });

  it('a manifest that breaks a rule: 1, with its code; a folder without one: 2', async () => {
    const root = join(folder, 'gold');
    mkdirSync(root);
    const { rows, ...rest } = publishedManifest('five-row');
    const bad = { ...rest, rows: rows.map((row) => ({ ...row, category: 'BROWSER_TASK' })) };
    writeFileSync(join(root, 'manifest.json'), JSON.stringify(bad));
    const { code, out } = await run('vision', 'check', root, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'manifest_gold' } });
    expect((await run('vision', 'check', join(folder, 'nothing'))).code).toBe(2);
  });
});

describe('pixelproof vision run', () => {
  it('scripted on the demo set, verified, judged again, and resumed without asking', async () => {
    const out = join(folder, 'scripted');
    const first = await run(
      'vision',
      'run',
      '--provider',
      'scripted',
      '--fixture',
      'demo',
      '--out',
      out,
      '--json',
    );
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({
      result: 'pass',
      cause: null,
      kind: 'wiring',
      done: 15,
      total: 15,
      calls: 25,
      receipt: 'receipt.json',
    });
    expect((await run('verify', out)).code).toBe(0);
    const gate = await run('vision', 'gate', join(out, 'receipt.json'), '--json');
    expect(gate.code).toBe(0);
    expect(JSON.parse(gate.out)).toMatchObject({ verdict: 'pass', stored_differences: [] });
    expect((await run('vision', 'run', '--resume', '--out', out, '--json')).code).toBe(0);
    // A changed reply is found, and named.
    const cases = join(out, 'cases.jsonl');
    writeFileSync(cases, readFileSync(cases, 'utf8').replace('"probability":0.9', '"probability":0.8'));
    expect((await run('verify', out)).code).toBe(1);
  });

  it('blind: 1, and the demo folder of a person is the demo set', async () => {
    const out = join(folder, 'blind');
    const { code, out: text } = await run(
      ...['vision', 'run', '--provider', 'blind', '--fixture', demoFolder('own'), '--out', out, '--json'],
    );
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({
      result: 'fail',
      cause: expect.stringContaining('did not move'),
    });
    expect((await run('verify', out)).code).toBe(0);
  });

  it('an altered picture stops everything before the first request: 2', async () => {
    const server = await mockLlama();
    const root = demoFolder('altered');
    writeFileSync(join(root, 'my pictures', 'shot 2.PNG'), 'nothing');
    const out = join(folder, 'altered-run');
    const { code, err } = await run(
      ...[
        'vision',
        'run',
        '--provider',
        'llama-server',
        '--base-url',
        server.url,
        '--fixture',
        root,
        '--out',
        out,
      ],
    );
    await server.close();
    expect(code).toBe(2);
    expect(err).toContain('fixture_incomplete');
    expect(server.calls).toHaveLength(0);
    expect(existsSync(out)).toBe(false);
  });

  it('a server that breaks off: 3, its attempt kept, and the run goes on where it stood', async () => {
    const yes = new Set(
      demoManifest()
        .rows.slice(0, 3)
        .map(({ screenshot }) => `sha256:${screenshot.sha256}`),
    );
    const broken = await mockLlama({ fault: 'down-after-four', yes });
    const out = join(folder, 'broken');
    const args = [
      'vision',
      'run',
      '--provider',
      'llama-server',
      '--base-url',
      broken.url,
      '--annotation',
      'none',
    ];
    const first = await run(...args, '--out', out, '--json');
    expect(first.code).toBe(3);
    expect(first.err).toContain(`go on with: pixelproof vision run --resume --out ${out}\n`);
    expect(JSON.parse(first.out)).toMatchObject({ result: 'error', done: 4, status: 'incomplete' });
    const attempt = JSON.parse(readFileSync(join(out, 'attempt.json'), 'utf8'));
    expect(attempt.receipt.visual_controls).toHaveLength(3);
    writeFileSync(join(folder, 'part.json'), JSON.stringify(attempt.receipt));
    const part = await run('vision', 'gate', join(folder, 'part.json'), '--json');
    expect([part.code, JSON.parse(part.out).verdict]).toEqual([1, 'incomplete']);
    const port = Number(new URL(broken.url).port);
    await broken.close();
    const healed = await mockLlama({ yes, port });
    const second = await run('vision', 'run', '--resume', '--out', out, '--json');
    expect(second.code).toBe(0);
    expect(healed.completions()).toHaveLength(11);
    await healed.close();
    expect(existsSync(join(out, 'attempt.json'))).toBe(false);
    expect((await run('verify', out)).code).toBe(0);
  });

  it('nobody there: 3, a skip', async () => {
    const { code, out } = await run(
      ...['vision', 'run', '--provider', 'llama-server', '--base-url', 'http://127.0.0.1:1'],
      ...['--out', join(folder, 'skip'), '--json'],
    );
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ result: 'skip', done: 0 });
  });

  it('refuses a provider and a choice that there is not: 2', async () => {
    expect((await run('vision', 'run', '--provider', 'nobody', '--out', join(folder, 'x'))).code).toBe(2);
    expect((await run('vision', 'run', '--provider', 'blind', '--gate', 'x', '--out', 'x')).code).toBe(2);
    expect((await run('vision', 'run', '--out', join(folder, 'x'))).code).toBe(2);
  });
});

describe('pixelproof vision gate', () => {
  it('the published receipt: 0; a contradicting figure: 1; one that cannot be judged: 2', async () => {
    const good = await run('vision', 'gate', published, '--json');
    expect(good.code).toBe(0);
    expect(Object.keys(JSON.parse(good.out))).toEqual([
      'verdict',
      'cause',
      'gate',
      'paired_ordering',
      'hits',
      'attachment',
      'threshold_diagnostic',
      'stored_differences',
    ]);
    const path = join(folder, 'receipt.json');
    cpSync(published, path);
    const text = readFileSync(published, 'utf8');
    writeFileSync(path, text.replace('"margin": 0.9999994808224107', '"margin": 0.5'));
    const differs = await run('vision', 'gate', path);
    expect([differs.code, differs.err]).toEqual([1, expect.stringContaining('margin')]);
    writeFileSync(path, text.replaceAll('"noul": 0.27196006242966697', '"noul": null'));
    const refused = await run('vision', 'gate', path, '--json');
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.out)).toMatchObject({
      verdict: 'refused',
      cause: expect.stringContaining('noul'),
    });
    expect((await run('vision', 'gate', join(folder, 'none.json'))).code).toBe(2);
  });
});

describe('pixelproof vision audit', () => {
  it('names a saboteur, and nobody where there is none', async () => {
    const bad = await run('vision', 'audit', '--provider', 'simulated', '--as', 'stale by one', '--json');
    expect([bad.code, JSON.parse(bad.out).name]).toEqual([1, 'stale by one']);
    const good = await run('vision', 'audit', '--provider', 'simulated');
    expect([good.code, good.out]).toEqual([0, expect.stringContaining('nothing found')]);
  });
});
