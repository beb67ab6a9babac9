import { afterEach, describe, expect, it } from 'vitest';
import { type LlamaFault, type MockLlama, mockLlama } from '../../e2e/servers/llama';
import { judgeReceipt, receiptOf, receiptText, type VisionPlan } from '../experiments/vision-controls';
import type { RunSource } from '../runner/experiment';
import { lendKeys } from './keys';
import { labEntry } from './lab';
import { demoYes, visionRun } from './testing/vision-runs';
import { lendVision } from './vision-controls';
import { visionOutcome } from './vision-outcome';

const open: MockLlama[] = [];
afterEach(async () => {
  lendVision({ picture: async () => null });
  lendKeys(() => null);
  for (const server of open.splice(0)) await server.close();
});

async function against(fault: LlamaFault, parameters: Record<string, string | number> = {}) {
  const server = await mockLlama({ fault, yes: demoYes });
  open.push(server);
  return { server, ...(await asked(server.url, parameters)) };
}

async function asked(base_url: string, parameters: Record<string, string | number>) {
  const all = { fixture: 'demo', base_url, annotation: 'none', ...parameters };
  const { header, error, source: stored } = await visionRun('llama-server', all);
  const source = stored as RunSource as RunSource<VisionPlan>;
  const exchanges = [];
  for await (const { exchange } of source.exchanges()) exchanges.push(exchange);
  const report = await labEntry('vision-controls').report(source, {});
  const answered = exchanges.filter(({ cause }) => cause === null).length;
  const outcome = visionOutcome(header.status, error, { calls: exchanges.length, answered }, report);
  return { header, error, outcome, report, exchanges, source };
}

