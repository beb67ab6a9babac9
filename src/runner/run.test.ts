import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { PixelproofError } from '../errors';
import { bundleContents } from '../evidence/bundle/contents';
import { writeZipBundle } from '../evidence/bundle/zip-writer';
import { MemoryStore } from '../evidence/store/memory';
import { storedRun } from '../evidence/store/source';
import { SpillStore } from '../evidence/store/spill';
import { verifyBundle } from '../evidence/verify/verify';
import type { CaseRecord, Progress } from './experiment';
import { type AnswerSource, liveAnswers, memoryLocks, type RunOptions, recordedAnswers } from './index';
import { exchangesOf, execute, never, planned, QUESTIONS_OF_TWO, ROOT_OF_TWO } from './testing/planned';
import { toyExchange, toyExperiment, toyLive, toyPlan, toyProvider } from './testing/toy';
import { collected } from './testing/toy-run';

describe('a run', () => {
  it('goes from plan to seal, with the root digest that another program computes', async () => {
    const store = await planned(new MemoryStore());
    const provider = toyLive();
    const told: Progress[] = [];
    let time = 0;
    const { header, error } = await execute(store, liveAnswers(provider), {
      plan: await toyPlan(2),
      onProgress: (progress) => told.push(progress),
      clock: () => {
        time += 10;
        return time;
      },
    });
    expect(error).toBeNull();
    expect(header).toMatchObject({ status: 'complete', done: 4, total: 4, root_digest: ROOT_OF_TWO });
    expect(provider.calls).toBe(QUESTIONS_OF_TWO);
    expect(told[0]).toMatchObject({ done: 0, total: 4, now: 'once, case 1 of 2: rendering', left_ms: null });
    expect(told.at(-1)).toMatchObject({ done: 4, now: 'twice, case 2 of 2: finished', left_ms: 0 });
    expect(told.find(({ done, left_ms }) => done === 3 && left_ms !== null)?.left_ms).toBeGreaterThan(0);
    expect(told.at(-1)?.latest).toMatchObject({ arm: 'twice', ordinal: 1 });
    // Once complete, it is left alone.
    expect((await execute(store, liveAnswers(provider))).header.root_digest).toBe(ROOT_OF_TWO);
    expect(provider.calls).toBe(QUESTIONS_OF_TWO);
  });

  it('stops on a failure of plumbing without a case, keeps the attempt, and resumes', async () => {
    const store = await planned(new MemoryStore());
    let down = true;
    const working = toyLive();
    const cause = { code: 'provider_http_status', message: 'The server said 503.' };
    const flaky: AnswerSource = {
      ...liveAnswers(working),
      answer: async (key, index, question, call) => {
        if (!down || key.arm === 'once') return liveAnswers(working).answer(key, index, question, call);
        const failed = toyExchange(null, { cause, status: 503 });
        await call.record(failed);
        return failed;
      },
    };
    const { header, error } = await execute(store, flaky);
    expect(header).toMatchObject({ status: 'incomplete', done: 2, stopped: cause, root_digest: null });
    expect(error?.code).toBe('provider_http_status');
    expect((await exchangesOf(store)).filter(({ exchange }) => exchange.cause !== null)).toHaveLength(1);
    down = false;
    const end = await execute(store, flaky);
    expect(end.header).toMatchObject({ status: 'complete', stopped: null, root_digest: ROOT_OF_TWO });
    expect(await exchangesOf(store)).toHaveLength(QUESTIONS_OF_TWO + 1);
  });

  it('does not let an experiment turn a failure of plumbing into a case', async () => {
    const store = await planned(new MemoryStore());
    const answers = recordedAnswers({
      description: toyProvider,
      runtime: { runtime_name: 'replay', runtime_version: null, model_digest: null, details: null },
      lookup: () => null,
    });
    const swallowing = { ...toyExperiment, ask: toyExperiment.ask };
    swallowing.ask = (plan, key, material, ask) =>
      toyExperiment.ask(plan, key, material, ask).catch(() => ['0']);
    const { header } = await execute(store, answers, { experiment: swallowing });
    expect(header).toMatchObject({ status: 'incomplete', done: 0, stopped: { code: 'answer_not_recorded' } });
  });

  it('replays recorded answers by case', async () => {
    const store = await planned(new MemoryStore());
    const answers = recordedAnswers({
      description: toyProvider,
      runtime: { runtime_name: 'replay', runtime_version: null, model_digest: null, details: null },
      lookup: ({ ordinal }) => toyExchange(String(ordinal)),
    });
    expect((await execute(store, answers)).header.root_digest).toBe(ROOT_OF_TWO);
  });

  it('can be cancelled and resumed', async () => {
    const store = await planned(new MemoryStore());
    const controller = new AbortController();
    const provider = toyLive((call) => {
      if (call === 4) controller.abort();
    });
    const { header, error } = await execute(store, liveAnswers(provider), { signal: controller.signal });
    expect(header).toMatchObject({ status: 'cancelled', done: 2, stopped: null });
    expect(error).toBeNull();
    const end = await execute(store, liveAnswers(provider));
    expect(end.header.root_digest).toBe(ROOT_OF_TWO);
    expect(provider.calls).toBe(QUESTIONS_OF_TWO);
  });

  it('has one runner at a time', async () => {
    const store = await planned(new MemoryStore());
    const locks = memoryLocks();
    const first = execute(store, liveAnswers(toyLive()), { locks });
    await expect(execute(store, liveAnswers(toyLive()), { locks })).rejects.toMatchObject({
      code: 'run_locked',
    });
    expect((await first).header.root_digest).toBe(ROOT_OF_TWO);
    expect((await execute(store, liveAnswers(toyLive()), { locks })).header.status).toBe('complete');
  });

  it('journals a last attempt that the provider did not record, and mends half surrogate pairs', async () => {
    const store = await planned(new MemoryStore());
    const silent: AnswerSource = {
      ...liveAnswers(toyLive()),
      answer: async () => toyExchange('\ud800'),
    };
    expect((await execute(store, silent)).header.status).toBe('complete');
    const all = await exchangesOf(store);
    expect(all).toHaveLength(QUESTIONS_OF_TWO);
    expect(all[0]?.exchange.reply_text).toBe('\ufffd');
  });
});

