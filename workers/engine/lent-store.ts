import { expose, type Remote, wrap } from 'comlink';
import { PixelproofError } from '../../src/errors';
import type { RunStore } from '../../src/evidence/store/store';
import type { WorkerError } from '../api';
import { guard } from '../boundary/errors';

/** Records that cross at once: few messages, and never a run in one. */
const PART = 200;

type Stream = 'eachCase' | 'eachExchange' | 'eachArtifact';
type Call = Exclude<keyof RunStore, Stream | 'close'>;

/** A store as it crosses a message port: iterables are pulled in parts. */
interface Server {
  call(name: Call, args: readonly unknown[]): Promise<unknown>;
  begin(name: Stream, args: readonly unknown[]): Promise<number>;
  /** The next records; fewer than asked for, or none, at the end. */
  pull(stream: number): Promise<readonly unknown[]>;
  end(stream: number): Promise<void>;
}

/** Lends a store through a port, so that two workers of a tab that keeps nothing see the same runs. */
export function serveStore(store: () => Promise<RunStore>, port: MessagePort): void {
  const streams = new Map<number, AsyncIterator<unknown>>();
  let last = 0;
  const server: Server = {
    async call(name, args) {
      const kept = await store();
      return Reflect.apply(kept[name], kept, args);
    },
    async begin(name, args) {
      const kept = await store();
      const items: AsyncIterable<unknown> = Reflect.apply(kept[name], kept, args);
      last += 1;
      streams.set(last, items[Symbol.asyncIterator]());
      return last;
    },
    async pull(stream) {
      const part: unknown[] = [];
      const items = streams.get(stream);
      for (let next = await items?.next(); next?.done === false; next = await items?.next()) {
        part.push(next.value);
        if (part.length === PART) break;
      }
      return part;
    },
    async end(stream) {
      await streams.get(stream)?.return?.();
      streams.delete(stream);
    },
  };
  expose(guard(server), port);
}

/**
 * The store at the other end of a port. Errors come with their codes, as of a store of one's own. `lend` is called before the
 * first use, so that whoever serves the port need not run before that.
 */
export function lentStore(port: MessagePort, lend: () => unknown = () => undefined): RunStore {
  let asked = false;
  const served = wrap<Server>(port);
  const server = (): Remote<Server> => {
    if (!asked) lend();
    asked = true;
    return served;
  };
  const call =
    <Name extends Call>(name: Name) =>
    (...args: Parameters<RunStore[Name]>) =>
      crossing(server().call(name, args)) as ReturnType<RunStore[Name]>;
  return {
    create: call('create'),
    header: call('header'),
    list: call('list'),
    plan: call('plan'),
    runtime: call('runtime'),
    moment: call('moment'),
    setRuntime: call('setRuntime'),
    update: call('update'),
    journal: call('journal'),
    commit: call('commit'),
    keep: call('keep'),
    seal: call('seal'),
    cases: call('cases'),
    case: call('case'),
    tallies: call('tallies'),
    exchangesAt: call('exchangesAt'),
    artifact: call('artifact'),
    remove: call('remove'),
    usage: call('usage'),
    flush: call('flush'),
    eachCase: (...args) => pulled(server(), 'eachCase', args),
    eachExchange: (...args) => pulled(server(), 'eachExchange', args),
    eachArtifact: (...args) => pulled(server(), 'eachArtifact', args),
    close: () => port.close(),
  };
}

async function* pulled<T>(remote: Remote<Server>, name: Stream, args: readonly unknown[]): AsyncIterable<T> {
  const stream = await crossing(remote.begin(name, args));
  try {
    for (;;) {
      const part = (await crossing(remote.pull(stream))) as readonly T[];
      yield* part;
      if (part.length < PART) return;
    }
  } finally {
    await remote.end(stream);
  }
}

async function crossing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    const { code, message, expected, got } = thrown as WorkerError;
    throw new PixelproofError(code, message, {
      ...(expected === null ? {} : { expected }),
      ...(got === null ? {} : { got }),
      cause: thrown,
    });
  }
}
