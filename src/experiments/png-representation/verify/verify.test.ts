import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bundleContents, openBundle, writeJsonBundle } from '../../../evidence/bundle';
import type { Bundle } from '../../../evidence/bundle/reader';
import type { JsonObject } from '../../../evidence/identity/json';
import type { Finding } from '../../../evidence/verify/finding';
import type { CaseRecord } from '../../../runner/experiment';
import { pngRepresentation, replayDescription } from '../index';
import {
  type MemoryRun,
  OLLAMA,
  ollamaAsk,
  runInMemory,
  SCRIPTED,
  type Served,
  scriptedAsk,
  storedRun,
} from '../testing/memory-run';

type Run = MemoryRun;

async function bundle(run: Run, inlineImages = true): Promise<Bundle> {
  const parts: Uint8Array[] = [];
  const contents = bundleContents(run, () => pngRepresentation.files(run));
  for await (const part of writeJsonBundle(contents, { inlineImages })) parts.push(part);
  return openBundle(Uint8Array.from(Buffer.concat(parts)));
}

async function findings(of: Bundle): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const finding of pngRepresentation.verify(of)) all.push(finding);
  return all;
}

const failures = async (of: Bundle) =>
  (await findings(of))
    .filter((finding) => finding.level === 'failure')
    .map(({ code, where }) => `${code} ${where}`);

/** A bundle whose one file reads differently: what is left to find when every container digest was made to fit. */
function withText(of: Bundle, path: string, change: (text: string) => string): Bundle {
  return {
    ...of,
    text: async (asked) => (asked === path ? change(await of.text(asked)) : of.text(asked)),
  };
}

const small = { variants: ['labelled-v1', 'unlabelled-v1'], max_cases: 2, compile_reports: true };
const reply = 'TANK_COLUMN: 0\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 95';
const said = (content: string): Served => ({
  body: {
    message: { role: 'assistant', content },
    done_reason: 'stop',
    total_duration: 12_000,
    prompt_eval_count: 900,
    eval_count: 24,
  },
});
const asked = ollamaAsk(() => said(reply));
const changed = (run: Run, ordinal: number, change: (record: CaseRecord) => CaseRecord): Run =>
  storedRun(
    run.plan,
    OLLAMA,
    run.records.map((record) =>
      record.arm === 'labelled-v1' && record.ordinal === ordinal ? change(record) : record,
    ),
    run.pictures,
    run.journalled,
    run.runtime,
  );

/** The pictures that a run has kept when so many cases are done. */
const picturesOf = (run: Run, cases: number) =>
  new Map(
    [...run.pictures].filter(([sha256]) =>
      run.records.slice(0, cases).some(({ evidence }) => evidence.image_sha256 === sha256),
    ),
  );

describe('a bundle recomputes from itself', () => {
  test('scripted, replayed and asked', async () => {
    const runs = [
      await runInMemory({ ...small, fixture: 'smoke' }, SCRIPTED, scriptedAsk),
      await runInMemory({ compile_reports: true }, replayDescription(), asked),
      await runInMemory({ ...small, confidence_threshold: 0.96 }, OLLAMA, asked),
      await runInMemory({ ...small, write_pngs: false }, OLLAMA, asked),
      await runInMemory(
        small,
        OLLAMA,
        ollamaAsk(() => said('nothing to read')),
      ),
    ];
    for (const run of runs) {
      for (const inline of [true, false]) {
        const all = await findings(await bundle(run, inline));
        expect(all.filter((finding) => finding.level !== 'pass')).toEqual([]);
        expect(all.map((finding) => finding.code)).toEqual([
          'plan_recomputed',
          'cases_recomputed',
          'tree_recomputed',
        ]);
      }
    }
  });

  test('an unfinished run is checked as far as it goes', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const part = storedRun(
      run.plan,
      OLLAMA,
      run.records.slice(0, 3),
      picturesOf(run, 3),
      run.journalled.slice(0, 3),
      run.runtime,
    );
    expect((await findings(await bundle(part))).map((finding) => finding.code)).toEqual([
      'plan_recomputed',
      'cases_recomputed',
    ]);
  });
});

test('a picture that the run has lost is no empty file', async () => {
  const run = await runInMemory(small, OLLAMA, asked);
  const lost = storedRun(run.plan, OLLAMA, run.records, new Map(), run.journalled, run.runtime);
  await expect(bundle(lost)).rejects.toMatchObject({ code: 'image_missing' });
});