describe('what does not belong together', () => {
  it.each<[string, Partial<RunOptions>]>([
    ['store_run_missing', { run: 'nobody' }],
    ['run_experiment_mismatch', { experiment: { ...toyExperiment, id: 'other' } }],
    ['run_case_count', { experiment: { ...toyExperiment, cases: () => [] } }],
  ])('%s', async (code, more) => {
    const store = await planned(new MemoryStore());
    await expect(execute(store, liveAnswers(toyLive()), more)).rejects.toMatchObject({ code });
    expect((await store.header('r1'))?.status).toBe('planned');
  });

  it('another plan or provider', async () => {
    const store = await planned(new MemoryStore());
    const answers = liveAnswers(toyLive());
    await expect(execute(store, answers, { plan: await toyPlan(3) })).rejects.toMatchObject({
      code: 'run_plan_mismatch',
    });
    const other = { ...answers, description: { ...toyProvider, seed: 8 } };
    await expect(execute(store, other)).rejects.toMatchObject({ code: 'run_provider_mismatch' });
    const blind = { description: toyProvider, capabilities: [], start: toyLive().start };
    expect(() => liveAnswers(blind)).toThrowError(expect.objectContaining({ code: 'answers_no_images' }));
  });

  it('other weights, another picture, another case, a fault', async () => {
    const controller = new AbortController();
    const half = async () => {
      const store = await planned(new MemoryStore());
      let calls = 0;
      const stopping: AnswerSource = {
        ...liveAnswers(toyLive()),
        answer: async (key, index, question, call) => {
          calls += 1;
          if (calls === 2) throw new Error('bug in a provider');
          return liveAnswers(toyLive()).answer(key, index, question, call);
        },
      };
      const { header, error } = await execute(store, stopping, { signal: controller.signal });
      expect(header.stopped?.code).toBe('run_internal');
      expect(error?.cause).toBeInstanceOf(Error);
      return store;
    };
    const changed = { ...liveAnswers(toyLive()) };
    const start = async () => ({ ...(await toyLive().start(never)), model_digest: 'd2' });
    expect((await execute(await half(), { ...changed, start })).error?.code).toBe('run_runtime_changed');
    const mixed = { ...toyExperiment, judge: toyExperiment.judge };
    mixed.judge = async (plan, key, material, answer) =>
      toyExperiment.judge(plan, { ...key, ordinal: 7 }, material, answer);
    expect((await execute(await half(), changed, { experiment: mixed })).error?.code).toBe('run_case_key');
    const store = await planned(new MemoryStore());
    const failing = { ...toyExperiment, judge: async () => Promise.reject(new Error('no')) };
    await execute(store, changed, { experiment: failing });
    const repainted = { ...toyExperiment, materialise: toyExperiment.materialise };
    repainted.materialise = async (plan, key) => toyExperiment.materialise(plan, { ...key, ordinal: 3 });
    expect((await execute(store, changed, { experiment: repainted })).error?.code).toBe(
      'run_question_changed',
    );
  });
});

