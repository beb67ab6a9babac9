import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { MemoryStore } from '../../src/evidence/store/memory';
import { storedRun } from '../../src/evidence/store/source';
import type { RunStore } from '../../src/evidence/store/store';
import { toyPlan, toyProvider } from '../../src/runner/testing/toy';
import { toyRun, toyZip } from '../../src/runner/testing/toy-run';
import { lentStore, serveStore } from './lent-store';

const CLOCK = () => '2026-01-01T00:00:00.000Z';
const open: RunStore[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function lent(store: RunStore): RunStore {
  const { port1, port2 } = new MessageChannel();
  serveStore(async () => store, port1 as unknown as MessagePort);
  const far = lentStore(port2 as unknown as MessagePort);
  open.push(far);
  return far;
}

it('a run that is made through a port is the run that is made without one, bundle for bundle', async () => {
  const near = new MemoryStore(CLOCK);
  // More cases than cross in one message.
  const run = await toyRun(150, lent(near));
  const there = await toyZip(await storedRun(near, run.header.run));
  expect(Buffer.from(await toyZip(run)).equals(Buffer.from(there))).toBe(true);
  const direct = await toyZip(await toyRun(150, new MemoryStore(CLOCK)));
  expect(Buffer.from(there).equals(Buffer.from(direct))).toBe(true);
});

it('errors cross with their codes, and a stream that nobody reads to its end is let go', async () => {
  const near = new MemoryStore(CLOCK);
  await toyRun(300, near);
  const far = lent(near);
  await expect(far.plan('none')).rejects.toMatchObject({
    name: 'PixelproofError',
    code: 'store_run_missing',
  });
  const again = { run: 'toy-run', plan: await toyPlan(1), provider: toyProvider, environment: {} };
  await expect(far.create({ ...again, origin: 'here' })).rejects.toMatchObject({ code: 'store_run_exists' });
  const cases = vi.spyOn(near, 'eachCase');
  for await (const record of far.eachCase('toy-run')) if (record.ordinal === 3) break;
  const [stream] = cases.mock.results;
  const items = stream?.value as AsyncGenerator | undefined;
  expect(await items?.next()).toEqual({ done: true, value: undefined });
});
