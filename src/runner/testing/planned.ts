import type { RunStore } from '../../evidence/store/store';
import type { JournalledExchange } from '../experiment';
import { type AnswerSource, executeRun, memoryLocks, type RunOptions } from '../index';
import type { RunEnd } from '../run';
import { toyExperiment, toyPlan, toyProvider } from './toy';

/** Computed apart from this program, with Python's hashlib and json, for two arms of two cases. */
export const ROOT_OF_TWO = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';
/** Questions of that run: one for each case of `once`, two for each of `twice`. */
export const QUESTIONS_OF_TWO = 6;

export const never = new AbortController().signal;

/** A store with the plan of a toy run, called r1, and nothing of it done. */
export async function planned(store: RunStore, cases = 2): Promise<RunStore> {
  const plan = await toyPlan(cases);
  await store.create({ run: 'r1', plan, provider: toyProvider, environment: {}, origin: 'here' });
  return store;
}

/** A session of that run, with whatever a test wants otherwise. */
export function execute(
  store: RunStore,
  answers: AnswerSource,
  more: Partial<RunOptions> = {},
): Promise<RunEnd> {
  const base = { locks: memoryLocks(), run: 'r1', experiment: toyExperiment, signal: never };
  return executeRun({ store, answers, ...base, ...more });
}

/** Its journal, in order. */
export async function exchangesOf(store: RunStore): Promise<JournalledExchange[]> {
  const all: JournalledExchange[] = [];
  for await (const one of store.eachExchange('r1')) all.push(one);
  return all;
}
