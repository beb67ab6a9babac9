import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type DecisionHandler,
  type DecisionServer,
  decisionReply,
  decisionServer,
  send,
} from '../../../e2e/servers/decisions';
import { paddleRom } from '../../../fixtures/cartridge/read';
import { decisionBackend } from '../../providers/decision-backends';
import { RecordedDecisions } from '../../providers/recorded-decisions';
import { armsNamed } from './arms';
import { Budget } from './budget';
import { insertCartridge } from './machine';
import { type ModelRequest, makePlan } from './plan';
import { type ComparisonEnd, runComparison } from './run';
import { MemoryFiles } from './tree';

let server: DecisionServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const KEY = 'sk-test-0123456789';
const cartridge = await insertCartridge(paddleRom);

interface Ran {
  readonly end: ComparisonEnd;
  readonly files: MemoryFiles;
  json<T>(path: string): Promise<T>;
  lines<T>(path: string): Promise<T[]>;
}

interface Wanted {
  readonly model?: Partial<ModelRequest>;
  readonly arms?: readonly string[];
  readonly seeds?: readonly number[];
  readonly frames?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A run on the Paddle cartridge against a server that answers as told: by default 5 decisions of one arm. */
async function run(handle: DecisionHandler, wanted: Wanted = {}): Promise<Ran> {
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

async function runWith(
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

const EPISODE = 'jev-original/seed-36';
type Entry = Record<string, unknown>;
type Transition = { action: number; prediction: Record<string, unknown> & { choice_answer: Entry } };
const hold = decisionReply('NOOP', { NOOP: 1 });
const good: DecisionHandler = (_call, _n, response) => send(response, hold);

/** What must be there after a stop: the ledger, an incomplete summary, and a comparison that says where and why. */
async function stopped(ran: Ran, code: string, statuses: readonly unknown[]): Promise<void> {
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

describe('a run that is answered', () => {
  it('sends the request and nothing else, keeps request and response whole', async () => {
    const ran = await run(good);
    expect(ran.end.status).toBe('complete');
    const exchanges = await ran.lines<{ request: Entry; response: unknown }>(
      `${EPISODE}/model-exchanges.jsonl`,
    );
    expect(exchanges).toHaveLength(5);
    expect(server?.calls).toHaveLength(5);
    for (const [i, { request, response }] of exchanges.entries()) {
      expect(server?.calls[i]?.body).toEqual(request);
      expect(server?.calls[i]?.authorization).toBe(`Bearer ${KEY}`);
      expect(Object.keys(request)).toEqual(['model', 'state', 'questions']);
      expect(Object.keys(request.state as Entry)).toEqual(['observation']);
      expect(response).toEqual(hold);
    }
    expect(server?.calls[0]?.text).toContain(
      '{"model": "jev-1.13.0", "state": {"observation": {"schema_version"',
    );
    const [first] = await ran.lines<Transition>(`${EPISODE}/transitions.jsonl`);
    expect(Object.keys(first?.prediction ?? {})).toEqual([
      'backend',
      'requested_model',
      'response_model',
      'program_hash',
      'usage',
      'elapsed_seconds',
      'exchange_id',
      'prediction_type',
      'selection_rule',
      'chosen_action',
      'action_probabilities',
      'choice_answer',
    ]);
    expect(await ran.json('comparison.json')).toMatchObject({
      status: 'complete',
      http_status_counts: { '200': 5 },
      usage: { input_tokens: 5000, output_tokens: 50 },
    });
  });

  it('takes the provider’s choice among tied maxima, and the first maximum where the choice is none', async () => {
    const replies = [
      decisionReply('LEFT', { RIGHT: 0.4, LEFT: 0.4, NOOP: 0.2 }),
      decisionReply('NOOP', { RIGHT: 0.4, LEFT: 0.4, NOOP: 0.2 }),
      decisionReply('FIRE', { NOOP: 0.2, LEFT: 0.8 }),
      decisionReply('NOOP', { NOOP: 0.5, LEFT: 0.47 }),
      hold,
    ];
    const ran = await run((_call, n, response) => send(response, replies[n - 1]));
    const rows = await ran.lines<Transition>(`${EPISODE}/transitions.jsonl`);
    expect(rows.map(({ action }) => action)).toEqual([3, 2, 3, 0, 0]);
    expect(rows.map(({ prediction }) => prediction.choice_answer.choice_matches_probabilities)).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
    // A sum of 0.97 is within what two decimals allow; normalised by it, the originals kept.
    expect(rows[3]?.prediction.choice_answer).toMatchObject({
      probabilities: { NOOP: 0.5 / 0.97, LEFT: 0.47 / 0.97 },
      reported_probabilities: { NOOP: 0.5, LEFT: 0.47 },
    });
    expect((await ran.json<{ episodes: Entry[] }>('comparison.json')).episodes[0]?.diagnostics).toMatchObject(
      {
        provider_choice_disagreements: 2,
      },
    );
  });

  it('never keeps a key that is echoed, however it is written', async () => {
    const escaped = JSON.stringify(hold).replace(
      '"model"',
      `"${KEY}":"\\u0073${KEY.slice(1)} and ${KEY}","model"`,
    );
    const ran = await run((_call, _n, response) => send(response, escaped));
    expect(ran.end.status).toBe('complete');
    for (const path of ran.files.paths) {
      const text = new TextDecoder().decode((await ran.files.read(path)) ?? undefined);
      expect(text).not.toContain(KEY);
    }
    const [exchange] = await ran.lines<{ response: Entry }>(`${EPISODE}/model-exchanges.jsonl`);
    expect(exchange?.response['[REDACTED]']).toBe('[REDACTED] and [REDACTED]');
  });

  it('retries a busy server twice, after a quarter and half a second, and counts every attempt', async () => {
    const times: number[] = [];
    const ran = await run((_call, n, response) => {
      times.push(performance.now());
      if (n <= 2) send(response, 'secret words', n === 1 ? 429 : 529);
      else send(response, hold);
    });
    expect(ran.end.status).toBe('complete');
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(240);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(490);
    expect(await ran.json('comparison.json')).toMatchObject({
      api_attempts: 7,
      http_status_counts: { '200': 5, '429': 1, '529': 1 },
    });
    const exchanges = await ran.lines<Entry>(`${EPISODE}/model-exchanges.jsonl`);
    expect(exchanges.map(({ response }) => response === null)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(JSON.stringify(exchanges)).not.toContain('secret words');
    const [first] = await ran.lines<Transition>(`${EPISODE}/transitions.jsonl`);
    expect(first?.prediction.exchange_id).toBe(3);
  });
});

describe('a run that is not', () => {
  it.each([402, 400, 401, 404, 501])('HTTP %i ends it at once', async (status) => {
    await stopped(
      await run((_call, _n, response) => send(response, { private: 'words' }, status)),
      'provider_http_status',
      [status],
    );
  });

  it.each([429, 500, 503, 529])('HTTP %i ends it after two retries', async (status) => {
    const ran = await run((_call, _n, response) => send(response, 'private words', status));
    await stopped(ran, 'provider_http_status', [status, status, status]);
    for (const path of ran.files.paths) {
      expect(new TextDecoder().decode((await ran.files.read(path)) ?? undefined)).not.toContain(
        'private words',
      );
    }
  });

  it('OpenRouter is never asked twice', async () => {
    const model = {
      backend: 'openrouter',
      model: '~typesafe/jev-latest',
      expectedModel: 'typesafe/jev-1.13-20260917',
    };
    const ran = await run((_call, _n, response) => send(response, '', 503), { model });
    expect(await ran.json('comparison.json')).toMatchObject({
      api_attempts: 1,
      http_status_counts: { '503': 1 },
    });
  });

  it.each<[string, string]>([
    ['half a reply', JSON.stringify(hold).slice(0, 60)],
    ['a list', '[]'],
    ['a NaN literal', JSON.stringify(hold).replace('0.5', 'NaN')],
    ['an infinite number', JSON.stringify(hold).replace('0.5', '1e999')],
    ['no text', '\ud800'],
    ['nothing', ''],
  ])('%s ends it, and the attempt is kept', async (_name, body) => {
    await stopped(await run((_call, _n, response) => send(response, body)), 'provider_body_not_json', [200]);
  });

  it('a connection that breaks off is a transport error and is not retried', async () => {
    const ran = await run((_call, _n, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"model"');
      setTimeout(() => response.destroy(), 20);
    });
    await stopped(ran, 'provider_unreachable', ['transport_error']);
  });

  it('a server that stalls is one too', async () => {
    const ran = await run((_call, _n, response) => void response.writeHead(200).write('{'), {
      timeoutMs: 150,
    });
    await stopped(ran, 'provider_timeout', ['transport_error']);
  });

  it('a redirect is not followed', async () => {
    const ran = await run((_call, _n, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await stopped(ran, 'provider_redirect', [307]);
    expect(server?.calls).toHaveLength(1);
  });

  it('a reply of more than 8 MiB is not read on', async () => {
    const ran = await run((_call, _n, response) => {
      response.writeHead(200);
      response.end(`{"model": "${'x'.repeat(9 * 1024 * 1024)}"}`);
    });
    await stopped(ran, 'provider_body_too_large', [200]);
  });

  const broken = (change: (answer: Entry) => void, extra: Record<string, unknown> = {}) => {
    const reply = structuredClone(decisionReply('NOOP', { NOOP: 1 }, extra)) as {
      answers: { next_action: Entry };
    };
    change(reply.answers.next_action);
    return reply;
  };
  const probabilities = (answer: Entry) => answer.probabilities as Record<string, unknown>;
  it.each<[string, unknown]>([
    ['probabilities that do not sum', broken((answer) => (probabilities(answer).NOOP = 0.9))],
    ['a sum too far off for three decimals', broken((answer) => (probabilities(answer).NOOP = 0.9995))],
    [
      'a negative probability',
      broken((answer) => Object.assign(probabilities(answer), { NOOP: 1.1, FIRE: -0.1 })),
    ],
    ['a probability that is text', broken((answer) => (probabilities(answer).FIRE = '0'))],
    ['a probability that is true', broken((answer) => Object.assign(probabilities(answer), { NOOP: true }))],
    ['all probabilities zero', broken((answer) => (probabilities(answer).NOOP = 0))],
    ['another action', broken((answer) => (probabilities(answer).UP = 0))],
    ['a missing action', broken((answer) => delete probabilities(answer).FIRE)],
    ['a choice that is no option', broken((answer) => (answer.choice = 'UP'))],
    ['another type of answer', broken((answer) => (answer.type = 'score'))],
    ['a confidence above 1', broken((answer) => (answer.confidence = 1.5))],
    ['no confidence', broken((answer) => delete answer.confidence)],
    ['an empty model', broken(() => undefined, { model: '' })],
    ['no model', broken(() => undefined, { model: undefined })],
    ['another question answered too', { ...hold, answers: { ...(hold.answers as Entry), other: {} } }],
    ['no answers', { ...hold, answers: {} }],
  ])('%s: no action, and of the response only the options’ numbers', async (_name, reply) => {
    const ran = await run((_call, _n, response) =>
      send(response, { ...(reply as Entry), secret: 'other words' }),
    );
    await stopped(ran, 'provider_decision_invalid', [200]);
    const [entry] = await ran.json<Entry[]>('api-ledger.json');
    expect(Object.keys(entry ?? {})).toEqual([
      'attempt',
      'requested_model',
      'status',
      'elapsed_seconds',
      'choice_validation_failure',
    ]);
    const [exchange] = await ran.lines<Entry>(`${EPISODE}/model-exchanges.jsonl`);
    expect(exchange?.response).toBeNull();
    expect(ran.files.paths).not.toContain(`${EPISODE}/transitions.jsonl`);
  });

  it('names what of a refused response may be kept', async () => {
    const reply = broken((answer) =>
      Object.assign(probabilities(answer), { NOOP: 0.9, FIRE: 'x', words: 'private' }),
    );
    const ran = await run((_call, _n, response) => send(response, reply));
    const [entry] = await ran.json<Entry[]>('api-ledger.json');
    expect(entry?.choice_validation_failure).toEqual({
      next_action: {
        known_choice: 'NOOP',
        probabilities: { NOOP: 0.9, FIRE: null, RIGHT: 0, LEFT: 0, RIGHTFIRE: 0, LEFTFIRE: 0 },
      },
    });
  });

  it('another model stops it before the action of its response', async () => {
    const ran = await run((_call, n, response) =>
      send(response, n < 3 ? hold : { ...hold, model: 'jev-1.14.0' }),
    );
    await stopped(ran, 'provider_wrong_model', [200, 200, 200]);
    expect(await ran.lines(`${EPISODE}/transitions.jsonl`)).toHaveLength(2);
    expect(await ran.lines(`${EPISODE}/frames.jsonl`)).toHaveLength(8);
    const ledger = await ran.json<Entry[]>('api-ledger.json');
    expect(ledger[2]?.response_model).toBe('jev-1.14.0');
  });

  it('the budget is shared by both arms and counts retries', async () => {
    const ran = await run(
      (_call, n, response) => (n === 1 ? send(response, '', 500) : send(response, hold)),
      {
        arms: ['jev-original', 'jev-vertical'],
        model: { maxApiCalls: 9 },
      },
    );
    expect(ran.end).toMatchObject({ status: 'incomplete', error: { code: 'provider_budget_spent' } });
    expect(await ran.json('comparison.json')).toMatchObject({
      api_attempts: 9,
      active_episode: { seed: 36, arm: 'jev-vertical' },
      interrupted_episode: { decisions: 3, api_attempts: 3 },
      episodes: [{ arm: 'jev-original', api_attempts: 6, evaluation_complete: true }],
    });
    expect(server?.calls).toHaveLength(9);
    expect(() => new Budget(0)).toThrow(expect.objectContaining({ code: 'plan_budget' }));
  });

  it('a cancel ends it, and the call under way is in the ledger', async () => {
    const cancel = new AbortController();
    const ran = await run(
      (_call, n, response) => {
        if (n < 3) send(response, hold);
        else cancel.abort(new DOMException('Cancelled.', 'AbortError'));
      },
      { signal: cancel.signal },
    );
    expect(await ran.json('comparison.json')).toMatchObject({
      status: 'incomplete',
      error_type: 'cancelled',
      interrupted_episode: { decisions: 2, api_attempts: 3 },
      http_status_counts: { '200': 2, transport_error: 1 },
    });
  });
});

describe('other backends', () => {
  it('OpenRouter: an alias with a declared model, told in every prediction', async () => {
    const model = {
      backend: 'openrouter',
      model: '~typesafe/jev-latest',
      expectedModel: 'typesafe/jev-1.13-20260917',
    };
    const reply = { ...hold, model: 'typesafe/jev-1.13-20260917', provider: 'TypeSafe' };
    const ran = await run((_call, _n, response) => send(response, reply), { model });
    expect(ran.end.status).toBe('complete');
    const [row] = await ran.lines<Transition>(`${EPISODE}/transitions.jsonl`);
    expect(row?.prediction).toMatchObject({
      backend: 'openrouter',
      requested_model: '~typesafe/jev-latest',
      response_model: 'typesafe/jev-1.13-20260917',
      expected_response_model: 'typesafe/jev-1.13-20260917',
    });
  });

  const chat = { backend: 'openai-chat', model: 'some-model', expectedModel: null };
  const chatReply = (content: unknown) => ({
    model: 'some-model',
    choices: [{ message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  });
  it('a chat model with a structured answer is another policy by name', async () => {
    const { next_action } = hold.answers as { next_action: Entry };
    const { type: _, ...answer } = next_action;
    const ran = await run((_call, _n, response) => send(response, chatReply(JSON.stringify(answer))), {
      model: chat,
    });
    expect(ran.end.status).toBe('complete');
    expect(await ran.json(`${EPISODE}/manifest.json`)).toMatchObject({
      policy: 'openai-chat:pong-action-choice-v1',
    });
    expect(await ran.json('comparison.json')).toMatchObject({
      usage: { input_tokens: 35, output_tokens: 15 },
    });
    expect(server?.calls[0]?.body).toMatchObject({ response_format: { type: 'json_schema' } });
  });

  it.each([['words'], [null], ['[1]'], ['{"choice":"NOOP"}']])(
    'a chat content %j is no decision',
    async (content) => {
      const ran = await run((_call, _n, response) => send(response, chatReply(content)), { model: chat });
      expect(ran.end.error).toMatchObject({ code: 'provider_decision_invalid' });
    },
  );

  it('recorded exchanges give the same files again, and nothing for another request', async () => {
    const replies = ['LEFT', 'RIGHT', 'NOOP', 'LEFT', 'LEFT'];
    const first = await run((_call, n, response) => {
      if (n === 2) return send(response, '', 503);
      send(response, decisionReply(replies[n - 1] ?? 'NOOP', { [replies[n - 1] ?? 'NOOP']: 1 }));
    });
    const recording = new TextDecoder().decode(
      (await first.files.read(`${EPISODE}/model-exchanges.jsonl`)) ?? undefined,
    );
    const lines = recording.split('\n').filter((line) => line !== '');
    const model = { backend: 'jev', model: 'jev-1.13.0', expectedModel: null };
    const again = await runWith(new RecordedDecisions(lines, { id: 'jev', model: 'jev-1.13.0' }), model, {});
    expect(again.end.status).toBe('complete');
    for (const path of first.files.paths)
      expect([path, await again.files.read(path)]).toEqual([path, await first.files.read(path)]);
    const other = await runWith(new RecordedDecisions(lines, { id: 'jev', model: 'jev-1.13.0' }), model, {
      seeds: [46],
    });
    expect(other.end.error).toMatchObject({ code: 'answer_not_recorded' });
    for (const line of ['', '{}', '{"request":{},"response":null,"transport":{"status":"x"}}'])
      expect(() => new RecordedDecisions([line], { id: 'jev', model: '' })).toThrow(
        expect.objectContaining({ code: 'recording_invalid' }),
      );
  });
});