describe('a llama.cpp server, by row of the result table', () => {
  it('pass: fifteen controls, prompts with the server’s marker, pictures nested', async () => {
    const { outcome, report, server, exchanges, source } = await against('none');
    expect(outcome).toEqual({ result: 'pass', cause: null });
    expect(report).toMatchObject({ credit_level: 'A', kind: 'measured', attachment: { min_growth: 259 } });
    expect(server.completions()).toHaveLength(15);
    expect(exchanges).toHaveLength(15);
    const [present, omitted] = server.completions().map(({ body }) => body);
    expect(Object.keys(present ?? {})).toEqual([
      'prompt',
      'model',
      'n_predict',
      'n_probs',
      'temperature',
      'top_k',
      'top_p',
      'post_sampling_probs',
      'stream',
      'cache_prompt',
    ]);
    expect(present).toMatchObject({ n_predict: 0, n_probs: 256, cache_prompt: false });
    expect((present?.prompt as { prompt_string?: string } | undefined)?.prompt_string).toMatch(
      /^<start_of_turn>user\n<__media_x{31}0__>\nA screen/,
    );
    expect(omitted?.prompt).toMatch(/^<start_of_turn>user\nA screen/);
    const receipt = await receiptOf(source);
    expect(receipt).toMatchObject({ web: { host_class: 'loopback', credit_level: 'A' }, vision: true });
    expect(receiptText(receipt)).not.toContain('somebody');
    expect(judgeReceipt(receiptText(receipt))).toMatchObject({ verdict: 'pass', stored_differences: [] });
  });

  it('both legs: ten annotation scorings beside the fifteen', async () => {
    const { outcome, server } = await against('none', { annotation: 'picture' });
    expect(outcome.result).toBe('pass');
    expect(server.completions()).toHaveLength(25);
  });

  const table: [LlamaFault, string, string, number][] = [
    ['blind', 'fail', 'did not move the judgment', 15],
    ['picture-dropped', 'fail', 'image was not attached', 15],
    ['vision-false', 'skip', 'text-only input modalities', 0],
    ['chatml', 'fail', 'served template', 0],
    ['mixed-template', 'fail', 'served template', 0],
    ['marker-rotates', 'pass', '', 16],
    ['marker-rotates-forever', 'error', 'provider_stale_marker', 2],
    ['control-beyond-list', 'pass', '', 30],
    ['control-missing', 'error', 'provider_control_missing', 2],
    ['two-token-control', 'error', 'provider_control_tokens', 0],
    ['unauthorised', 'skip', 'API key needed', 0],
    ['model-absent', 'skip', 'not in the catalogue', 0],
    ['empty-logprobs', 'error', 'provider_no_logprobs', 2],
    ['empty-at-zero', 'pass', '', 30],
    ['duplicate-token', 'error', 'provider_duplicate_token', 1],
    ['not-finite', 'error', 'provider_not_finite', 1],
    ['not-a-distribution', 'error', 'provider_not_distribution', 1],
    ['image-refused', 'error', 'provider_image_refused', 1],
    ['context-too-small', 'error', 'raise -c', 1],
    ['html', 'error', 'provider_not_object', 1],
    ['redirect', 'error', 'provider_redirect', 1],
    ['other-model', 'error', 'provider_wrong_model', 1],
    ['down-after-four', 'error', 'provider_unreachable', 5],
  ];
  it.each([
    ['unauthorised', 'provider_unauthorised'],
    ['vision-false', 'provider_text_only'],
    ['chatml', 'provider_template'],
  ] as const)('%s has the code %s', async (fault, code) => {
    const { error, exchanges } = await against(fault);
    expect(error?.code).toBe(code);
    expect(exchanges).toEqual([]);
  });

  it.each(table)('%s: %s, %s', async (fault, result, cause, calls) => {
    const { outcome, server, exchanges, header, source } = await against(fault);
    expect(outcome.result).toBe(result);
    expect(outcome.cause ?? '').toContain(cause);
    expect(server.completions()).toHaveLength(calls);
    // The exchange record has every scoring call, failed ones included.
    expect(exchanges).toHaveLength(calls);
    if (result === 'error' || result === 'skip') {
      expect(header.status).toBe('incomplete');
      expect(judgeReceipt(receiptText(await receiptOf(source))).verdict).toBe('incomplete');
    }
    if (fault === 'marker-rotates')
      expect(JSON.stringify((await receiptOf(source)).web)).toContain('"attempts":2');
  });

  it('a model that is loading is waited for', async () => {
    const { outcome, server } = await against('loading-then-ok');
    expect(outcome.result).toBe('pass');
    expect(server.calls.filter(({ path }) => path === '/health')).toHaveLength(3);
  }, 20_000);

  it('a key that is refused is not the lack of one', async () => {
    lendKeys(() => 'another-key');
    const { outcome, error } = await against('unauthorised');
    expect(error?.code).toBe('provider_key_refused');
    expect(outcome).toMatchObject({
      result: 'skip',
      cause: expect.stringContaining('does not accept this API key'),
    });
  });

  it('a key is sent and kept nowhere', async () => {
    lendKeys(() => 'secret-key');
    const { outcome, source, exchanges, header } = await against('unauthorised');
    expect(outcome.result).toBe('pass');
    const kept = JSON.stringify([await receiptOf(source), exchanges, header, source.plan, source.runtime]);
    expect(kept).not.toContain('secret');
  });

  it('nobody there: a skip', async () => {
    const { outcome } = await asked('http://127.0.0.1:1', {});
    expect(outcome).toMatchObject({ result: 'skip', cause: expect.stringContaining('server unreachable') });
  });

  it('a server that stalls in a scored call is an error', async () => {
    const { outcome } = await against('stalls', { timeout: 0.3 });
    expect(outcome).toMatchObject({ result: 'error', cause: expect.stringContaining('provider_timeout') });
  });

  it('a picture that is not there: refused before any request', async () => {
    const server = await mockLlama();
    open.push(server);
    const { error } = await asked(server.url, { fixture: 'five-row' });
    expect(error?.code).toBe('picture_missing');
    lendVision({ picture: async () => new Uint8Array([1, 2, 3]) });
    const altered = await asked(server.url, { fixture: 'five-row' });
    expect(altered.error?.code).toBe('picture_changed');
    expect(server.calls).toHaveLength(0);
  });
});
