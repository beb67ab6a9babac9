import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoManifest, demoPicture, manifestText } from '../src/experiments/vision-controls';
import { bareReceipt, type Receipt, SCENARIOS } from '../src/experiments/vision-controls/testing/receipts';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-vision-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));
let folders = 0;

type Row = Record<string, unknown> & { screenshot: Record<string, unknown> };
type Root = Record<string, unknown> & { rows: Row[] };

/** A fixture folder of the demo set, its manifest as `write` has it. */
function fixture(write: (manifest: Root) => string | Buffer, pictures = true): string {
  folders += 1;
  const root = join(folder, `fixture-${folders}`);
  mkdirSync(root);
  const manifest = JSON.parse(manifestText(demoManifest())) as Root;
  for (const [index, { screenshot }] of demoManifest().rows.entries())
    if (pictures)
      writeFileSync(join(root, `${index}.png`), demoPicture(`sha256:${screenshot.sha256}`) ?? Buffer.of());
  writeFileSync(join(root, 'manifest.json'), write(manifest));
  return root;
}

const edited = (change: (manifest: Root, first: Row) => void) => (manifest: Root) => {
  change(manifest, manifest.rows[0] as Row);
  return JSON.stringify(manifest);
};

describe('vision check, hostile manifests: one coded error each', () => {
  it.each<[string, (manifest: Root) => string | Buffer, string]>([
    ['gold outside expected', edited((_, row) => Object.assign(row, { category: 'x' })), 'manifest_gold'],
    [
      'the same id twice',
      edited((manifest, row) => manifest.rows.push(structuredClone(row))),
      'manifest_duplicate',
    ],
    [
      '__proto__',
      (manifest) => manifestText(manifest as never).replace('"split"', '"__proto__"'),
      'json_forbidden_key',
    ],
    [
      'a key twice',
      (manifest) => JSON.stringify(manifest).replace('"split"', '"source":"x","split"'),
      'json_duplicate_key',
    ],
    [
      'a name that climbs',
      edited((_, row) => Object.assign(row.screenshot, { file_name: '../../x.png' })),
      'manifest_screenshot',
    ],
    [
      'an absolute name',
      edited((_, row) => Object.assign(row.screenshot, { file_name: '/etc/x.png' })),
      'manifest_screenshot',
    ],
    [
      'a drive',
      edited((_, row) => Object.assign(row.screenshot, { file_name: 'C:x.png' })),
      'manifest_screenshot',
    ],
    [
      'a share',
      edited((_, row) => Object.assign(row.screenshot, { file_name: '\\\\host\\x.png' })),
      'manifest_screenshot',
    ],
    [
      'a digest that is none',
      edited((_, row) => Object.assign(row.screenshot, { sha256: 'x' })),
      'manifest_screenshot',
    ],
    [
      'a width of 1e400',
      (manifest) => JSON.stringify(manifest).replace('"width":1280', '"width":1e400'),
      'json_number',
    ],
    ['a foreign family', edited((_, row) => Object.assign(row, { visual_family: 'x' })), 'manifest_family'],
    [
      'a gold that its family has not',
      edited((_, row) => Object.assign(row, { visual_family: 'seed_shop' })),
      'manifest_expected',
    ],
    ['rows that are no list', edited((manifest) => Object.assign(manifest, { rows: {} })), 'manifest_row'],
    ['another licence', edited((manifest) => Object.assign(manifest, { license: 'x' })), 'manifest_constant'],
    [
      'no provenance',
      edited((manifest) => Object.assign(manifest, { gold_provenance: {} })),
      'manifest_provenance',
    ],
    ['words that are none', edited((manifest) => Object.assign(manifest, { own: {} })), 'own_words'],
    ['a list', () => '[]', 'json_not_object'],
    ['nothing', () => '', 'json_syntax'],
    ['a thousand levels', () => '['.repeat(1000), 'json_depth'],
  ])('%s', async (_, write, code) => {
    const { code: exit, out } = await run('vision', 'check', fixture(write, false), '--json');
    expect([exit, JSON.parse(out).error?.code]).toEqual([1, code]);
  });

  it('a state that names a family, and a task that names none', async () => {
    const words = {
      families: ['Tide Board', 'Seed Shop'],
      question: 'Is this Tide Board?',
      when_true: '',
      state: 'A capture of a seed shop.',
      terms: [],
    };
    const { ownManifest } = await import('../src/experiments/vision-controls/own');
    const rows = demoManifest().rows.map(({ visual_family, screenshot }) => ({
      ...screenshot,
      family: visual_family === 'tide_board' ? (0 as const) : (1 as const),
    }));
    const own = manifestText(ownManifest(words as never, rows));
    const leaks = await run(
      'vision',
      'check',
      fixture(() => own),
      '--json',
    );
    expect([leaks.code, JSON.parse(leaks.out).leak_ban]).toEqual([
      1,
      expect.objectContaining({ ok: false, code: 'state_leak', state_term: 'seed shop' }),
    ]);
    const silent = edited((_, row) => Object.assign(row, { task_name: 'Find the opening hours.' }));
    const quiet = await run('vision', 'check', fixture(silent), '--json');
    expect([quiet.code, JSON.parse(quiet.out).leak_ban.code]).toEqual([1, 'task_no_leak']);
    const out = join(folder, 'never');
    for (const [text, code] of [
      [() => own, 'state_leak'],
      [silent, 'task_no_leak'],
    ] as const) {
      const refused = await run(
        ...['vision', 'run', '--provider', 'scripted', '--fixture', fixture(text), '--out', out],
      );
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(code)]);
    }
  });

  it('pictures: missing, altered, empty, a link, of another length or size', async () => {
    const root = fixture(
      edited((manifest) => {
        Object.assign(manifest.rows[3]?.screenshot ?? {}, { byte_count: 5 });
        Object.assign(manifest.rows[4]?.screenshot ?? {}, { width: 5 });
      }),
    );
    const names = demoManifest().rows.map(({ screenshot }) => screenshot.file_name);
    rmSync(join(root, '0.png'));
    rmSync(join(root, '1.png'));
    writeFileSync(join(root, names[1] ?? ''), '');
    const target = join(folder, 'elsewhere.png');
    writeFileSync(target, demoPicture(`sha256:${demoManifest().rows[2]?.screenshot.sha256}`) ?? '');
    rmSync(join(root, '2.png'));
    symlinkSync(target, join(root, '2.png'));
    const { code, out } = await run('vision', 'check', root, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out).pictures.map((one: { code: string }) => one.code)).toEqual([
      'picture_missing',
      'picture_changed',
      // A link is not followed: what it leads to is not in the folder.
      'picture_missing',
      'picture_length',
      'picture_size',
    ]);
  });

  it('files that are too large to be read: 2', async () => {
    const picture = fixture((manifest) => JSON.stringify(manifest));
    writeFileSync(join(picture, 'huge.png'), '');
    truncateSync(join(picture, 'huge.png'), 65 * 1024 * 1024);
    const manifest = fixture(() => '{}');
    truncateSync(join(manifest, 'manifest.json'), 65 * 1024 * 1024);
    const binary = fixture(() => Buffer.from([0xff, 0xfe, 0x7b]));
    for (const [root, code] of [
      [picture, 'input_too_large'],
      [manifest, 'input_too_large'],
      [binary, 'input_not_text'],
      [join(folder, 'none'), 'input_unreadable'],
    ] as const) {
      const found = await run('vision', 'check', root, '--json');
      expect([found.code, JSON.parse(found.out).error.code]).toEqual([2, code]);
    }
  });
});

