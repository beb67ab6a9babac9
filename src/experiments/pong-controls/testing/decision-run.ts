import { createHash } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import {
  type DecisionHandler,
  type DecisionServer,
  decisionReply,
  decisionServer,
  send,
} from '../../../../e2e/servers/decisions';
import { paddleRom } from '../../../../fixtures/cartridge/read';
import { decisionBackend } from '../../../providers/decision-backends';
import { armsNamed } from '../arms';
import { insertCartridge } from '../machine';
import { type ModelRequest, makePlan } from '../plan';
import { type ComparisonEnd, runComparison } from '../run';
import { MemoryFiles } from '../tree';

export let server: DecisionServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
export const KEY = 'sk-test-0123456789';
const cartridge = await insertCartridge(paddleRom);

export interface Ran {
  readonly end: ComparisonEnd;
  readonly files: MemoryFiles;
  json<T>(path: string): Promise<T>;
  lines<T>(path: string): Promise<T[]>;
}

export interface Wanted {
  readonly model?: Partial<ModelRequest>;
  readonly arms?: readonly string[];
  readonly seeds?: readonly number[];
  readonly frames?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A run on the Paddle cartridge against a server that answers as told: by default 5 decisions of one arm. */
export async function run(handle: DecisionHandler, wanted: Wanted = {}): Promise<Ran> {
  server = await decisionServer(handle);
  const model = { backend: 'jev', model: 'jev-1.13.0', expectedModel: null, ...wanted.model };
  const provider = decisionBackend(model.backend, {
    baseUrl: server.url,
    model: model.model,
    key: KEY,
    ...(wanted.timeoutMs === undefined ? {} : { timeoutMs: wanted.timeoutMs }),
  });
  return runWith(provider, model, wanted);
}

export async function runWith(
  provider: Parameters<typeof runComparison>[0]['provider'],
  model: ModelRequest,
  { arms = ['jev-original'], seeds = [36], frames = 20, signal }: Wanted,
): Promise<Ran> {
  const plan = makePlan({
    arms: armsNamed(arms),
    seeds,
    frames,
    romSha256: cartridge.sha256,
    versions: {},
    model,
  });
  const files = new MemoryFiles();
  const end = await runComparison({
    plan,
    machine: cartridge.machine,
    sha256: sha,
    provider,
    files,
    clock: () => 0,
    signal: signal ?? new AbortController().signal,
  });
  const text = async (path: string) => new TextDecoder().decode((await files.read(path)) ?? undefined);
  return {
    end,
    files,
    json: async (path) => JSON.parse(await text(path)),
    lines: async (path) =>
      (await text(path))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

export const EPISODE = 'jev-original/seed-36';
export type Entry = Record<string, unknown>;
export type Transition = { action: number; prediction: Record<string, unknown> & { choice_answer: Entry } };
export const hold = decisionReply('NOOP', { NOOP: 1 });
export const good: DecisionHandler = (_call, _n, response) => send(response, hold);

/** What must be there after a stop: the ledger, an incomplete summary, and a comparison that says where and why. */
export async function stopped(ran: Ran, code: string, statuses: readonly unknown[]): Promise<void> {
  expect(ran.end.status).toBe('incomplete');
  expect(ran.end.error).toMatchObject({ code });
  const summary = await ran.json<Entry>(`${EPISODE}/summary.json`);
  expect(summary).toMatchObject({
    status: 'incomplete',
    end_reason: 'error',
    error_type: code,
    backend: 'jev',
  });
  expect(summary.api_attempts).toBe(statuses.length);
  expect(Object.keys(summary).indexOf('error_type')).toBe(Object.keys(summary).indexOf('reset_frames') + 1);
  const comparison = await ran.json<Entry>('comparison.json');
  expect(comparison).toMatchObject({
    status: 'incomplete',
    error_type: code,
    active_episode: { seed: 36, arm: 'jev-original' },
    api_attempts: statuses.length,
    episodes: [],
  });
  expect(comparison.interrupted_episode).toMatchObject({
    seed: 36,
    arm: 'jev-original',
    status: 'incomplete',
    evaluation_complete: false,
    evaluation_reward: null,
    absorbing_tail_frames: 0,
  });
  expect(ran.files.paths).not.toContain(`${EPISODE}/evaluation.json`);
  const ledger = await ran.json<Entry[]>('api-ledger.json');
  expect(ledger.map(({ status }) => status)).toEqual(statuses);
  expect(ledger.map(({ attempt }) => attempt)).toEqual(statuses.map((_, i) => i + 1));
  expect(await ran.json(`${EPISODE}/api-ledger.json`)).toEqual(ledger);
  const exchanges = statuses.length === 0 ? [] : await ran.lines<Entry>(`${EPISODE}/model-exchanges.jsonl`);
  expect(exchanges.map(({ exchange_id }) => exchange_id)).toEqual(statuses.map((_, i) => i + 1));
  expect(exchanges.map(({ transport }) => transport)).toEqual(ledger);
}
