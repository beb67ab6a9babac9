import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeModelHost } from '../../cli/model-host';
import { verifyBundle } from '../evidence/verify';
import { type Files, forged, manifestOf } from '../evidence/verify/testing/forge';
import { ARCADE_READER_CARD } from '../providers/in-page/arcade-reader-card';
import { arcadeReader, ownClassifier } from './classifiers';
import { prepareRun, verifiers } from './lab';
import { lendModels, lentModels, type OwnModel } from './models';
import { MAX_MODEL_BYTES, readOwnModel, requireModelSize } from './own-model';
import { labFiles } from './testing/smoke-files';

const model = new Uint8Array(readFileSync('public/models/arcade-reader/model.onnx'));
const own = new Map<string, OwnModel>();
const card = { ...ARCADE_READER_CARD, name: 'mine' };
const { signal } = new AbortController();

const plan = (id: string, settings: { readonly [key: string]: string }) => ({
  experiment: 'png-representation',
  parameters: { variants: ['unlabelled-v1', 'cooldown-shape-v1'], max_cases: 2, stamp: '20260101T000000Z' },
  provider: { id, settings },
});

it('where nobody lent a place, no model runs, and no run is refused before it begins', async () => {
  await expect(lentModels.file('arcade-reader/model.onnx', signal)).rejects.toMatchObject({
    code: 'model_no_host',
  });
  expect(arcadeReader(null).description).toMatchObject({
    kind: 'measured',
    model: 'arcade-reader-1',
    seed: 0,
  });
});

describe('with a place to run', () => {
  let identity = '';
  beforeAll(async () => {
    lendModels({ ...nodeModelHost(), own: (wanted) => own.get(wanted) ?? null });
    ({ identity } = await readOwnModel(model, JSON.stringify(card)));
    own.set(identity, { card, bytes: async () => model });
  });

  it.each(['arcade-reader-9', 'qwen3.5:latest'])('arcade-reader is no %s', (name) => {
    expect(() => arcadeReader(name)).toThrow(expect.objectContaining({ code: 'provider_settings' }));
  });

  it('a classifier without an identity cannot be planned with', () => {
    for (const name of [null, 'mine', 'mine sha256:12'])
      expect(() => ownClassifier(name)).toThrow(expect.objectContaining({ code: 'provider_settings' }));
  });

  it('a model that nobody brought stops the run, which names it', async () => {
    const stranger = `mine sha256:${'0'.repeat(64)}`;
    const { answers } = await prepareRun(plan('classifier', { model: stranger }));
    await expect(answers.start(signal)).rejects.toMatchObject({ code: 'model_not_lent', expected: stranger });
  });

  it('the backend is part of the identity', async () => {
    const usual = await prepareRun(plan('arcade-reader', {}));
    const gpu = await prepareRun(plan('arcade-reader', { model: 'arcade-reader-1 on webgpu' }));
    expect(gpu.plan.plan_id).not.toBe(usual.plan.plan_id);
    await expect(gpu.answers.start(signal)).rejects.toMatchObject({ code: 'model_backend' });
  });

  it.each([
    ['a picture', Uint8Array.of(137, 80, 78, 71)],
    ['nothing', new Uint8Array(0)],
  ])('%s is no model', async (_what, bytes) => {
    await expect(readOwnModel(bytes, JSON.stringify(card))).rejects.toMatchObject({
      code: 'model_unreadable',
    });
  });

  it('a file of any size is not read', () => {
    expect(() => requireModelSize(MAX_MODEL_BYTES)).not.toThrow();
    expect(() => requireModelSize(MAX_MODEL_BYTES + 1)).toThrow(
      expect.objectContaining({ code: 'model_too_large' }),
    );
  });

  describe.each(['arcade-reader', 'classifier'])('a run of %s', (id) => {
    let files: Files;
    const text = (path: string) => new TextDecoder().decode(files.get(path));
    beforeAll(async () => {
      files = await labFiles(plan(id, id === 'classifier' ? { model: identity } : {}));
    });

    it('verifies', async () => {
      const { ok, findings } = await verifyBundle(await forged(files, manifestOf(files)), verifiers);
      expect(findings.filter(({ level }) => level !== 'pass')).toEqual([]);
      expect(ok).toBe(true);
    });

    it.each<[string, string, RegExp, string, string]>([
      [
        'weights',
        'runtime.json',
        /"model_digest":"sha256:[0-9a-f]{4}/,
        '"model_digest":"sha256:0000',
        'runtime_mismatch',
      ],
      ['a runtime', 'runtime.json', /onnxruntime-web/, 'another', 'runtime_mismatch'],
      ['a card', 'runtime.json', /"divide_by":255/, '"divide_by":254', 'runtime_mismatch'],
      ['a backend', 'runtime.json', /"backend":"wasm"/, '"backend":"webgpu"', 'runtime_mismatch'],
      ['scores', 'exchanges.jsonl', /tank_column\\":\[\d+/, 'tank_column\\":[1000001', 'exchange_mismatch'],
      [
        'scores that say something else',
        'exchanges.jsonl',
        /\[(\d+),(\d+)\]/,
        '[$2,$1]',
        'exchange_mismatch',
      ],
      ['a status', 'exchanges.jsonl', /"status":null/, '"status":200', 'exchange_mismatch'],
      [
        'a request',
        'exchanges.jsonl',
        /"request_sha256":null/,
        `"request_sha256":"sha256:${'0'.repeat(64)}"`,
        'exchange_mismatch',
      ],
      [
        'a name',
        'exchanges.jsonl',
        /"model_in_reply":"[^"]*"/,
        '"model_in_reply":"another"',
        'exchange_mismatch',
      ],
    ])('with other %s it does not', async (_what, path, was, becomes, code) => {
      const changed = text(path).replace(was, becomes);
      expect(changed).not.toBe(text(path));
      const bundle = await forged(
        new Map(files).set(path, new TextEncoder().encode(changed)),
        manifestOf(files),
      );
      const { ok, findings } = await verifyBundle(bundle, verifiers);
      expect(ok).toBe(false);
      expect(findings.map((one) => one.code)).toContain(code);
    });
  });
});