describe('vision run, folders that are there already', () => {
  const go = (provider: string, ...more: string[]) =>
    run('vision', 'run', '--provider', provider, '--json', ...more);

  it('a folder with something else, a file, and nothing to go on with: 2', async () => {
    const root = join(folder, 'mine');
    mkdirSync(root);
    writeFileSync(join(root, 'diary.txt'), 'mine');
    const full = await go('blind', '--out', root);
    expect([full.code, JSON.parse(full.out).error.code]).toEqual([2, 'output_exists']);
    const forced = await go('blind', '--out', root, '--force');
    expect([forced.code, JSON.parse(forced.out).error.code]).toEqual([2, 'output_foreign']);
    const file = await go('blind', '--out', join(root, 'diary.txt'));
    expect([file.code, JSON.parse(file.out).error.code]).toEqual([2, 'output_foreign']);
    const nothing = await go('blind', '--out', join(folder, 'not there'), '--resume');
    expect([nothing.code, JSON.parse(nothing.out).error.code]).toEqual([2, 'output_missing']);
  });

  it('every provider that needs nobody writes a folder that verifies; --force replaces one', async () => {
    for (const [provider, exit] of [
      ['scripted', 0],
      ['blind', 1],
      ['replay', 0],
    ] as const) {
      const out = join(folder, `run-${provider}`);
      expect((await go(provider, '--out', out)).code).toBe(exit);
      expect((await go(provider, '--out', out)).code).toBe(2);
      expect((await go(provider, '--out', out, '--force')).code).toBe(exit);
      expect((await run('verify', out)).code).toBe(0);
    }
  });

  it('a fixture folder that is not there, or is not whole: 2, and nothing is written', async () => {
    const out = join(folder, 'untouched');
    for (const [root, code] of [
      [join(folder, 'none'), 'input_unreadable'],
      [fixture(() => '{}', false), 'manifest_keys'],
      [fixture((manifest) => JSON.stringify(manifest), false), 'fixture_incomplete'],
    ] as const) {
      const found = await go('scripted', '--fixture', root, '--out', out);
      expect([found.code, JSON.parse(found.out).error.code]).toEqual([2, code]);
      expect((await go('blind', '--out', out, '--resume')).code).toBe(2);
    }
  });
});

