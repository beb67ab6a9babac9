import { describe, expect, it } from 'vitest';
import { decisionReply, send } from '../../../e2e/servers/decisions';
import { Budget } from './budget';
import { type Entry, EPISODE, hold, run, server, stopped } from './testing/decision-run';

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
