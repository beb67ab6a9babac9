import { afterEach, describe, expect, it } from 'vitest';
import { type ApiOptions, type MockApi, mockApi, READER_KINDS } from '../../e2e/servers/apis';
import { bundleContents, writeZipBundle } from '../evidence/bundle';
import { sha256 } from '../evidence/identity/sha256';
import type { JournalledExchange, StoredRun } from '../evidence/run';
import { MemoryStore } from '../evidence/store/memory';
import { storedRun } from '../evidence/store/source';
import { verifyBundle } from '../evidence/verify';
import type { ExchangeRecord, RuntimeEvidence } from '../providers/provider';
import { executeRun, memoryLocks } from '../runner';
import { lendKeys } from './keys';
import { labEntry, prepareResume, prepareRun, verifiers } from './lab';

// Every reader by fetch, through the whole experiment: what it writes down verifies from itself, and no field of it can
// be changed without being named.

const STRUCTURED =
  '{"tank_column":3,"target_present":false,"target_column":-1,"cooldown":0,"confidence":0.9}';

const open: MockApi[] = [];
afterEach(async () => {
  lendKeys(() => null);
  for (const server of open.splice(0)) await server.close();
});

async function ran(
  id: string,
  options: ApiOptions = {},
  parameters: Record<string, string | number | boolean> = {},
) {
  const server = await mockApi(options);
  open.push(server);
  lendKeys(() => 'canary-of-a-key');
  const { plan, answers, experiment } = await prepareRun({
    experiment: 'png-representation',
    parameters: { variants: ['labelled-v1'], max_cases: 2, base_url: server.url, ...parameters },
    provider: { id, settings: { model: 'mock-vision' } },
  });
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  await store.create({ run: 'r', plan, provider: answers.description, environment: {}, origin: 'here' });
  const run = { store, locks: memoryLocks(), run: 'r', experiment, signal: new AbortController().signal };
  const { header, error } = await executeRun({ ...run, answers });
  const again = async () => executeRun({ ...run, ...(await prepareResume(plan, answers.description)) });
  return { server, plan, header, error, again, source: async () => storedRun(store, 'r') };
}

type Change = (exchange: ExchangeRecord) => Partial<ExchangeRecord>;

/** The failures of a run, after its exchanges or its runtime were changed and every digest of the bundle made anew. */
async function failures(
  source: StoredRun,
  change: Change = () => ({}),
  runtime: Partial<RuntimeEvidence> = {},
) {
  const changed = async function* (): AsyncIterable<JournalledExchange> {
    let at = 0;
    for await (const one of source.exchanges())
      yield at++ === 0 ? { ...one, exchange: { ...one.exchange, ...change(one.exchange) } } : one;
  };
  const { experiment } = labEntry('png-representation');
  const forged = { ...source, exchanges: changed };
  const said = source.runtime === null ? null : { ...source.runtime, ...runtime };
  const contents = bundleContents({ ...forged, runtime: said }, (run) => experiment.files(run));
  const parts: Uint8Array[] = [];
  for await (const part of writeZipBundle(contents)) parts.push(part);
  const { findings } = await verifyBundle(new Uint8Array(Buffer.concat(parts)), verifiers, {});
  return findings.filter(({ level }) => level === 'failure').map(({ code, where }) => `${code} ${where}`);
}

const busyFirst: ApiOptions = {
  answer: (_call, number) =>
    number === 1
      ? { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'busy' } } }
      : {},
};

describe.each(READER_KINDS)('a run with %s', (id) => {
  it('is complete and verifies from itself, a retry and a structured reply among it', async () => {
    const plain = await ran(id, busyFirst, { max_cases: 1 });
    expect(plain.error).toBeNull();
    expect(plain.server.asked()).toHaveLength(2);
    const source = await plain.source();
    expect(await failures(source)).toEqual([]);
    const structured = await ran(
      id,
      { answer: () => ({ text: STRUCTURED }) },
      { structured: true, max_tokens: 200, max_cases: 1 },
    );
    expect(structured.header.status).toBe('complete');
    expect(structured.plan.plan_id).not.toBe(plain.plan.plan_id);
    expect(await failures(await structured.source())).toEqual([]);
    const outcomes: string[] = [];
    for await (const { outcome } of (await structured.source()).cases()) outcomes.push(outcome);
    expect(outcomes).not.toContain('rejected');
  });
});

