import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../evidence/store/memory';
import { storedRun } from '../evidence/store/source';
import {
  bareHost,
  exchangeOfLine,
  type PongHost,
  pongControls,
  type RunTree,
} from '../experiments/pong-controls';
import type { ExchangeRecord, Provider } from '../providers/provider';
import { SCRIPTED_DECISIONS, ScriptedDecisions } from '../providers/scripted-decisions';
import { executeRun, memoryLocks, recordedAnswers } from '../runner';
import { keepLeft, requireResumable, resumedDecisions } from './pong-journal';

const script = new ScriptedDecisions();
const runtime = { runtime_name: 'test', runtime_version: null, model_digest: null, details: {} };

/** Counts what is really asked. */
function counting(): { provider: Provider; asked(): number } {
  let asked = 0;
  return {
    asked: () => asked,
    provider: {
      description: SCRIPTED_DECISIONS,
      capabilities: script.capabilities,
      start: () => script.start(),
      decide: (question, call) => {
        asked += 1;
        return script.decide(question, call);
      },
    },
  };
}

/** One arm of twenty decisions; `journal` is what a session before had written of it. */
async function session(provider: Provider, journal: readonly ExchangeRecord[], stopAfter: number) {
  const store = new MemoryStore();
  const lines: string[] = [];
  const cancel = new AbortController();
  const host: PongHost = {
    ...bareHost,
    signal: cancel.signal,
    provider: async () => (journal.length === 0 ? provider : resumedDecisions(provider, journal)),
    attempt: async (_key, _decision, line) => {
      lines.push(line);
      if (lines.length === stopAfter) cancel.abort(new DOMException('Killed.', 'AbortError'));
    },
    left: (files: RunTree, at) => keepLeft(store, 'r', files, at),
  };
  const experiment = pongControls(() => host, { pixelproof: 'test' });
  const plan = await experiment.plan({ arms: ['jev-vertical'], seeds: [36], frames: 80 }, SCRIPTED_DECISIONS);
  const answers = recordedAnswers({ description: SCRIPTED_DECISIONS, runtime, lookup: () => null });
  await store.create({ run: 'r', plan, provider: SCRIPTED_DECISIONS, environment: {}, origin: 'here' });
  const { header } = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'r',
    experiment: experiment as never,
    plan,
    answers,
    signal: cancel.signal,
  });
  return { header, lines, store };
}

describe('an episode that was cut off', () => {
  it('goes on from its journal: no call is made twice, and the result is the one of an unbroken run', async () => {
    const whole = await session(counting().provider, [], 1000);
    const first = counting();
    const killed = await session(first.provider, [], 8);
    expect(killed.header.status).toBe('cancelled');
    const journal = killed.lines.map((line) => exchangeOfLine(line, 1));
    const second = counting();
    const resumed = await session(second.provider, journal, 1000);
    expect(first.asked() + second.asked()).toBe(20);
    expect(resumed.header.root_digest).toBe(whole.header.root_digest);
    expect(resumed.lines).toEqual(whole.lines);
    expect(() => requireResumable(killed.header)).not.toThrow();
  });

  it('is refused where the episode asks something else than it did', async () => {
    const { lines } = await session(script, [], 8);
    const journal = lines.map((line) => exchangeOfLine(line, 1)).toReversed();
    const { header, store } = await session(script, journal, 1000);
    expect(header.stopped?.code).toBe('run_question_changed');
    const { header: kept } = await storedRun(store, 'r');
    expect(() => requireResumable(kept)).toThrow(expect.objectContaining({ code: 'pong_stopped' }));
  });

  it('a failed attempt is a failure in the journal, with why', () => {
    const line = (transport: string) =>
      `{"exchange_id": 1, "request": {}, "response": null, "transport": ${transport}}\n`;
    const cause = (transport: string) => exchangeOfLine(line(transport), 1).cause?.code;
    expect(cause('{"attempt": 1, "status": 402, "elapsed_seconds": 0.5}')).toBe('provider_http_status');
    expect(cause('{"attempt": 1, "status": "transport_error", "elapsed_seconds": 0.5}')).toBe(
      'provider_unreachable',
    );
    expect(cause('{"attempt": 1, "status": 200, "choice_validation_failure": {}}')).toBe(
      'provider_decision_invalid',
    );
  });
});