describe('what was changed is named', () => {
  test('evidence of a case', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const evidence = (change: JsonObject) => (record: CaseRecord) => ({
      ...record,
      evidence: { ...record.evidence, ...change },
    });
    const of = async (change: (record: CaseRecord) => CaseRecord) =>
      failures(await bundle(changed(run, 1, change)));
    expect(await of(evidence({ truth_action: 'FIRE' }))).toContain(
      'case_evidence_mismatch cases.jsonl line 2 truth_action',
    );
    expect(await of(evidence({ step_pixels_sha256: [] }))).toEqual([
      'case_evidence_mismatch cases.jsonl line 2 step_pixels_sha256',
    ]);
    // Another reply: its digest, reading and outcome no longer follow, nor does the case record.
    const other = await of(evidence({ reply_text: reply.replace('0', '6') }));
    expect(other).toEqual(
      expect.arrayContaining([
        'case_evidence_mismatch cases.jsonl line 2 reply_sha256',
        'case_evidence_mismatch cases.jsonl line 2 prediction',
        'case_field_mismatch labelled-v1/case-records.jsonl line 2 provider_raw_response_text',
        'case_field_mismatch labelled-v1/case-records.jsonl line 2 case_id',
      ]),
    );
    const outcome = (record: CaseRecord) => ({ ...record, outcome: 'exact' });
    expect(await of(outcome)).toContain('case_outcome_mismatch cases.jsonl line 2 outcome');
  });

  test('who was asked', async () => {
    const scripted = await bundle(await runInMemory(small, SCRIPTED, scriptedAsk));
    const { manifest } = scripted;
    const measured = { ...OLLAMA, label: 'Ollama, some-model:latest' };
    expect(
      await failures({ ...scripted, manifest: { ...manifest, kind: 'measured', provider: measured } }),
    ).toEqual([
      'provider_mismatch pixelproof.json kind',
      'provider_mismatch pixelproof.json provider kind',
      'provider_mismatch pixelproof.json provider id',
      'provider_mismatch pixelproof.json provider model',
    ]);
    expect(
      await failures({ ...scripted, manifest: { ...manifest, provider: { ...manifest.provider, seed: 1 } } }),
    ).toEqual(['provider_mismatch pixelproof.json provider seed']);
  });

  test('the exchange that a case quotes', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const exchanged = async (change: (all: MemoryRun['journalled']) => MemoryRun['journalled']) =>
      failures(
        await bundle(
          storedRun(run.plan, OLLAMA, run.records, run.pictures, change(run.journalled), run.runtime),
        ),
      );
    const second = (more: Partial<MemoryRun['journalled'][number]['exchange']>) =>
      exchanged((all) =>
        all.map((one, at) => (at === 1 ? { ...one, exchange: { ...one.exchange, ...more } } : one)),
      );
    expect(await second({ reply_text: reply.replace('0', '6') })).toEqual([
      'exchange_mismatch exchanges.jsonl line 2 reply_text',
    ]);
    expect(await second({ image_sha256: null })).toEqual([
      'exchange_mismatch exchanges.jsonl line 2 image_sha256',
    ]);
    expect(await second({ reply_error: 'RuntimeError: empty' })).toEqual([
      'exchange_mismatch exchanges.jsonl line 2 reply_error',
    ]);
    expect(await second({ cause: { code: 'provider_timeout', message: 'none' } })).toContain(
      'exchange_missing exchanges.jsonl',
    );
    expect(await exchanged((all) => all.slice(1))).toEqual(['exchange_missing exchanges.jsonl']);
  });

  test('a file that the run does not make', async () => {
    const whole = await bundle(await runInMemory(small, OLLAMA, asked));
    const [first] = whole.manifest.files;
    if (first === undefined) throw new Error('The bundle has no file.');
    const files = [...whole.manifest.files, { ...first, path: 'evil.md' }];
    expect(
      await failures({
        ...whole,
        manifest: { ...whole.manifest, files },
        paths: () => [...whole.paths(), 'evil.md'],
      }),
    ).toEqual(['file_unexpected evil.md']);
  });

  test('the full record of a case', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const latency = (record: CaseRecord) => ({
      ...record,
      detail: {
        ...record.detail,
        case: String(record.detail.case).replace('"provider_latency_us":12', '"provider_latency_us":13'),
      },
    });
    // The tree of such a run cannot be made, so only the records are bundled.
    const broken = changed(run, 1, latency);
    const parts: Uint8Array[] = [];
    const contents = bundleContents(broken, async function* () {});
    for await (const part of writeJsonBundle(contents, { inlineImages: true })) parts.push(part);
    const found = await failures(await openBundle(Uint8Array.from(Buffer.concat(parts))));
    expect(found).toContain('case_id_mismatch labelled-v1/case-records.jsonl line 2 case_id');
    expect(found).toContain('file_missing experiment.json');
    expect(found).toContain('image_mismatch labelled-v1/images/000-tank-0__target-none__cooldown-0.png');
  });

  test('what is shown beside a case, and artifacts that no case shows', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const other = changed(run, 1, (record) => ({ ...record, detail: { ...record.detail, frame_id: 'x' } }));
    expect(await failures(await bundle(other))).toContain(
      'case_detail_mismatch details.jsonl line 2 frame_id',
    );
    const [first] = run.pictures.values();
    if (first === undefined) throw new Error('a picture');
    const bytes = new TextEncoder().encode('no picture of this run');
    const sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}` as const;
    const more = new Map(run.pictures).set(sha256, { ...first, sha256, bytes });
    const kept = storedRun(run.plan, OLLAMA, run.records, more, run.journalled, run.runtime);
    expect(await failures(await bundle(kept))).toEqual(['artifact_unexpected artifacts.jsonl']);
  });

  test('a record that is no record', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const broken = changed(run, 1, (record) => ({ ...record, detail: { ...record.detail, case: '{' } }));
    const parts: Uint8Array[] = [];
    const contents = bundleContents(broken, async function* () {});
    for await (const part of writeJsonBundle(contents, { inlineImages: true })) parts.push(part);
    const found = await failures(await openBundle(Uint8Array.from(Buffer.concat(parts))));
    expect(found).toContain('case_unreadable cases.jsonl line 2 detail');
  });

  test('a file of the output tree: line and field', async () => {
    const whole = await bundle(await runInMemory(small, OLLAMA, asked));
    const where = async (path: string, change: (text: string) => string) =>
      failures(withText(whole, path, change));
    expect(await where('labelled-v1/run.json', (text) => text.replace('"seed": 0', '"seed": 1'))).toEqual([
      expect.stringMatching(/^file_mismatch labelled-v1\/run\.json line \d+ seed$/),
    ]);
    expect(await where('comparison.csv', (text) => text.replace(',1,', ',2,'))).toEqual([
      'file_mismatch comparison.csv line 2 exact_count',
    ]);
    expect(await where('comparison.md', (text) => text.replace('| 1 |', '| 2 |'))).toEqual([
      'file_mismatch comparison.md line 7',
    ]);
    expect(await where('unlabelled-v1/cases.jsonl', (text) => text.replace('"exact"', '"wrong"'))).toEqual([
      'file_mismatch unlabelled-v1/cases.jsonl line 1 outcome',
    ]);
    expect(await where('labelled-v1/recipe.json', (text) => `${text}\n`)).toEqual([
      expect.stringMatching(/^file_mismatch labelled-v1\/recipe\.json line \d+$/),
    ]);
  });

  test('the plan', async () => {
    const whole = await bundle(await runInMemory(small, OLLAMA, asked));
    const plan = (change: JsonObject): Bundle => ({
      ...whole,
      manifest: { ...whole.manifest, plan: { ...whole.manifest.plan, ...change } },
    });
    expect(await failures(plan({ policy_artifact_id: 'sha256:0' }))).toEqual([
      'plan_id_mismatch pixelproof.json plan_id',
      'plan_mismatch pixelproof.json plan policy_artifact_id',
    ]);
    expect(await failures(plan({ fixture: null }))).toContain('plan_unreadable pixelproof.json plan');
  });

  test('cases out of order, too few, too many files', async () => {
    const run = await runInMemory(small, OLLAMA, asked);
    const whole = await bundle(run);
    const order = await bundle(
      storedRun(
        run.plan,
        OLLAMA,
        [...run.records.slice(2), ...run.records.slice(0, 2)],
        run.pictures,
        run.journalled,
        run.runtime,
      ),
    );
    expect(await failures(order)).toContain('case_order cases.jsonl line 1');
    const part = await bundle(
      storedRun(
        run.plan,
        OLLAMA,
        run.records.slice(0, 3),
        run.pictures,
        run.journalled.slice(0, 3),
        run.runtime,
      ),
    );
    const claimed = { ...part, manifest: { ...part.manifest, complete: true } };
    expect(await failures(claimed)).toContain('case_count cases.jsonl');
    const more = { ...whole, paths: () => [...whole.paths(), 'labelled-v1/extra.txt'] };
    expect(await failures(more)).toEqual(['file_unexpected labelled-v1/extra.txt']);
  });
});
