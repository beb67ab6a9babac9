import { describe, expect, test } from 'vitest';
import { bundleContents, writeZipBundle } from '../../evidence/bundle';
import type { JsonObject } from '../../evidence/identity/json';
import { sha256Large } from '../../evidence/identity/sha256';
import type { StoredRun } from '../../evidence/run';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import { importBundle, verifyBundle } from '../../evidence/verify';
import { wasmEngine } from '../../pixels/signals/engine';
import { executeRun, memoryLocks, recordedAnswers } from '../../runner';
import type { Experiment, Plan } from '../../runner/experiment';
import { imageSignals } from './experiment';
import { bareHost, type SignalsHost } from './host';
import { sceneFile } from './scene-file';

const PROVIDER = {
  id: 'files',
  kind: 'measured',
  label: 'files',
  model: 'none',
  seed: 0,
  base_url: null,
} as const;
const scene = (layout: 'correct' | 'swapped', seed: number) => ({ layout, seed, width: 96, height: 64 });
const runtime = { runtime_name: 'test', runtime_version: null, model_digest: null, details: null };

function shelf(...files: readonly Uint8Array<ArrayBuffer>[]): SignalsHost {
  return {
    ...bareHost,
    picture: async (sha256) => {
      for (const file of files) if ((await sha256Large(file)) === sha256) return file;
      return null;
    },
  };
}

async function finished(host: SignalsHost, parameters: JsonObject) {
  const experiment = imageSignals(host) as unknown as Experiment;
  const plan: Plan = await experiment.plan(parameters, PROVIDER);
  const store = new MemoryStore();
  await store.create({ run: 'r', plan, provider: PROVIDER, environment: {}, origin: 'here' });
  const answers = recordedAnswers({ description: PROVIDER, runtime, lookup: () => null });
  const signal = new AbortController().signal;
  const end = await executeRun({ store, locks: memoryLocks(), run: 'r', experiment, plan, answers, signal });
  return { experiment, store, end };
}

async function zipOf(run: StoredRun, { files }: Pick<Experiment, 'files'>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: number[] = [];
  for await (const chunk of writeZipBundle(bundleContents(run, files))) {
    for (const byte of chunk) parts.push(byte);
  }
  return new Uint8Array(parts);
}

const failures = (findings: readonly { level: string; code: string }[]) =>
  findings.filter(({ level }) => level === 'failure').map(({ code }) => code);

/** Two pictures, a cell, a text file among them, two reviewers. */
async function whole() {
  const [good, wrong] = [sceneFile(scene('correct', 1)), sceneFile(scene('swapped', 2))];
  const text = new TextEncoder().encode('not a picture');
  const [a, b, c] = await Promise.all([sha256Large(good), sha256Large(wrong), sha256Large(text)]);
  const review = (reviewer: string) => ({
    reviewer,
    image: a.slice(7),
    item: 'spatial_layout',
    score: 2,
    note: '',
  });
  const parameters = {
    pictures: [
      { file: 'a/good.png', sha256: a, cell: { arm: 'minimax', repetition: 1 } },
      { file: '=wrong.png', sha256: b },
      { file: 'notes.txt', sha256: c },
    ],
    reviews: [review('Ada'), review('Ben')],
  };
  return { files: [good, wrong, text], parameters, digests: [a, b, c] };
}

