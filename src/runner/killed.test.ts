import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { openStore } from '../evidence/store/indexeddb/open';
import { MemoryStore } from '../evidence/store/memory';
import type { RunStore } from '../evidence/store/store';
import { type AnswerSource, executeRun, liveAnswers, memoryLocks } from './index';
import { exchangesOf, execute, never, planned, QUESTIONS_OF_TWO, ROOT_OF_TWO } from './testing/planned';
import { toyExperiment, toyLive } from './testing/toy';

class Crash extends Error {}

/** Counts steps over everything that a session awaits, dies at one of them, and stays dead. */
function mortal(dieAt: number) {
  let steps = 0;
  let dead = false;
  return {
    step: () => {
      steps += 1;
      if (steps === dieAt) dead = true;
      if (dead) throw new Crash();
    },
    isDead: () => dead,
  };
}

/** A store whose every call can be the last, before its effect or after it. */
function dying(store: RunStore, step: () => void): RunStore {
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (String(name).startsWith('each')) {
        return async function* (...given: unknown[]) {
          step();
          for await (const item of Reflect.apply(method, target, given)) {
            step();
            yield item;
          }
        };
      }
      return async (...given: unknown[]) => {
        step();
        const result: unknown = await Reflect.apply(method, target, given);
        step();
        return result;
      };
    },
  });
}

describe.each<[string, () => Promise<RunStore>]>([
  ['memory', async () => new MemoryStore()],
  [
    'indexeddb',
    () => {
      globalThis.indexedDB = new IDBFactory();
      return openStore(() => {});
    },
  ],
])('a session killed at any step, over %s', (_name, open) => {
  it('resumes to the same root digest, and no journalled call is repeated', async () => {
    let died = 0;
    for (let dieAt = 1; ; dieAt += 1) {
      const store = await planned(await open());
      const { step, isDead } = mortal(dieAt);
      let calls = 0;
      const provider = toyLive();
      const answers: AnswerSource = {
        ...liveAnswers(provider),
        start: async (signal) => {
          step();
          return provider.start(signal);
        },
        answer: async (key, index, question, call) => {
          step();
          calls += 1;
          const record = async (attempt: Parameters<typeof call.record>[0]) => {
            step();
            await call.record(attempt);
            step();
          };
          const last = await liveAnswers(provider).answer(key, index, question, { ...call, record });
          step();
          return last;
        },
      };
      const experiment = { ...toyExperiment, materialise: toyExperiment.materialise };
      experiment.materialise = async (plan, key) => {
        step();
        return toyExperiment.materialise(plan, key);
      };
      const session = executeRun({
        store: dying(store, step),
        locks: memoryLocks(),
        run: 'r1',
        experiment,
        answers,
        signal: never,
      });
      const ended = await session.then(
        () => null,
        (error: unknown) => error,
      );
      if (!isDead()) break;
      expect(ended).toBeInstanceOf(Crash);
      died += 1;

      const journalled = (await exchangesOf(store)).length;
      const before = calls;
      const second = toyLive();
      const { header } = await execute(store, liveAnswers(second));
      expect(header, `killed at step ${dieAt}`).toMatchObject({
        status: 'complete',
        root_digest: ROOT_OF_TWO,
      });
      expect(second.calls).toBe(QUESTIONS_OF_TWO - journalled);
      // At most the call in flight is lost: its answer had not reached the journal.
      expect(before - journalled).toBeLessThanOrEqual(1);
      const asked = (await exchangesOf(store)).map(({ key, index }) => `${key.arm} ${key.ordinal} ${index}`);
      expect(new Set(asked).size).toBe(QUESTIONS_OF_TWO);
      expect(asked).toHaveLength(QUESTIONS_OF_TWO);
    }
    expect(died).toBeGreaterThan(60);
  });
});
