import { describe, expect, it } from 'vitest';
import type { Json } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import { OCR_DIGEST, OCR_WEIGHTS } from '../in-page/ocr/weights-list';
import { filesDigest } from '../in-page/vlm/files';
import type { ChoiceQuestion, ExchangeRecord } from '../provider';
import { auditHere, BLANK_ANSWER, hereRuntime } from './here-audit';
import { OCR_MODEL, ocrReply, seenText } from './ocr-protocol';
import { vlmMetadata, vlmScoredText } from './vlm-protocol';

const image_sha256 = sha256('a picture');
const answered: ExchangeRecord = {
  request_sha256: null,
  image_sha256,
  attempt: 1,
  status: null,
  cause: null,
  reply_text: null,
  model_in_reply: null,
  latency_us: 5,
  tokens: null,
  response_metadata_text: '{}',
  reply_error: null,
};
const fieldsOf = (found: readonly { readonly field: string }[]) => found.map(({ field }) => field);

describe('a text reader’s record', () => {
  const lines = [{ text: 'READY', confidence: 900, box: [1, 2, 3, 4] }] as const;
  const footer = [{ text: '3', confidence: 990, box: [5, 6, 7, 8] }] as const;
  const record: ExchangeRecord = {
    ...answered,
    reply_text: ocrReply(lines, footer),
    model_in_reply: OCR_MODEL,
    response_metadata_text: seenText(lines, footer),
  };
  const asked = { provider: { id: 'ocr', model: OCR_MODEL }, image_sha256, question: null };
  const audit = (changes: Partial<ExchangeRecord>) => fieldsOf(auditHere([{ ...record, ...changes }], asked));

  it('follows from its lines', () => {
    expect(audit({})).toEqual([]);
    expect(audit({ latency_us: 9 })).toEqual([]);
  });

  it.each<[Partial<ExchangeRecord>, string]>([
    [{ reply_text: 'COOLDOWN: BLOCKED\nCONFIDENCE: 90' }, 'reply_text'],
    [{ response_metadata_text: '{"footer":[],"lines":[]}' }, 'reply_text'],
    [{ response_metadata_text: seenText(lines) }, 'response_metadata_text'],
    [{ response_metadata_text: seenText(lines, []) }, 'reply_text'],
    [{ response_metadata_text: '{}' }, 'response_metadata_text'],
    [{ model_in_reply: 'another' }, 'model_in_reply'],
    [{ request_sha256: sha256('sent') }, 'request_sha256'],
    [{ image_sha256: sha256('another') }, 'image_sha256'],
    [{ status: 200 }, 'status'],
    [{ attempt: 2 }, 'attempt'],
    [{ tokens: { prompt: 1, completion: 1 } }, 'tokens'],
    [{ reply_error: 'ValueError: no' }, 'reply_error'],
    [{ cause: { code: 'model_worker_died', message: 'It died.' } }, 'reply_text'],
  ])('%o contradicts it in %s', (changes, field) => {
    expect(audit(changes)).toContain(field);
  });

  const broken = { ...answered, latency_us: null };
  it.each([
    ['model_run_failed', []],
    ['png_crc', []],
    ['image_too_large', []],
    ['site_part_missing', []],
    ['memory_exhausted', []],
    ['provider_unreachable', ['cause']],
    ['provider_http_status', ['cause']],
    ['provider_call_unfinished', ['cause']],
    ['made_up', ['cause']],
  ])('that failed by %s contradicts itself in %j', (code, fields) => {
    const cause = { code, message: 'It did.' };
    expect(fieldsOf(auditHere([{ ...broken, cause }, record], asked))).toEqual(fields);
  });

  it('names the shipped weights', () => {
    const files = Object.values(OCR_WEIGHTS).map(({ source, bytes, sha256: digest }) => ({
      source,
      bytes,
      sha256: digest,
    }));
    const runtime = {
      runtime_name: 'onnxruntime-web',
      runtime_version: '1',
      model_digest: OCR_DIGEST,
      details: { backend: 'wasm', threads: 1, files, vision: true },
    };
    expect(hereRuntime(asked.provider, runtime)).toEqual(runtime);
    expect(hereRuntime(asked.provider, { ...runtime, model_digest: 'x' }).model_digest).toBe(OCR_DIGEST);
    expect(hereRuntime({ id: 'ocr', model: 'another' }, runtime).model_digest).not.toBe(OCR_DIGEST);
    expect(hereRuntime(asked.provider, { ...runtime, details: null }).details).not.toBeNull();
    const says = (more: { readonly [name: string]: Json }) => {
      const claimed = { ...runtime, details: { ...runtime.details, ...more } };
      return expect(hereRuntime(asked.provider, claimed).details);
    };
    // How many threads there were nothing repeats, but it is a number of them.
    says({ threads: 4 }).toEqual({ ...runtime.details, threads: 4 });
    says({ threads: 'many' }).not.toMatchObject({ threads: 'many' });
    says({ gpu: 'made up' }).toEqual(runtime.details);
  });
});