describe('vision gate, row by row of the specification’s decision 4', () => {
  let receipts = 0;
  async function gate(change: (receipt: Receipt, first: Record<string, unknown>) => void, text?: string) {
    receipts += 1;
    const path = join(folder, `receipt-${receipts}.json`);
    const receipt = bareReceipt(SCENARIOS.perfect);
    change(receipt, receipt.visual_controls[0] ?? {});
    writeFileSync(path, text ?? JSON.stringify(receipt));
    const { code, out } = await run('vision', 'gate', path, '--json');
    return { code, found: JSON.parse(out) };
  }

  it.each<[string, (receipt: Receipt, first: Record<string, unknown>) => void, string]>([
    ['a control twice', ({ visual_controls }, first) => visual_controls.push({ ...first }), 'twice'],
    ['a row without one control', ({ visual_controls }) => visual_controls.splice(1, 1), 'without omitted'],
    ['p above 1', (_, first) => Object.assign(first, { probability: 1.5 }), 'from 0 to 1'],
    ['p below 0', (_, first) => Object.assign(first, { probability: -0.1 }), 'from 0 to 1'],
    ['no p', (_, first) => Object.assign(first, { probability: null }), 'from 0 to 1'],
    ['p as text', (_, first) => Object.assign(first, { probability: '0.5' }), 'from 0 to 1'],
    ['half a token', (_, first) => Object.assign(first, { tokens_evaluated: 1.5 }), 'a whole number or null'],
    [
      'tokens below 0',
      (_, first) => Object.assign(first, { tokens_evaluated: -1 }),
      'a whole number or null',
    ],
    [
      'an unknown condition',
      (_, first) => Object.assign(first, { condition: 'shuffled' }),
      'present, omitted, swapped',
    ],
    [
      'two true pictures',
      ({ visual_controls }) => Object.assign(visual_controls[2] ?? {}, { expected: true }),
      'expected of',
    ],
    [
      'a row that is not listed',
      ({ rows }) => Object.assign(rows[0] ?? {}, { unique_data_id: 'x' }),
      'of the rows listed',
    ],
    [
      'no controls',
      (receipt) => Object.assign(receipt, { visual_controls: undefined }),
      'visual_controls or matrix_rows',
    ],
  ])('%s: refused, exit 2, the reason named', async (_, change, reason) => {
    const { code, found } = await gate(change);
    expect([code, found.verdict, found.cause]).toEqual([2, 'refused', expect.stringContaining(reason)]);
  });

  it.each([
    ['p that is not finite', '{"visual_controls":[{"probability":1e400}]}'],
    ['NaN', '{"visual_controls":[{"probability":NaN}]}'],
    ['__proto__', '{"__proto__":{"visual_controls":[]}}'],
    ['a key twice', '{"visual_controls":[],"visual_controls":[]}'],
    ['nothing', ''],
    ['a list', '[]'],
  ])('%s: refused, exit 2', async (_, text) => {
    const { code, found } = await gate(() => {}, text);
    expect([code, found.verdict]).toEqual([2, 'refused']);
    expect(found.cause.length).toBeGreaterThan(10);
  });

  it('any order: the same verdict', async () => {
    const { code, found } = await gate(({ visual_controls }) => visual_controls.reverse());
    expect([code, found.verdict, found.stored_differences]).toEqual([0, 'pass', []]);
  });

  it('a missing row, or a missing token count: incomplete, no verdict, exit 1', async () => {
    const row = await gate(({ visual_controls }) => visual_controls.splice(0, 3));
    expect([row.code, row.found.verdict, row.found.cause]).toEqual([
      1,
      'incomplete',
      expect.stringContaining('a row is missing'),
    ]);
    const tokens = await gate((_, first) => Object.assign(first, { tokens_evaluated: null }));
    expect([tokens.code, tokens.found.verdict]).toEqual([1, 'incomplete']);
    expect(tokens.found.attachment).toMatchObject({ checked: false, ok: null });
  });

  it('a stored figure that contradicts: listed, exit 1; an omitted control stored as a hit: fail', async () => {
    const stored = await gate((_, first) => Object.assign(first, { polarity: false, semantic_hit: false }));
    expect([stored.code, stored.found.verdict]).toEqual([1, 'pass']);
    expect(stored.found.stored_differences.map(({ path }: { path: string }) => path)).toEqual([
      expect.stringContaining('polarity'),
      expect.stringContaining('semantic_hit'),
    ]);
    const credited = await gate(({ visual_controls }) =>
      Object.assign(visual_controls[1] ?? {}, { semantic_hit: true }),
    );
    expect([credited.code, credited.found.verdict, credited.found.cause]).toEqual([
      1,
      'fail',
      expect.stringContaining('an omitted control was credited'),
    ]);
  });
});
