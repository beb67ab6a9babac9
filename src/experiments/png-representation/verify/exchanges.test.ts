import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleContents, writeZipBundle } from '../../../evidence/bundle';
import type { VerifyResult } from '../../../evidence/verify';
import { verifyBundle } from '../../../evidence/verify';
import type { ExchangeRecord, RuntimeEvidence } from '../../../providers/provider';
import { collected } from '../../../runner/testing/toy-run';
import { pngRepresentation, replayDescription } from '../index';
import {
  type MemoryRun,
  OLLAMA,
  ollamaAsk,
  runInMemory,
  SCRIPTED,
  type Served,
  scriptedAsk,
  storedRun,
} from '../testing/memory-run';

// A forger who computes every digest of the bundle anew: what is left is what the record says against itself.

const REPLY = 'TANK_COLUMN: 0\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 95';
const said = (content: string, more: Record<string, unknown> = {}): Served => ({
  body: {
    message: { role: 'assistant', content },
    done_reason: 'stop',
    prompt_eval_count: 900,
    eval_count: 24,
    ...more,
  },
});
const small = { variants: ['labelled-v1'], max_cases: 2 };

async function verified(run: MemoryRun): Promise<VerifyResult> {
  const zip = await collected(writeZipBundle(bundleContents(run, () => pngRepresentation.files(run))));
  return verifyBundle(zip, [pngRepresentation]);
}

const named = ({ findings }: VerifyResult) =>
  findings.filter(({ level }) => level === 'failure').map(({ code, where }) => `${code} ${where}`);

type Journalled = MemoryRun['journalled'];

function forged(run: MemoryRun, change: (all: Journalled) => Journalled, runtime = run.runtime): MemoryRun {
  const provider = { ...run.header.provider };
  return storedRun(run.plan, provider, run.records, run.pictures, change(run.journalled), runtime);
}

const first = (more: Partial<ExchangeRecord>) => (all: Journalled) =>
  all.map((one, at) => (at === 0 ? { ...one, exchange: { ...one.exchange, ...more } } : one));

const OTHER = `sha256:${'0'.repeat(64)}` as const;
let measured: MemoryRun;
let scripted: MemoryRun;
let replayed: MemoryRun;

beforeAll(async () => {
  // Busy once, then an answer; the second case is refused by the grammar, so no case record repeats its latency.
  measured = await runInMemory(
    small,
    OLLAMA,
    ollamaAsk((call) =>
      call === 0
        ? { status: 429, retryAfter: '0', body: 'busy' }
        : said(call === 1 ? REPLY : 'nothing to read'),
    ),
  );
  scripted = await runInMemory(small, SCRIPTED, scriptedAsk);
  replayed = await runInMemory({}, replayDescription(), () => () => Promise.reject(new Error('asked')));
});

describe('honest records', () => {
  test('verify, retries and refused replies among them', async () => {
    for (const run of [measured, scripted, replayed]) expect(named(await verified(run))).toEqual([]);
  });

  test('verify with a blank reply, a server clock, and without a model name', async () => {
    const odd = await runInMemory(
      small,
      OLLAMA,
      ollamaAsk((call) =>
        call === 0 ? said(' \u001c', { total_duration: 5_000 }) : said(REPLY, { model: undefined }),
      ),
    );
    expect(named(await verified(odd))).toEqual([]);
  });

  test('carry the digest of the published request, as another program computes it', () => {
    const [picture] = [...measured.pictures.values()].filter(
      ({ sha256 }) => sha256 === measured.journalled[0]?.exchange.image_sha256,
    );
    if (picture === undefined) throw new Error('a picture');
    const prompt = JSON.parse(readFileSync('fixtures/png-representation/golden.json', 'utf8')).prompts
      .unlabelled.text;
    const body =
      `{"messages":[{"content":${JSON.stringify(prompt)},"images":["${Buffer.from(picture.bytes).toString('base64')}"],` +
      `"role":"user"}],"model":"some-model:latest","options":{"num_predict":128,"seed":0,"temperature":0.0},` +
      `"stream":false,"think":false}`;
    const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    expect(measured.journalled[0]?.exchange.request_sha256).toBe(digest);
  });
});