// The audit is the same for all of them; two forms of reply stand for the rest.
describe.each(['openai', 'gemini'])('a run with %s', (id) => {
  it('has no field of an answer that can be changed unnamed', async () => {
    const source = await (await ran(id, {}, { max_cases: 1 })).source();
    const kept =
      (change: (metadata: Record<string, unknown>) => object): Change =>
      (exchange) => ({
        response_metadata_text: JSON.stringify(change(JSON.parse(exchange.response_metadata_text))),
      });
    const changes: Record<string, Change> = {
      request_sha256: () => ({ request_sha256: sha256('another') }),
      image_sha256: () => ({ image_sha256: sha256('another') }),
      attempt: () => ({ attempt: 2 }),
      status: () => ({ status: 500 }),
      reply_text: () => ({ reply_text: 'TANK_COLUMN: 1' }),
      model_in_reply: () => ({ model_in_reply: 'another' }),
      tokens: () => ({ tokens: { prompt: 1, completion: 1 } }),
      reply_error: () => ({ reply_error: 'x' }),
      'a body that says another thing': kept((m) => ({ ...m, reply: String(m.reply).replace('3', '4') })),
      'a body with its digest that says another thing': kept((m) => {
        const reply = String(m.reply).replace('TANK_COLUMN: 3', 'TANK_COLUMN: 4');
        return { reply_bytes: new TextEncoder().encode(reply).length, reply_sha256: sha256(reply), reply };
      }),
      'a body of another length': kept((m) => ({ ...m, reply_bytes: 1 })),
      'a body that is left out': kept(({ reply: _, ...m }) => m),
      'metadata with more in it': kept((m) => ({ ...m, note: 'x' })),
      cause: () => ({ cause: { code: 'provider_timeout', message: 'x' } }),
    };
    for (const [what, change] of Object.entries(changes))
      expect(await failures(source, change), what).not.toEqual([]);
    for (const runtime of [
      { runtime_name: 'another' },
      { details: { listed_as: 'another' } },
      { runtime_version: '1' },
      { model_digest: sha256('made up') },
    ])
      expect(await failures(source, undefined, runtime)).toEqual([
        expect.stringContaining('runtime_mismatch'),
      ]);
  });

  it('has no field of a failed attempt that can be changed unnamed', async () => {
    const source = await (await ran(id, busyFirst, { max_cases: 1 })).source();
    const changes: readonly Change[] = [
      () => ({ request_sha256: sha256('another') }),
      () => ({ status: 200 }),
      () => ({ cause: { code: 'provider_http_status', message: 'It was quiet.' } }),
      () => ({ reply_text: '{"error":{"message":"busy again"}, "x": [' }),
      () => ({ tokens: { prompt: 1, completion: 1 } }),
      () => ({ latency_us: 1 }),
      () => ({ reply_error: 'x' }),
      () => ({ response_metadata_text: '{"reply":"x"}' }),
    ];
    const found = await Promise.all(changes.map((change) => failures(source, change)));
    // What a refusal said beyond its status decides nothing, so another text of it is as good.
    expect(found.map((list) => list.length > 0)).toEqual([true, true, true, false, true, true, true, true]);
  });
});

describe('a reader that stops', () => {
  it('leaves the run incomplete and nothing counted; it goes on without asking again', async () => {
    let broken = true;
    const run = await ran('anthropic', {
      answer: (_call, number) => (number === 2 && broken ? { model: 'another' } : {}),
    });
    expect(run.header).toMatchObject({ status: 'incomplete', done: 1 });
    expect(run.error?.code).toBe('provider_wrong_model');
    broken = false;
    expect((await run.again()).header).toMatchObject({ status: 'complete', done: 2 });
    expect(run.server.asked()).toHaveLength(3);
    expect(await failures(await run.source())).toEqual([]);
  });

  it('of a key that is missing asks nobody', async () => {
    const server = await mockApi();
    open.push(server);
    const { plan, answers, experiment } = await prepareRun({
      experiment: 'png-representation',
      parameters: { max_cases: 1, base_url: server.url },
      provider: { id: 'gemini', settings: { model: 'mock-vision' } },
    });
    const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
    await store.create({ run: 'r', plan, provider: answers.description, environment: {}, origin: 'here' });
    const { error } = await executeRun({
      store,
      locks: memoryLocks(),
      run: 'r',
      experiment,
      answers,
      signal: new AbortController().signal,
    });
    expect(error?.code).toBe('provider_key_missing');
    expect(server.calls).toEqual([]);
  });
});

describe('the plan', () => {
  const planOf = async (parameters: Record<string, string | number | boolean>, id = 'openai') =>
    (
      await prepareRun({
        experiment: 'png-representation',
        parameters,
        provider: { id, settings: { model: 'mock-vision' } },
      })
    ).plan;

  it('has another id for each answer option, and the published one for none', async () => {
    const ids = await Promise.all(
      [{}, { structured: true }, { server_temperature: true }, { max_tokens: 129 }, { max_tokens: 128 }].map(
        async (parameters) => (await planOf(parameters)).plan_id,
      ),
    );
    expect(new Set(ids.slice(0, 4)).size).toBe(4);
    expect(ids[4]).toBe(ids[0]);
  });

  it('knows limits as circumstances, and refuses those that are none', async () => {
    const limited = await planOf({ max_in_flight: 1, min_interval_ms: 250 });
    expect(limited.circumstances).toMatchObject({ max_in_flight: 1, min_interval_ms: 250 });
    const usual = await planOf({});
    expect(limited.plan_id).toBe(usual.plan_id);
    expect(usual.circumstances).not.toHaveProperty('max_in_flight');
    for (const wrong of [{ max_in_flight: 0 }, { min_interval_ms: -1 }, { max_tokens: 1.5 }])
      await expect(planOf(wrong)).rejects.toMatchObject({ code: 'plan_number' });
  });
});