describe('a run of image signals', () => {
  test('measures, counts failures apart, exports, verifies and imports', async () => {
    const { files, parameters, digests } = await whole();
    const { experiment, store, end } = await finished(shelf(...files), parameters);
    expect(end.error).toBeNull();
    expect(end.header.status).toBe('complete');
    const { items } = await store.cases('r', { offset: 0, limit: 9 });
    expect(items.map(({ arm, outcome }) => [arm, outcome])).toEqual([
      ['minimax', 'measured'],
      ['dropped', 'measured'],
      ['dropped', 'undecodable'],
    ]);
    expect(items[0]?.evidence.image_sha256).toBe(digests[0]);
    expect(items[0]?.evidence.pixels_sha256).not.toBe(digests[0]);
    const report = await experiment.report(await storedRun(store, 'r'));
    expect(report).toMatchObject({ pictures: 3, measured: 2, undecodable: 1 });
    const bytes = await zipOf(await storedRun(store, 'r'), experiment);
    const result = await verifyBundle(bytes, [experiment]);
    expect(failures(result.findings)).toEqual([]);
    expect(result.findings.map(({ code }) => code)).toContain('tree_recomputed');
    const other = new MemoryStore();
    const imported = await importBundle(bytes, other, [experiment]);
    expect(imported.header?.root_digest).toBe(end.header.root_digest);
  });

  test('a changed number, a changed review and a changed cell are found', async () => {
    const { files, parameters } = await whole();
    const { experiment, store } = await finished(shelf(...files), parameters);
    const run = await storedRun(store, 'r');
    const altered: StoredRun = {
      ...run,
      async *cases(arm) {
        for await (const record of run.cases(arm)) {
          const inner = record.evidence.record as JsonObject;
          yield { ...record, evidence: { ...record.evidence, record: { ...inner, gates_passed: 3 } } };
        }
      },
    };
    const result = await verifyBundle(await zipOf(altered, experiment), [experiment]);
    expect(failures(result.findings)).toContain('case_evidence_mismatch');
    const cells = run.plan.frozen.cells as readonly JsonObject[];
    const unblocked = {
      ...cells[0],
      steps: [{ state: 'planned', reason: 'In the frozen plan.', evidence: null }],
    };
    const forged: StoredRun = {
      ...run,
      plan: { ...run.plan, frozen: { ...run.plan.frozen, cells: [unblocked, ...cells.slice(1)] } },
    };
    const second = await verifyBundle(await zipOf(forged, experiment), [experiment]);
    expect(failures(second.findings)).toContain('plan_unreadable');
  });

  test('a file beside the tree is found, though its digest is in the manifest', async () => {
    const { files, parameters } = await whole();
    const { experiment, store } = await finished(shelf(...files), parameters);
    const run = await storedRun(store, 'r');
    const more: Pick<Experiment, 'files'> = {
      files: async function* (source) {
        yield* experiment.files(source);
        yield {
          path: 'ranking.md',
          role: 'evidence',
          media_type: 'text/markdown',
          content: async function* () {
            yield new TextEncoder().encode('Ours is best.');
          },
        };
      },
    };
    const result = await verifyBundle(await zipOf(run, more), [experiment]);
    expect(failures(result.findings)).toEqual(['file_unexpected']);
  });

  test('the same pictures give the same root digest on any engine that counts right', async () => {
    const { files, parameters } = await whole();
    const first = await finished(shelf(...files), parameters);
    const twin = { ...wasmEngine, identity: { id: 'webgpu', version: 'twin' } as const };
    const host = { ...shelf(...files), engine: async () => twin };
    const second = await finished(host, { ...parameters, engine: 'webgpu' });
    expect(second.end.header.root_digest).toBe(first.end.header.root_digest);
  });

  test('a file that is gone or another one stops the run, and it can go on', async () => {
    const { files, parameters } = await whole();
    const gone = await finished(shelf(), parameters);
    expect(gone.end.error?.code).toBe('picture_missing');
    expect(gone.end.header.status).toBe('incomplete');
    const other = files[1];
    const lying = { ...bareHost, picture: async () => other ?? null };
    expect((await finished(lying, parameters)).end.error?.code).toBe('picture_changed');
    const missing = await finished({ ...shelf(...files), engine: async () => null }, parameters);
    expect(missing.end.error?.code).toBe('engine_missing');
  });
});

describe('the plan refuses', () => {
  const make = (parameters: JsonObject) => imageSignals(bareHost).plan(parameters, PROVIDER);
  const drawn = { scene: scene('correct', 1) };

  test.each<[string, string, JsonObject]>([
    ['no pictures', 'plan_parameters', { pictures: [] }],
    ['a picture without digest', 'plan_picture', { pictures: [{ file: 'a.png' }] }],
    [
      'a scene with another digest',
      'plan_picture',
      { pictures: [{ ...drawn, sha256: `sha256:${'0'.repeat(64)}` }] },
    ],
    [
      'a blocked cell',
      'plan_cell',
      { pictures: [{ ...drawn, cell: { arm: 'checkpoint-1', repetition: 1 } }] },
    ],
    [
      'a cell that is not there',
      'plan_cell',
      { pictures: [drawn], cells: [{ arm: 'x', repetition: 1, steps: [] }] },
    ],
    [
      'a done cell without picture',
      'plan_cell',
      {
        pictures: [drawn],
        cells: [
          {
            arm: 'drawn',
            repetition: 1,
            steps: [
              { state: 'planned', reason: 'In the frozen plan.', evidence: null },
              { state: 'done', reason: 'x', evidence: { image: 'none' } },
            ],
          },
        ],
      },
    ],
    [
      'a review of nothing',
      'plan_review',
      {
        pictures: [drawn],
        reviews: [{ reviewer: 'A', image: '0'.repeat(64), item: 'spatial_layout', score: 1, note: '' }],
      },
    ],
  ])('%s', async (_what, code, parameters) => {
    await expect(make(parameters)).rejects.toMatchObject({ code });
  });
});
