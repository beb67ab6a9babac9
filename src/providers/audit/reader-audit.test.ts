import { describe, expect, it } from 'vitest';
import { sha256 } from '../../evidence/identity/sha256';
import { type ExchangeRecord, UNFINISHED } from '../provider';
import { auditReader, readerMetadata } from './reader-audit';
import { readReaderBody } from './reader-protocol';
import { readerShape } from './reader-shapes';
import { statusError } from './scored-body';

const shape = readerShape('openai');
if (shape === null) throw new Error('the shape of a server');
const asked = { shape, model: 'm', request_sha256: sha256('sent'), image_sha256: sha256('a picture') };
const body = JSON.stringify({ model: 'm', choices: [{ message: { content: 'It is.' } }] });
const identity = { request_sha256: asked.request_sha256, image_sha256: asked.image_sha256 };
const answer: ExchangeRecord = {
  ...identity,
  attempt: 1,
  status: 200,
  cause: null,
  ...readReaderBody(200, body, asked),
  latency_us: 5,
  response_metadata_text: readerMetadata(body),
};
const failed = (code: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  ...identity,
  attempt: 1,
  status: null,
  cause: { code, message: 'It did.' },
  reply_text: null,
  model_in_reply: null,
  latency_us: null,
  tokens: null,
  response_metadata_text: '{}',
  reply_error: null,
  ...more,
});
/** A server that refused, in words that are all kept or not. */
function refusedBy(status: number, reply_text: string, code?: string): ExchangeRecord {
  const { code: own, message } = statusError(status, reply_text);
  return failed(own, { status, reply_text, cause: { code: code ?? own, message } });
}
const found = (...attempts: ExchangeRecord[]) =>
  [...auditReader(attempts, asked)].map(({ at, field }) => `${at} ${field}`);

describe('attempts before an answer', () => {
  it.each([429, 503])('are made again after %i', (status) => {
    expect(found(refusedBy(status, 'busy'), { ...answer, attempt: 2 })).toEqual([]);
  });

  it.each([
    failed('provider_unreachable'),
    failed('provider_timeout'),
    refusedBy(500, 'broken'),
    refusedBy(401, 'no'),
  ])('are not made again after another failure', (failure) => {
    expect(found(failure, { ...answer, attempt: 2 })).toEqual(['1 attempt']);
    // A run that stopped there and was resumed asks the question anew.
    expect(found(failure, answer)).toEqual([]);
  });

  it('that had no body are of a kind that a call can have', () => {
    expect(found(failed(UNFINISHED.code), failed('provider_cancelled'), answer)).toEqual([]);
    for (const code of ['model_run_failed', 'provider_http_status', 'provider_wrong_model', 'made_up'])
      expect(found(failed(code), answer), code).toEqual(['0 cause']);
  });

  it('that had a body which is not all kept are of a kind that a body can be', () => {
    const long = 'x'.repeat(2000);
    expect(found(refusedBy(500, long), answer)).toEqual([]);
    expect(found(refusedBy(500, long, 'made_up'), answer)).toEqual(['0 cause']);
    expect(found(refusedBy(500, long, 'provider_timeout'), answer)).toEqual(['0 status', '0 reply_text']);
  });
});