describe('a record that no bundle could hold', () => {
  it.each<[string, Partial<CaseRecord>]>([
    ['run_case_record', { outcome: '' }],
    ['identity_not_json', { evidence: { reply: '\ud800' } }],
    ['json_forbidden_key', { detail: { constructor: 1 } }],
    ['json_depth', { detail: { deep: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) } }],
  ])('stops the run at its case: %s', async (code, change) => {
    const store = await planned(new MemoryStore());
    const faulty = { ...toyExperiment, judge: toyExperiment.judge };
    faulty.judge = async (plan, key, material, answer) => {
      const { record, artifacts } = await toyExperiment.judge(plan, key, material, answer);
      return { record: { ...record, ...change }, artifacts };
    };
    const { header } = await execute(store, liveAnswers(toyLive()), { experiment: faulty });
    expect(header).toMatchObject({ status: 'incomplete', done: 0, stopped: { code } });
  });
});

describe('a full disk', () => {
  it.each([1, 2, 3, 5, 8, 10])(
    'at write %i stops the run; the case is exported, and kept on resume',
    async (fullAt) => {
      const inner = new MemoryStore();
      let writes = 0;
      let full = true;
      const refusing = new Proxy(inner, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          return (...given: unknown[]) => {
            if (name === 'journal' || name === 'commit' || name === 'update') writes += 1;
            if (full && writes > fullAt && (name === 'journal' || name === 'commit' || name === 'update')) {
              return Promise.reject(new PixelproofError('store_quota', 'full'));
            }
            return Reflect.apply(method, target, given);
          };
        },
      });
      const events: string[] = [];
      const store = await planned(new SpillStore(refusing, ({ code }) => events.push(code)));
      const provider = toyLive();
      const { header, error } = await execute(store, liveAnswers(provider));
      expect(error?.code).toBe('store_quota');
      expect(header).toMatchObject({ status: 'incomplete', stopped: { code: 'store_quota' } });
      expect(events).toContain('store_quota');
      const kept = await exchangesOf(store);
      expect(kept).toHaveLength(provider.calls);
      const source = await storedRun(store, 'r1');
      const zip = await collected(
        writeZipBundle(bundleContents(source, () => toyExperiment.files(source as never))),
      );
      const { ok, counts } = await verifyBundle(zip, [toyExperiment]);
      expect({ ok, cases: counts.cases, exchanges: counts.exchanges }).toEqual({
        ok: true,
        cases: header.done,
        exchanges: provider.calls,
      });
      full = false;
      const end = await execute(store, liveAnswers(provider));
      expect(end.header).toMatchObject({ status: 'complete', root_digest: ROOT_OF_TWO });
      expect(provider.calls).toBe(QUESTIONS_OF_TWO);
      expect((await inner.header('r1'))?.root_digest).toBe(ROOT_OF_TWO);
    },
  );
});
