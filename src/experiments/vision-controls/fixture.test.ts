import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../evidence/identity/sha256';
import { checkFixture } from './check';
import { demoManifest, demoPicture } from './demo';
import { type Manifest, manifestText } from './manifest';
import { ownManifest, parseManifest } from './own';
import { assignPictures, requirePicture } from './pictures';
import { makePlan } from './plan';
import { DEMO_PROFILE } from './profile';
import { publishedManifest } from './published-fixture';

const PROVIDER = { id: 'blind', kind: 'wiring', label: '', model: '', seed: 0, base_url: null } as const;

type Loose = { rows: Record<string, unknown>[]; [key: string]: unknown };

/** The code with which a changed five-row manifest is rejected, null for none. */
function rejected(change: (manifest: Loose) => void): string | null {
  const manifest = JSON.parse(manifestText(publishedManifest('five-row'))) as Loose;
  change(manifest);
  try {
    parseManifest(JSON.stringify(manifest));
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
const row = (manifest: Loose, index = 0) => manifest.rows[index] as Record<string, Record<string, unknown>>;

describe('manifest validation, in the published order', () => {
  const faults: [string, string | null, (manifest: Loose) => void][] = [
    [
      'optional keys left out',
      null,
      (m) => {
        for (const key of ['issue', 'visual_question', 'notes']) delete m[key];
      },
    ],
    ['a root key missing', 'manifest_keys', (m) => delete m.split],
    ['another version', 'manifest_constant', (m) => Object.assign(m, { manifest_version: 2 })],
    ['a version as text', 'manifest_constant', (m) => Object.assign(m, { manifest_version: '1' })],
    ['another licence', 'manifest_constant', (m) => Object.assign(m, { license: 'CC0' })],
    ['another data set', 'manifest_constant', (m) => Object.assign(m, { dataset_id: 'other' })],
    ['rows that are no list', 'manifest_row', (m) => Object.assign(m, { rows: {} })],
    ['a row key missing', 'manifest_row', (m) => delete row(m).task_name],
    ['a row value of the wrong kind', 'manifest_row', (m) => Object.assign(row(m), { stream_order: '0' })],
    ['gold on the row', 'manifest_gold', (m) => Object.assign(row(m), { requires_login: false })],
    ['an unknown family', 'manifest_family', (m) => Object.assign(row(m), { visual_family: 'cnn' })],
    [
      'gold that contradicts the family',
      'manifest_expected',
      (m) => Object.assign(row(m), { visual_family: 'non_fox' }),
    ],
    [
      'a fourth gold key',
      'manifest_expected',
      (m) => Object.assign(row(m).expected ?? {}, { difficulty: 1 }),
    ],
    ['a gold key missing', 'manifest_expected', (m) => delete row(m).expected?.category],
    [
      'an unknown category',
      'manifest_expected',
      (m) => Object.assign(row(m).expected ?? {}, { category: 'X' }),
    ],
    ['a screenshot key missing', 'manifest_screenshot', (m) => delete row(m).screenshot?.width],
    [
      'a digest that is none',
      'manifest_screenshot',
      (m) => Object.assign(row(m).screenshot ?? {}, { sha256: 'ab' }),
    ],
    [
      'an id twice',
      'manifest_duplicate',
      (m) => Object.assign(row(m, 1), { unique_data_id: row(m).unique_data_id }),
    ],
    ['one row of a family', 'manifest_families', (m) => m.rows.splice(3, 1)],
    ['gold from somewhere else', 'manifest_provenance', (m) => Object.assign(m, { gold_provenance: {} })],
    [
      'visual gold from an annotation',
      'manifest_provenance',
      (m) => Object.assign(m.gold_provenance as object, { shows_fox_news_chrome: 'annotation' }),
    ],
    [
      'the first fault counts: family before screenshot, in any row',
      'manifest_family',
      (m) => {
        delete row(m).screenshot?.width;
        Object.assign(row(m, 4), { visual_family: 'cnn' });
      },
    ],
  ];
  it.each(faults)('%s: %s', (_name, code, change) => {
    expect(rejected(change)).toBe(code);
  });

  it('text that is no object', () => {
    for (const text of ['', '[]', '{"a":1,"a":2}']) expect(() => parseManifest(text)).toThrow();
  });

  it('keeps the order of the file', () => {
    const manifest = JSON.parse(manifestText(publishedManifest('five-row'))) as Manifest & {
      rows: unknown[];
    };
    (manifest.rows as unknown[]).reverse();
    const ids = parseManifest(JSON.stringify(manifest)).manifest.rows.map(({ stream_order }) => stream_order);
    expect(ids).toEqual([7, 6, 2, 1, 0]);
  });
});

describe('the demo set', () => {
  it('is drawn to the committed digests, 1280 x 720, and named as a demo', async () => {
    const committed = readFileSync(
      new URL('../../../fixtures/vision-controls/demo-manifest.json', import.meta.url),
      'utf8',
    );
    expect(manifestText(demoManifest())).toBe(committed);
    for (const { screenshot } of demoManifest().rows) {
      const bytes = demoPicture(`sha256:${screenshot.sha256}`) ?? new Uint8Array();
      expect(sha256Hex(bytes)).toBe(screenshot.sha256);
      await requirePicture(screenshot, bytes);
    }
    expect(demoPicture('sha256:00')).toBeNull();
    expect(committed).toContain('Demo pictures, drawn by code');
  });

  it('passes its own check, and a plan of it holds fifteen controls', async () => {
    const files = demoManifest().rows.map(({ screenshot }, index) => ({
      name: `${index}.bin`,
      bytes: demoPicture(`sha256:${screenshot.sha256}`) ?? new Uint8Array(),
    }));
    expect(await checkFixture(manifestText(demoManifest()), files)).toMatchObject({ ok: true, foreign: [] });
    expect(makePlan({ fixture: 'demo' }, PROVIDER).case_count).toBe(15);
  });

  it('a task that names no family is a fault', () => {
    const text = manifestText(demoManifest()).replaceAll(/"task_name": "[^"]*"/g, '"task_name": "Look."');
    expect(() => makePlan({ fixture: text }, PROVIDER)).toThrow(
      expect.objectContaining({ code: 'task_no_leak' }),
    );
  });
});

describe('pictures by digest', () => {
  const rows = demoManifest().rows;
  const bytesOf = (index: number) =>
    demoPicture(`sha256:${rows[index]?.screenshot.sha256}`) ?? new Uint8Array();

  it('under any name, each once, foreign files apart', async () => {
    const found = await assignPictures(demoManifest(), [
      { name: 'b', bytes: bytesOf(1) },
      { name: 'again', bytes: bytesOf(1) },
      { name: 'holiday.png', bytes: new Uint8Array([1]) },
    ]);
    expect(found.assigned).toMatchObject([{ unique_data_id: rows[1]?.unique_data_id, name: 'b' }]);
    expect(found.missing).toHaveLength(4);
    expect(found.foreign).toMatchObject([{ name: 'holiday.png' }]);
  });

  it('are held against every figure of their row', async () => {
    const screenshot = rows[0]?.screenshot;
    if (screenshot === undefined) throw new Error('no row');
    const bytes = bytesOf(0);
    const refuses = (change: object, code: string) =>
      expect(requirePicture({ ...screenshot, ...change }, bytes)).rejects.toMatchObject({ code });
    await refuses({ sha256: '0'.repeat(64) }, 'picture_changed');
    await refuses({ byte_count: 1 }, 'picture_length');
    await refuses({ mime_type: 'image/jpeg' }, 'picture_kind');
    await refuses({ width: 1 }, 'picture_size');
  });
});

describe('pictures of one’s own', () => {
  const words = {
    families: ['Blue Café', 'Green Café'],
    question: 'Is this the Blue Café?',
    when_true: '',
    state: 'A photograph of a shop front.',
    terms: ['espresso'],
  } as const;
  const picture = (family: 0 | 1, index: number) => ({
    family,
    file_name: `IMG_${index}.jpg`,
    mime_type: 'image/jpeg',
    sha256: sha256Hex(String(index)),
    byte_count: 10,
    width: 40,
    height: 30,
  });
  const four = [picture(0, 1), picture(1, 2), picture(0, 3), picture(1, 4)];

  it('make a manifest of the same form, with the same matrix and gate', () => {
    const manifest = ownManifest(words, four);
    const { profile } = parseManifest(manifestText(manifest));
    expect(profile.families).toEqual(['blue_cafe', 'green_cafe']);
    expect(profile.leak_terms).toEqual([
      'blue café',
      'bluecafé',
      'blue',
      'café',
      'green café',
      'greencafé',
      'green',
      'espresso',
    ]);
    const plan = makePlan({ fixture: manifestText(manifest) }, PROVIDER);
    expect(plan.case_count).toBe(12);
    expect(plan.frozen.annotation).toBe('none');
    expect(
      ownManifest({ ...words, families: ['日本', '中国'] }, four).rows.map((r) => r.visual_family),
    ).toEqual(['family', 'family_2', 'family', 'family_2']);
  });

  it('the ban is on the state, not on the question', () => {
    const leaking = ownManifest({ ...words, state: 'A cup of ESPRESSO.' }, four);
    expect(() => makePlan({ fixture: manifestText(leaking) }, PROVIDER)).toThrow(
      expect.objectContaining({ code: 'state_leak' }),
    );
  });

  it('words that cannot be asked, and too few pictures, are refused', () => {
    const refuses = (change: object, code: string, pictures = four) =>
      expect(() => ownManifest({ ...words, ...change }, pictures)).toThrow(expect.objectContaining({ code }));
    refuses({ families: ['Same', 'same'] }, 'own_words');
    refuses({ question: ' ' }, 'own_words');
    refuses({ state: '' }, 'own_words');
    refuses({}, 'manifest_families', four.slice(0, 3));
  });
});

describe('a plan', () => {
  it('names the first fault of its parameters', () => {
    const refuses = (parameters: object, code: string) =>
      expect(() => makePlan(parameters as never, PROVIDER)).toThrow(expect.objectContaining({ code }));
    refuses({ fixture: 'seven-row' }, 'plan_parameters');
    refuses({ n_probs: 1 }, 'plan_parameters');
    refuses({ rows: ['nobody'] }, 'plan_rows');
    refuses(
      { rows: [demoManifest().rows[0]?.unique_data_id, demoManifest().rows[0]?.unique_data_id] },
      'plan_rows',
    );
  });

  it('knows a published manifest by its digest, and the leak ban of each profile', () => {
    const text = manifestText(publishedManifest('six-row'));
    const plan = makePlan({ fixture: text }, PROVIDER);
    expect(plan.frozen.fixture).toMatchObject({ name: 'six-row' });
    expect(plan.plan_id).toBe(makePlan({ fixture: 'six-row' }, PROVIDER).plan_id);
    expect(DEMO_PROFILE.leak_terms).toContain('tide board');
  });
});
