import { describe, expect, it } from 'vitest';
import type { Json } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import { ARCADE_READER_CARD, ARCADE_READER_MODEL, ARCADE_READER_MODELS } from '../in-page/arcade-reader-card';
import { classifierRuntime } from './classifier-audit';
import { ARCADE_READER, CLASSIFIER, classifierIdentity } from './classifier-protocol';

const shipped = ARCADE_READER_MODELS.get(ARCADE_READER_MODEL);
const honest = {
  runtime_name: 'onnxruntime-web',
  runtime_version: '1',
  model_digest: shipped?.sha256 ?? null,
  details: {
    backend: 'wasm',
    threads: 1,
    opset: shipped?.opset ?? null,
    model_bytes: shipped?.bytes ?? null,
    card: ARCADE_READER_CARD as unknown as Json,
  },
};
const claiming = (details: { readonly [name: string]: Json }, runtime = honest) => ({
  ...runtime,
  details: { ...runtime.details, ...details },
});

describe('the runtime record of arcade-reader', () => {
  const says = (details: { readonly [name: string]: Json }) =>
    expect(classifierRuntime(ARCADE_READER, ARCADE_READER_MODEL, claiming(details)));

  it('follows from the shipped file', () => {
    says({}).toEqual(honest);
    says({ opset: 99 }).toEqual(honest);
    says({ opset: null }).toEqual(honest);
    says({ model_bytes: 1 }).toEqual(honest);
    says({ gpu: 'made up' }).toEqual(honest);
    expect(
      classifierRuntime(ARCADE_READER, ARCADE_READER_MODEL, { ...honest, details: null }).details,
    ).toMatchObject({ opset: 13 });
  });

  it('says a number of threads, which nothing repeats', () => {
    says({ threads: 64 }).toEqual(claiming({ threads: 64 }));
    for (const threads of [0, -1, 1.5, '1', null]) says({ threads }).not.toEqual(claiming({ threads }));
  });
});

describe('the runtime record of a classifier of one’s own', () => {
  const digest = sha256('a file');
  const model = classifierIdentity(ARCADE_READER_CARD, digest);
  const own = { ...honest, model_digest: digest };
  const says = (details: { readonly [name: string]: Json }) =>
    expect(classifierRuntime(CLASSIFIER, model, claiming(details, own)));

  it('is taken at its word about the file, where that can be', () => {
    for (const details of [{}, { opset: 21 }, { opset: null }, { model_bytes: 5 }])
      says(details).toEqual(claiming(details, own));
    for (const details of [{ opset: 'x' }, { opset: 0 }, { model_bytes: null }, { model_bytes: -1 }])
      says(details).not.toEqual(claiming(details, own));
  });
});
