import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materialiseSteps, recipeOf, stateOfRow } from '../src/experiments/png-representation';
import { drawDemoScreen } from '../src/experiments/vision-controls/demo-screens';
import { decodeImage } from '../src/pixels/decode/decode';
import { readVlmMetadata, vlmScoredText } from '../src/providers/audit/vlm-protocol';
import type { ModelFiles } from '../src/providers/in-page/vlm/files';
import { TransformersProvider } from '../src/providers/in-page/vlm/provider';
import { openVlm } from '../src/providers/in-page/vlm/session';
import type { VlmHost } from '../src/providers/in-page/vlm/vlm-host';
import { tinyVlm } from '../training/tiny-vlm';
import { run } from './testing/run';
import { nodeLibrary, nodeVlmHost } from './vlm-host';

const signal = new AbortController().signal;
const call = { signal, record: () => undefined };
const tiny = tinyVlm();

/** The tiny model's files, some of them changed or, by null, taken away. */
function filesWith(changes: Readonly<Record<string, Uint8Array<ArrayBuffer> | null>> = {}): ModelFiles {
  const read = async (path: string) => (path in changes ? (changes[path] ?? null) : (tiny.get(path) ?? null));
  return { read, has: async (path) => (await read(path)) !== null };
}

function hostOf(files: ModelFiles): VlmHost {
  return {
    open: async ({ dtype, backend }) =>
      openVlm(await nodeLibrary(), files, { dtype, backend, executionProvider: 'wasm' }),
  };
}

function provider(host: VlmHost, model = 'tiny fp32'): TransformersProvider {
  return new TransformersProvider({ model, seed: 0, host, decode: decodeImage });
}

const text = (value: string) => new TextEncoder().encode(value);
const config = JSON.parse(new TextDecoder().decode(tiny.get('config.json')));

describe('transformers.js in this process, with a model of random weights', () => {
  const asked = provider(hostOf(filesWith()));
  const score = (image: Uint8Array<ArrayBuffer> | null, controls = ['0', '1']) =>
    asked.scoreChoices({ image, mediaType: 'image/png', prefix: '', userText: 'Is it?', controls }, call);

  it('says what runs: every file by its digest', async () => {
    const runtime = await asked.start(signal);
    expect(runtime).toMatchObject({
      runtime_name: 'transformers.js',
      runtime_version: 'transformers.js 4.3.1',
      model_digest: 'sha256:c2d3c8efd95c0c178c283878cc170b4fab999b8c85c5b1c168e2ac24002f5f2f',
      details: { backend: 'wasm', dtype: 'fp32' },
    });
  });

  it('scores a question from one pass, and another picture otherwise', async () => {
    const [omitted, tide, seed] = [
      await score(null),
      await score(drawDemoScreen('tide-table')),
      await score(drawDemoScreen('seed-shelf')),
    ];
    for (const record of [omitted, tide, seed]) {
      const scored = readVlmMetadata(record.response_metadata_text);
      expect(scored?.controls.map(({ ids }) => ids)).toEqual([
        [48, 256],
        [49, 257],
      ]);
      expect(record.reply_text).toBe(scored === null ? null : vlmScoredText(scored));
    }
    const [without, first, second] = [omitted, tide, seed].map(({ reply_text }) =>
      JSON.parse(reply_text ?? ''),
    );
    expect(first.controls).not.toEqual(second.controls);
    // Five tiles of four tokens, and what stands around them.
    expect(first.tokens_evaluated - without.tokens_evaluated).toBeGreaterThan(20);
    expect(first.tokens_evaluated).toBe(second.tokens_evaluated);
    expect(await score(drawDemoScreen('tide-table'))).toMatchObject({ reply_text: tide.reply_text });
  });

  it('answers in words, noise as they are', async () => {
    const { final } = await materialiseSteps(
      recipeOf('labelled-v1'),
      stateOfRow('tank=3|target=5|cooldown=1'),
    );
    const question = {
      image: final.png,
      mediaType: 'image/png',
      prompt: 'What is it?',
      promptMode: '',
    } as const;
    const record = await asked.readImage(question, call);
    expect(record).toMatchObject({ cause: null, model_in_reply: 'tiny fp32', request_sha256: null });
    expect(record.tokens?.completion).toBeGreaterThan(0);
    expect((await asked.readImage(question, call)).reply_text).toBe(record.reply_text);
  });

  it('cannot score what is not one token', async () => {
    const record = await score(null, ['yes', 'no']);
    expect(record).toMatchObject({ cause: { code: 'model_control_tokens' }, reply_text: null });
  });

  it('stops in the middle of an answer', async () => {
    const cancel = new AbortController();
    const question = {
      image: drawDemoScreen('tide-table'),
      mediaType: 'image/png',
      prompt: 'Hi',
      promptMode: '',
    } as const;
    const answer = asked.readImage(question, { ...call, signal: cancel.signal });
    setTimeout(() => cancel.abort(new DOMException('Cancelled.', 'AbortError')), 20);
    await expect(answer).rejects.toThrow('Cancelled.');
  });
});