describe('a forged exchange of Ollama', () => {
  test.each<[string, Partial<ExchangeRecord>]>([
    ['request_sha256', { request_sha256: OTHER }],
    ['request_sha256', { request_sha256: null }],
    ['image_sha256', { image_sha256: OTHER }],
    ['attempt', { attempt: 2 }],
    ['status', { status: 503 }],
    ['status', { status: null }],
    ['status', { status: 200 }],
    ['cause', { cause: { code: 'provider_http_status', message: 'Ollama HTTP 429: quiet' } }],
    ['cause', { cause: { code: 'provider_wrong_model', message: 'x' } }],
    ['reply_text', { reply_text: 'calm' }],
    ['model_in_reply', { model_in_reply: 'some-model:latest' }],
    ['latency_us', { latency_us: 1 }],
    ['tokens', { tokens: { prompt: 1, completion: 1 } }],
    ['response_metadata_text', { response_metadata_text: '{"backend":"ollama"}' }],
    ['reply_error', { reply_error: 'x' }],
  ])('that failed: %s', async (field, change) => {
    const found = named(await verified(forged(measured, first(change))));
    const fields = field === 'status' || field === 'reply_text' ? ['status', 'cause', 'reply_text'] : [field];
    expect(found.some((one) => fields.some((each) => one.endsWith(`exchanges.jsonl line 1 ${each}`)))).toBe(
      true,
    );
  });

  const metadata = (change: (text: string) => string) => ({
    response_metadata_text: change(measured.journalled[2]?.exchange.response_metadata_text ?? ''),
  });
  test.each<[string, () => Partial<ExchangeRecord>]>([
    ['request_sha256', () => ({ request_sha256: OTHER })],
    ['image_sha256', () => ({ image_sha256: OTHER })],
    ['attempt', () => ({ attempt: 2 })],
    ['attempt', () => ({ attempt: 4 })],
    ['status', () => ({ status: 404 })],
    ['status', () => ({ status: null })],
    ['reply_text', () => ({ reply_text: 'nothing to see' })],
    ['model_in_reply', () => ({ model_in_reply: 'another' })],
    ['model_in_reply', () => ({ model_in_reply: null })],
    ['latency_us', () => ({ latency_us: 7 })],
    ['latency_us', () => ({ latency_us: null })],
    ['tokens', () => ({ tokens: { prompt: 900, completion: 25 } })],
    ['tokens', () => ({ tokens: null })],
    ['reply_error', () => ({ reply_error: 'RuntimeError: made up' })],
    ['response_metadata_text', () => ({ response_metadata_text: '{}' })],
    ['response_metadata_text', () => metadata((text) => text.replace('"backend":"ollama"', '"backend":"x"'))],
    ['response_metadata_text', () => metadata((text) => text.replace('"wall_ms"', '"more":1,"wall_ms"'))],
    ['response_metadata_text', () => metadata((text) => text.replace('{"backend"', '{ "backend"'))],
    ['tokens', () => metadata((text) => text.replace('"eval_count":24', '"eval_count":9'))],
    ['latency_us', () => metadata((text) => text.replace(/"wall_ms":[0-9.e-]+/, '"wall_ms":5.5'))],
    ['response_metadata_text', () => metadata((text) => text.replaceAll('some-model', 'other'))],
    ['response_metadata_text', () => metadata((text) => text.replaceAll('abab', 'cdcd'))],
  ])('that was answered, of a refused case: %s', async (field, change) => {
    const second = (all: Journalled) =>
      all.map((one, at) => (at === 2 ? { ...one, exchange: { ...one.exchange, ...change() } } : one));
    const found = named(await verified(forged(measured, second)));
    expect(found.some((one) => one.includes('exchanges.jsonl line 3') && one.includes(field))).toBe(true);
  });

  test('that comes twice, or not at all, or belongs elsewhere', async () => {
    const twice = forged(measured, (all) => [...all, ...all.slice(-1)]);
    expect(named(await verified(twice)).join()).toContain('exchange_repeated');
    const none = forged(measured, () => []);
    expect(named(await verified(none))).toContain('exchange_missing exchanges.jsonl');
    const elsewhere = forged(measured, (all) => [
      ...all,
      ...all.slice(0, 1).map((one) => ({ ...one, key: { arm: 'labelled-v1', ordinal: 5 } })),
    ]);
    expect(named(await verified(elsewhere)).join()).toContain('exchange_without_case exchanges.jsonl line 4');
  });
});

