import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MockApi, mockApi } from '../../e2e/servers/apis';
import { bundleContents, writeJsonBundle, writeZipBundle } from '../../src/evidence/bundle';
import type { Plan } from '../../src/evidence/run';
import { openStore } from '../../src/evidence/store/indexeddb/open';
import { MemoryStore } from '../../src/evidence/store/memory';
import { storedRun } from '../../src/evidence/store/source';
import type { RunStore } from '../../src/evidence/store/store';
import { verifyBundle } from '../../src/evidence/verify';
import { paddleRom } from '../../src/experiments/pong-controls/paddle';
import { lendKeys } from '../../src/lab/keys';
import { labEntry, type PreparedRun, prepareRun, verifiers } from '../../src/lab/lab';
import { answersFor, lendPong } from '../../src/lab/pong-controls';
import type { RunRequest } from '../../src/lab/request';
import type { Provider } from '../../src/providers/provider';
import { SCRIPTED_DECISIONS, ScriptedDecisions } from '../../src/providers/scripted-decisions';
import { executeRun, memoryLocks } from '../../src/runner';
import { runHost, Watch } from './pong/run-host';

// What a person exports while the run goes on. Run and export take turns at the store in every order that fast-check
// thinks of; each export must be a bundle that verifies, or be refused.

const RUN = 'going-on';
let api: MockApi;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  api = await mockApi({});
  lendKeys(() => 'a-key-of-nobody');
});
afterEach(async () => {
  lendKeys(() => null);
  lendPong(null);
  await api.close();
});

/** Who may go to the store next, of several that all wait for it: so every step has its place in one order. */
class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #choices: Iterator<number>;

  constructor(choices: Iterable<number>, parties: readonly string[]) {
    this.#choices = choices[Symbol.iterator]();
    for (const party of parties) this.#waiting.set(party, []);
  }

  take(party: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.get(party)?.push(resolve);
      this.#next();
    });
  }

  async until<T>(party: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      this.#waiting.delete(party);
      this.#next();
    }
  }

  /** Nobody is let in before everybody has come. */
  #next(): void {
    const queues = [...this.#waiting.values()];
    if (queues.some((queue) => queue.length === 0)) return;
    queues[Number(this.#choices.next().value) % queues.length]?.shift()?.();
  }
}

/** A store at which whoever calls waits until it is his turn. */
function inTurns(store: RunStore, turn: () => Promise<void>): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (!String(name).startsWith('each')) {
        return async (...args: unknown[]) => {
          await turn();
          return Reflect.apply(method, target, args);
        };
      }
      return async function* (...args: unknown[]) {
        await turn();
        for await (const item of Reflect.apply(method, target, args) as AsyncIterable<unknown>) {
          yield item;
          await turn();
        }
      };
    },
  });
}