describe('a model that cannot be loaded', () => {
  it.each([
    ['onnx/vision_encoder.onnx', 'vision_encoder'],
    ['tokenizer.json', 'tokenizer.json'],
    ['config.json', 'config.json'],
  ])('lacks %s', async (path, named) => {
    await expect(provider(hostOf(filesWith({ [path]: null }))).start(signal)).rejects.toMatchObject({
      code: 'model_files_missing',
      message: expect.stringContaining(named),
    });
  });

  it('lacks weights of this precision', async () => {
    await expect(provider(hostOf(filesWith()), 'tiny q4').start(signal)).rejects.toMatchObject({
      code: 'model_files_missing',
      message: expect.stringContaining('vision_encoder_q4.onnx'),
    });
  });

  it.each([
    ['another kind', JSON.stringify({ ...config, model_type: 'llama' })],
    ['no kind', '{}'],
    ['no JSON', '<html>'],
  ])('is of %s', async (_what, changed) => {
    await expect(
      provider(hostOf(filesWith({ 'config.json': text(changed) }))).start(signal),
    ).rejects.toMatchObject({ code: 'model_architecture' });
  });

  it.each([
    ['onnx/decoder_model_merged.onnx', tiny.get('onnx/decoder_model_merged.onnx')?.slice(0, 4000) ?? null],
    ['tokenizer.json', text('{')],
  ])('is cut or changed in %s', async (path, bytes) => {
    await expect(provider(hostOf(filesWith({ [path]: bytes }))).start(signal)).rejects.toMatchObject({
      code: 'model_unreadable',
    });
  });

  it('does not fit into memory', async () => {
    const full: VlmHost = hostOf({
      has: async () => true,
      read: async (path) => {
        if (path.startsWith('onnx/')) throw new RangeError('Array buffer allocation failed');
        return tiny.get(path) ?? null;
      },
    });
    await expect(provider(full).start(signal)).rejects.toMatchObject({ code: 'model_out_of_memory' });
  });

  it('is not here', async () => {
    for (const folder of [null, 'no/such/folder']) {
      await expect(provider(nodeVlmHost(folder)).start(signal)).rejects.toMatchObject({
        code: 'model_not_here',
      });
    }
    await expect(provider(nodeVlmHost('.'), 'tiny fp32 on webgpu').start(signal)).rejects.toMatchObject({
      code: 'model_backend',
    });
  });

  it('has no name', () => {
    expect(() => provider(hostOf(filesWith()), 'tiny')).toThrowError(
      expect.objectContaining({ code: 'provider_settings' }),
    );
  });
});

describe('pixelproof --provider transformers', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pixelproof-vlm-'));
    for (const [path, bytes] of tiny) {
      const file = join(folder, 'tiny', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const asked = () => [
    '--provider',
    'transformers',
    '--model',
    'tiny fp32',
    '--model-folder',
    join(folder, 'tiny'),
  ];

  it('runs the PNG experiment from a folder, and the bundle verifies', async () => {
    const out = join(folder, 'png');
    const made = await run(
      'png',
      'run',
      ...asked(),
      '--variants',
      'unlabelled-v1',
      '--max-cases',
      '1',
      '--out',
      out,
      '--json',
    );
    expect(JSON.parse(made.out)).toMatchObject({ status: 'complete', kind: 'measured', done: 1, calls: 1 });
    expect((await run('verify', out)).code).toBe(0);
  });

  it('runs the vision controls from a folder, and the bundle verifies', async () => {
    const out = join(folder, 'vision');
    const made = await run('vision', 'run', ...asked(), '--annotation', 'none', '--out', out, '--json');
    // What random weights say is noise: whatever the verdict, it is one.
    expect(JSON.parse(made.out).result).toMatch(/^(pass|fail)$/);
    const receipt = JSON.parse(await readFile(join(out, 'receipt.json'), 'utf8'));
    expect(receipt.web).toMatchObject({ credit_level: 'B', provider: 'transformers' });
    expect((await run('verify', out)).code).toBe(0);
  });

  it('stops where there is no folder, with nothing counted', async () => {
    const out = join(folder, 'none');
    const made = await run(
      'png',
      'run',
      '--provider',
      'transformers',
      '--max-cases',
      '1',
      '--out',
      out,
      '--json',
    );
    expect(made.code).toBe(3);
    expect(JSON.parse(made.out)).toMatchObject({
      status: 'incomplete',
      done: 0,
      error: { code: 'model_not_here' },
    });
  });
});
