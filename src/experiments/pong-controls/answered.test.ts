import { describe, expect, it } from 'vitest';
import { decisionReply, send } from '../../../e2e/servers/decisions';
import { RecordedDecisions } from '../../providers/recorded-decisions';
import {
  type Entry,
  EPISODE,
  good,
  hold,
  KEY,
  run,
  runWith,
  server,
  type Transition,
} from './testing/decision-run';

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
