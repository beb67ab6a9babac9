import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pongFixture } from '../../../fixtures/pong-controls/read';
import { bundleContents, openBundle, writeZipBundle } from '../../evidence/bundle';
import type { JsonObject } from '../../evidence/identity/json';
import { MemoryStore } from '../../evidence/store/memory';
import { storedRun } from '../../evidence/store/source';
import { importBundle, verifyBundle } from '../../evidence/verify';
import { pongControlsLab } from '../../lab/pong-controls';
import { keepLeft } from '../../lab/pong-journal';
import type { Provider } from '../../providers/provider';
import { SCRIPTED_DECISIONS, ScriptedDecisions } from '../../providers/scripted-decisions';
import { executeRun, memoryLocks } from '../../runner';
import { liveAnswers, recordedAnswers } from '../../runner/answers';
import type { CaseKey, JournalledExchange } from '../../runner/experiment';
import { exchangeOfLine } from './exchange-record';
import { pongControls } from './experiment';
import { bareHost, type PongHost } from './host';
import type { Scheduled } from './plan';
import { comparisonOf } from './run-plan';
import { LOCAL_PLAYERS, runtimeOf } from './stored';
import type { RunTree } from './tree';

const node = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

async function run(parameters: JsonObject, lent: Partial<PongHost> = {}, description = LOCAL_PLAYERS) {
  const store = new MemoryStore();
  const host = {
    ...bareHost,
    sha256: node,
    left: (files: RunTree, at: Scheduled) => keepLeft(store, 'r', files, at),
    ...lent,
    // As the page keeps them.
    async attempt(key: CaseKey, index: number, line: string) {
      await lent.attempt?.(key, index, line);
      const { arm, ordinal } = key;
      const position = [...experiment.cases(plan)].findIndex(
        (one) => one.arm === arm && one.ordinal === ordinal,
      );
      await store.journal('r', [
        { key: { arm, ordinal }, position, index, exchange: exchangeOfLine(line, 1) },
      ]);
    },
  };
  const experiment = pongControls(() => host, { pixelproof: 'test' });
  const plan = await experiment.plan(parameters, description);
  const runtime = runtimeOf(description, comparisonOf(plan));
  const answers = recordedAnswers({ description, runtime, lookup: () => null });
  await store.create({ run: 'r', plan, provider: description, environment: {}, origin: 'here' });
  const end = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'r',
    experiment: experiment as never,
    plan,
    answers,
    signal: new AbortController().signal,
  });
  const bundle = async (change = (one: JournalledExchange) => one) => {
    const parts: Uint8Array[] = [];
    const stored = await storedRun(store, 'r');
    const source = {
      ...stored,
      async *exchanges() {
        for await (const one of stored.exchanges()) yield change(one);
      },
    };
    const contents = bundleContents(source, () => experiment.files(source), experiment.unfinished);
    for await (const part of writeZipBundle(contents)) parts.push(part);
    return new Uint8Array(Buffer.concat(parts));
  };
  return { experiment, store, end, bundle };
}

describe('a run on our own cartridge', () => {
  it('has the committed files, exports the published tree, and verifies from its own bytes', async () => {
    const { experiment, end, bundle } = await run({ seeds: [36], frames: 2000 });
    expect(end.header.status).toBe('complete');
    const zip = await bundle();
    const opened = await openBundle(zip);
    const { files } = pongFixture<{ files: Record<string, string> }>('paddle-local.json');
    for (const [path, digest] of Object.entries(files)) {
      if (!path.includes('seed-36')) continue;
      expect([path, node(await opened.read(path))]).toEqual([path, digest]);
    }
    expect(opened.paths()).toEqual(
      expect.arrayContaining([
        'plan.json',
        'comparison.json',
        'api-ledger.json',
        'python-4px/seed-36/evaluation.json',
      ]),
    );
    const result = await verifyBundle(zip, [experiment]);
    expect(result.findings.filter(({ level }) => level !== 'pass')).toEqual([]);
    expect(result.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['pong_plan', 'pong_comparison', 'cases_recomputed']),
    );
  });

  it('a cartridge that is not here stops the run before anything is played', async () => {
    const { end } = await run({ frames: 80, cartridge: 'pong' }, { rom: async () => null });
    expect(end.error?.code).toBe('pong_rom_missing');
    expect(end.header).toMatchObject({ status: 'incomplete', done: 0 });
  });

  it('the parameters say what is wrong', async () => {
    await expect(run({ cartridge: 'other' })).rejects.toMatchObject({ code: 'plan_parameters' });
    await expect(run({ seeds: 36 })).rejects.toMatchObject({ code: 'plan_parameters' });
    await expect(pongControlsLab.answers({} as never, { ...LOCAL_PLAYERS, id: 'jev' })).rejects.toMatchObject(
      {
        code: 'provider_settings',
      },
    );
    expect(() => pongControlsLab.asked('nobody', {})).toThrow(
      expect.objectContaining({ code: 'provider_unknown' }),
    );
    expect(() => liveAnswers(new ScriptedDecisions())).toThrow(
      expect.objectContaining({ code: 'answers_no_images' }),
    );
  });
});