describe('a vision-language model’s record', () => {
  const provider = { id: 'transformers', model: 'tiny fp32' };
  const question = { controls: ['0', '1'] } as unknown as ChoiceQuestion;
  const scored = {
    controls: [
      { control: '0', ids: [1], logits: [0.5] },
      { control: '1', ids: [2, 3], logits: [0.25, -1] },
    ],
    normaliser: 2.5,
    vocabulary: 10,
    prompt_tokens: 77,
  };
  const record: ExchangeRecord = {
    ...answered,
    reply_text: vlmScoredText(scored),
    model_in_reply: 'tiny fp32',
    tokens: { prompt: 77, completion: 0 },
    response_metadata_text: vlmMetadata(scored),
  };

  it('follows from its logits', () => {
    const audit = (changes: Partial<ExchangeRecord>) =>
      fieldsOf(auditHere([{ ...record, ...changes }], { provider, image_sha256, question }));
    expect(audit({})).toEqual([]);
    expect(audit({ response_metadata_text: vlmMetadata({ ...scored, normaliser: 2.6 }) })).toEqual([
      'reply_text',
    ]);
    expect(audit({ tokens: { prompt: 7, completion: 0 } })).toEqual(['tokens']);
    const other = { ...scored, controls: scored.controls.slice(0, 1) };
    expect(audit({ response_metadata_text: vlmMetadata(other) })).toEqual(['response_metadata_text']);
  });

  it('is taken at its word where it answered in words, blank or not', () => {
    const words = { ...record, reply_text: 'It is.', response_metadata_text: '{}' };
    const audit = (changes: Partial<ExchangeRecord>) =>
      fieldsOf(auditHere([{ ...words, ...changes }], { provider, image_sha256, question: null }));
    expect(audit({})).toEqual([]);
    expect(audit({ reply_text: ' \n' })).toEqual(['reply_error']);
    expect(audit({ reply_text: ' \n', reply_error: BLANK_ANSWER })).toEqual([]);
    expect(audit({ response_metadata_text: '{"a":1}' })).toEqual(['response_metadata_text']);
  });

  it('names what ran: the files, the precision and the device', () => {
    const files = [{ path: 'config.json', bytes: 3, sha256: sha256('abc') }];
    const runtime = {
      runtime_name: 'transformers.js',
      runtime_version: '1',
      model_digest: filesDigest(files),
      details: { backend: 'wasm', dtype: 'fp32', files, vision: true },
    };
    expect(hereRuntime(provider, runtime)).toEqual(runtime);
    const claimed = hereRuntime({ ...provider, model: 'tiny q4 on webgpu' }, runtime);
    expect(claimed.details).toMatchObject({ backend: 'webgpu', dtype: 'q4' });
    expect(hereRuntime(provider, { ...runtime, details: {} }).model_digest).not.toBe(runtime.model_digest);
    const more = { ...runtime.details, note: 'x', files: files.map((file) => ({ ...file, note: 'x' })) };
    expect(hereRuntime(provider, { ...runtime, details: more })).toEqual(runtime);
  });
});