describe('a forged exchange of a script or a replay', () => {
  test.each<Partial<ExchangeRecord>>([
    { request_sha256: OTHER },
    { image_sha256: OTHER },
    { attempt: 2 },
    { status: 200 },
    { reply_text: '{}' },
    { model_in_reply: 'gpt' },
    { latency_us: 900 },
    { tokens: { prompt: 1, completion: 1 } },
    { response_metadata_text: '{"backend":"real"}' },
    { reply_error: 'x' },
  ])('%o', async (change) => {
    const [field] = Object.keys(change);
    const found = named(await verified(forged(scripted, first(change))));
    expect(found.join()).toContain(`exchanges.jsonl line 1 ${field}`);
  });

  test('a script that says something else than the truth is no script', async () => {
    const other = await runInMemory(small, SCRIPTED, async (plan) => {
      const ask = await scriptedAsk(plan);
      return async (index, question) => {
        const answer = await ask(index, question);
        return {
          ...answer,
          reply_text: answer.reply_text?.replace('"tank_column": 0', '"tank_column": 1') ?? '',
        };
      };
    });
    expect(named(await verified(other))).toContain('exchange_mismatch exchanges.jsonl line 1 reply_text');
  });

  test('a replay asks nobody', async () => {
    const [one] = scripted.journalled;
    if (one === undefined) throw new Error('an exchange');
    const asked = forged(replayed, () => [one]);
    expect(named(await verified(asked)).join()).toContain('exchange_unexpected exchanges.jsonl line 1');
  });
});

test('a case whose full record was taken out is named, and so is one too many', async () => {
  const without = scripted.records.map((record, at) =>
    at === 0 ? { ...record, detail: { ...record.detail, case: null } } : record,
  );
  const { plan, pictures, journalled, runtime } = scripted;
  const run = storedRun(plan, { ...scripted.header.provider }, without, pictures, journalled, runtime);
  const files = () => pngRepresentation.files(scripted);
  const zip = await collected(writeZipBundle(bundleContents(run, files)));
  expect(named(await verifyBundle(zip, [pngRepresentation]))).toContain(
    'case_missing labelled-v1/case-records.jsonl line 1',
  );
});

describe('a forged runtime', () => {
  const runs = () => ({ measured, scripted, replayed });
  test.each(['measured', 'scripted', 'replayed'] as const)('of a %s run', async (which) => {
    const run = runs()[which];
    const real = run.runtime;
    if (real === null) throw new Error('a runtime');
    const says = async (runtime: RuntimeEvidence | null) =>
      named(await verified(forged(run, (all) => all, runtime)));
    expect(await says(null)).toContain('runtime_missing runtime.json');
    expect(await says({ ...real, runtime_name: 'x' })).toContain(
      'runtime_mismatch runtime.json runtime_name',
    );
    expect(await says({ ...real, model_digest: 'x' })).toContain(
      'runtime_mismatch runtime.json model_digest',
    );
    expect(await says({ ...real, details: {} })).toContain('runtime_mismatch runtime.json details');
    const version = await says({ ...real, runtime_version: '9' });
    // Nothing in a measured run repeats the server's version: only the record digest holds it.
    expect(version).toEqual(which === 'measured' ? [] : ['runtime_mismatch runtime.json runtime_version']);
  });
});