describe('a model arm', () => {
  const parameters = { arms: ['python-4px', 'jev-vertical'], seeds: [36, 37], frames: 80 };

  it('keeps each attempt as it ends and gives the same root digest for the same replies', async () => {
    const kept: string[] = [];
    const lent = {
      provider: async () => new ScriptedDecisions(),
      callsBefore: async () => kept.length,
      attempt: async (_key: unknown, _decision: number, line: string) => void kept.push(line),
    };
    const first = await run(parameters, lent, SCRIPTED_DECISIONS);
    expect(first.end.header.status).toBe('complete');
    expect(kept).toHaveLength(2 * 20);
    const { findings } = await verifyBundle(await first.bundle(), [first.experiment]);
    expect(findings.filter(({ level }) => level !== 'pass')).toEqual([]);
    // A forger who computes every digest anew: the file of the episode still says what was recorded.
    const forged = await first.bundle((one) => ({ ...one, exchange: { ...one.exchange, status: 201 } }));
    const told = (await verifyBundle(forged, [first.experiment])).findings;
    expect(told.filter(({ level }) => level !== 'pass').map(({ code, where }) => `${code} ${where}`)).toEqual(
      ['exchange_mismatch exchanges.jsonl line 1 status'],
    );
    kept.length = 0;
    const second = await run(parameters, lent, SCRIPTED_DECISIONS);
    expect(second.end.header.root_digest).toBe(first.end.header.root_digest);
  });

  /** Answers five times, then no more. */
  function failing(): Provider {
    let calls = 0;
    const script = new ScriptedDecisions();
    return {
      ...script,
      description: SCRIPTED_DECISIONS,
      capabilities: script.capabilities,
      start: () => script.start(),
      async decide(question, call) {
        calls += 1;
        if (calls <= 5) return script.decide(question, call);
        call.reserve();
        const attempt = {
          status: 402,
          seconds: 0.5,
          response: null,
          cause: { code: 'provider_http_status', message: 'The model answered with HTTP 402.' },
        };
        await call.record(attempt);
        return attempt;
      },
    };
  }

  it.each([
    ['first', ['jev-vertical'], 0],
    ['second', ['python-4px', 'jev-vertical'], 1],
  ])(
    'stopped in its %s episode it is imported as it was exported, and does not go on',
    async (_, arms, done) => {
      const lent = { provider: async () => failing() };
      const { end, store, bundle, experiment } = await run({ ...parameters, arms }, lent, SCRIPTED_DECISIONS);
      expect(end.header.done).toBe(done);
      const zip = await bundle();
      const other = new MemoryStore();
      const { status, header } = await importBundle(zip, other, [experiment]);
      expect(status).toBe('stored');
      expect(header?.note).toEqual((await store.header('r'))?.note);
      expect(header?.stopped?.code).toBe('import_ended');
      const again: Uint8Array[] = [];
      const source = await storedRun(other, 'r');
      const contents = bundleContents(source, (of) => experiment.files(of), experiment.unfinished);
      for await (const part of writeZipBundle(contents)) again.push(part);
      expect(Buffer.concat(again).equals(zip)).toBe(true);
      expect((await importBundle(zip, other, [experiment])).status).toBe('already_stored');
    },
  );

  it('a failed call ends the run; the files of the incomplete episode are kept and exported', async () => {
    const { end, store, bundle, experiment } = await run(
      parameters,
      { provider: async () => failing() },
      SCRIPTED_DECISIONS,
    );
    expect(end.header).toMatchObject({
      status: 'incomplete',
      done: 1,
      stopped: { code: 'provider_http_status' },
    });
    const report = (await experiment.report((await storedRun(store, 'r')) as never)) as JsonObject;
    expect(report).toMatchObject({
      status: 'incomplete',
      error_type: 'provider_http_status',
      interrupted_episode: { arm: 'jev-vertical', decisions: 5, evaluation_reward: null },
      http_status_counts: { '200': 5, '402': 1 },
    });
    const zip = await bundle();
    const { findings } = await verifyBundle(zip, [experiment]);
    expect(findings.filter(({ level }) => level === 'failure')).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain('pong_incomplete');
    const opened = await openBundle(zip);
    expect(opened.paths()).toContain('jev-vertical/seed-36/model-exchanges.jsonl');
    expect(opened.paths()).not.toContain('jev-vertical/seed-36/evaluation.json');
  });
});