async function exported(store: RunStore, format: 'zip' | 'json'): Promise<Uint8Array<ArrayBuffer>> {
  const source = await storedRun(store, RUN);
  const { experiment } = labEntry(source.plan.experiment);
  const contents = bundleContents(source, (run) => experiment.files(run), experiment.unfinished);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const writing =
    format === 'zip' ? writeZipBundle(contents) : writeJsonBundle(contents, { inlineImages: true });
  for await (const chunk of writing) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** Each fault as code and place, and how many cases there were. */
async function judged(bytes: Uint8Array<ArrayBuffer>): Promise<{ faults: string[]; cases: number }> {
  const { findings, counts } = await verifyBundle(bytes, verifiers);
  const faults = findings
    .filter(({ level }) => level === 'failure')
    .map(({ code, where, message }) => `${code} ${where}: ${message}`);
  return { faults, cases: counts.cases };
}

async function pongRun(store: RunStore, provider: Provider): Promise<PreparedRun> {
  const { experiment } = labEntry('pong-controls');
  const parameters = { arms: ['python-4px', 'jev-vertical'], seeds: [36], frames: 80 };
  const plan: Plan = await experiment.plan(parameters, SCRIPTED_DECISIONS);
  const { signal } = new AbortController();
  const rom = async () => paddleRom();
  lendPong(runHost({ store, run: RUN, plan, provider, rom, signal, watch: new Watch(), onStep: () => {} }));
  return { experiment, plan, answers: answersFor(SCRIPTED_DECISIONS, plan) };
}

/** Answers five times and fails then, which ends a comparison for good. */
function failing(): Provider {
  const script = new ScriptedDecisions();
  let calls = 0;
  return {
    description: SCRIPTED_DECISIONS,
    capabilities: script.capabilities,
    start: () => script.start(),
    async decide(question, call) {
      calls += 1;
      if (calls <= 5) return script.decide(question, call);
      call.reserve();
      const cause = { code: 'provider_http_status', message: 'The model answered with HTTP 402.' };
      const attempt = { status: 402, seconds: 0.5, response: null, cause };
      await call.record(attempt);
      return attempt;
    },
  };
}

const request = (experiment: string, id: string, parameters: RunRequest['parameters'], settings = {}) => ({
  experiment,
  parameters,
  provider: { id, settings },
});
const scenes = [1, 2].map((seed) => ({ scene: { layout: 'correct', seed, width: 96, height: 64 } }));
const png = { variants: ['labelled-v1', 'unlabelled-v1'], max_cases: 2 };

const RUNS: Record<string, (store: RunStore) => Promise<PreparedRun>> = {
  'png-representation, scripted': () => prepareRun(request('png-representation', 'scripted', png)),
  'png-representation, asked by fetch': () =>
    prepareRun(
      request('png-representation', 'openai', { ...png, base_url: api.url }, { model: 'mock-vision' }),
    ),
  'image-signals': () => prepareRun(request('image-signals', 'drawn', { pictures: scenes })),
  'vision-controls': () => prepareRun(request('vision-controls', 'scripted', { fixture: 'demo' })),
  'pong-controls': (store) => pongRun(store, new ScriptedDecisions()),
  'pong-controls, a call fails': (store) => pongRun(store, failing()),
};

const STORES: Record<string, () => Promise<RunStore>> = {
  memory: async () => new MemoryStore(),
  indexeddb: () => openStore(() => {}),
};

/** How much of a run is over when its export begins. */
const BEGINNINGS = [0, 0.25, 0.5, 0.75, 1];

async function begun(where: string, name: string, turn: () => Promise<void>) {
  globalThis.indexedDB = new IDBFactory();
  const [kept, prepare] = [await STORES[where]?.(), RUNS[name]];
  if (kept === undefined || prepare === undefined) throw new Error(name);
  const store = inTurns(kept, turn);
  const prepared = await prepare(store);
  const { plan, answers } = prepared;
  await kept.create({ run: RUN, plan, provider: answers.description, environment: {}, origin: 'here' });
  const signal = new AbortController().signal;
  return { kept, run: () => executeRun({ store, locks: memoryLocks(), run: RUN, ...prepared, signal }) };
}

describe.each(Object.keys(STORES))('a run in %s that goes on', (where) => {
  it.each(Object.keys(RUNS))('%s: what is exported meanwhile verifies', async (name) => {
    let steps = 0;
    const alone = await begun(where, name, async () => {
      steps += 1;
    });
    const { header } = await alone.run();
    expect(header.status).toBe(name.endsWith('fails') ? 'incomplete' : 'complete');
    const seen = new Set<number>();
    for (const share of BEGINNINGS) {
      const property = fc.asyncProperty(fc.infiniteStream(fc.nat(11)), async (choices) => {
        const turns = new Turns(choices, ['run', 'zip', 'json']);
        const { kept, run } = await begun(where, name, () => turns.take('run'));
        const exporting = async (format: 'zip' | 'json') => {
          for (let wait = 0; wait < share * steps; wait += 1) await turns.take(format);
          return exported(
            inTurns(kept, () => turns.take(format)),
            format,
          );
        };
        const [zip, json] = await Promise.all([
          turns.until('zip', exporting('zip')),
          turns.until('json', exporting('json')),
          turns.until('run', run()),
        ]);
        for (const bytes of [zip, json]) {
          const { faults, cases } = await judged(bytes);
          expect(faults).toEqual([]);
          seen.add(cases);
        }
      });
      await fc.assert(property, { numRuns: where === 'memory' ? 2 : 1 });
    }
    // Otherwise nothing was exported on the way.
    expect(seen.size).toBeGreaterThan(1);
  });
});
