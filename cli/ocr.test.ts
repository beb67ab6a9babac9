import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materialiseSteps, recipeOf, stateOfRow } from '../src/experiments/png-representation';
import { drawDemoScreen } from '../src/experiments/vision-controls/demo-screens';
import { DEMO_PROFILE } from '../src/experiments/vision-controls/profile';
import { userText } from '../src/experiments/vision-controls/prompt';
import { decodeImage } from '../src/pixels/decode/decode';
import { OCR_MODEL, seenLines } from '../src/providers/audit/ocr-protocol';
import type { ModelHost } from '../src/providers/in-page/model-host';
import { OcrProvider } from '../src/providers/in-page/ocr/provider';
import { OCR_DIGEST } from '../src/providers/in-page/ocr/weights-list';
import type { ExchangeRecord } from '../src/providers/provider';
import { nodeModelHost } from './model-host';
import { run } from './testing/run';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelproof-ocr-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const call = { signal, record: () => undefined };
const host = nodeModelHost();
const provider = new OcrProvider({ host, decode: decodeImage });

async function arcade(variant: Parameters<typeof recipeOf>[0], state: string): Promise<ExchangeRecord> {
  const { final } = await materialiseSteps(recipeOf(variant), stateOfRow(state));
  return provider.readImage(
    { image: final.png, mediaType: 'image/png', prompt: '', promptMode: 'unlabelled' },
    call,
  );
}

describe('the shipped pair, in this process', () => {
  it('says what is running', async () => {
    await expect(provider.start(signal)).resolves.toMatchObject({
      runtime_name: 'onnxruntime-web',
      model_digest: OCR_DIGEST,
      details: { backend: 'wasm', threads: 1 },
    });
  });

  it('reads the cooldown where it is written, and nothing of a state where it is not', async () => {
    const blocked = await arcade('labelled-v1', 'tank=3|target=5|cooldown=1');
    expect(blocked).toMatchObject({
      cause: null,
      model_in_reply: OCR_MODEL,
      status: null,
      request_sha256: null,
    });
    // The numerals of ten pixels are read by the close look; the thin 0 and 1 are not.
    expect(blocked.reply_text).toMatch(/^COOLDOWN: BLOCKED\nLANE_NUMERALS: 2 3 4 5 6\nCONFIDENCE: \d\d$/);
    const ready = await arcade('cooldown-text-v1', 'tank=0|target=none|cooldown=0');
    expect(ready.reply_text).toMatch(/^COOLDOWN: READY\nCONFIDENCE: \d\d$/);
    const shape = await arcade('cooldown-shape-v1', 'tank=3|target=5|cooldown=1');
    expect(shape.reply_text).toBe('Nothing in this picture is text that says READY or BLOCKED.');
  });

  it('says the same of the same picture', async () => {
    const again = new OcrProvider({ host, decode: decodeImage });
    await again.start(signal);
    const image = drawDemoScreen('tide-chart');
    const question = { image, mediaType: 'image/png', prompt: '', promptMode: '' } as const;
    const [one, other] = [await provider.readImage(question, call), await again.readImage(question, call)];
    expect(one.response_metadata_text).toBe(other.response_metadata_text);
    expect(seenLines(one.response_metadata_text)?.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['TIDE', 'BOARD', 'TABLE', 'CHART', 'ABOUT', 'HIGH', 'DEMO PICTURE']),
    );
  });

  it('scores a question by the names in the picture', async () => {
    const text = userText(DEMO_PROFILE.state, DEMO_PROFILE.visual);
    const first = async (image: Uint8Array<ArrayBuffer> | null) => {
      const question = { image, mediaType: 'image/png', prefix: '', userText: text, controls: ['0', '1'] };
      const { reply_text } = await provider.scoreChoices(question, call);
      const { level, controls } = JSON.parse(reply_text ?? '');
      expect(level).toBe('D');
      return controls[0].probability;
    };
    expect(await first(drawDemoScreen('tide-table'))).toBe(0.99);
    expect(await first(null)).toBe(0.5);
    expect(await first(drawDemoScreen('seed-shelf'))).toBe(0.01);
  });
});

describe('pixelproof --provider ocr', () => {
  it('runs the PNG experiment: every case a rejection, and the bundle verifies', async () => {
    const out = join(folder, 'png');
    const variants = 'cooldown-text-v1,cooldown-shape-v1';
    const made = await run(
      'png',
      'run',
      '--provider',
      'ocr',
      '--variants',
      variants,
      '--max-cases',
      '1',
      '--out',
      out,
      '--json',
    );
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.out)).toMatchObject({ status: 'complete', kind: 'measured', done: 2 });
    const cases = await readFile(join(out, 'cases.jsonl'), 'utf8');
    const records = cases
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(records.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
    expect(records[0].evidence.reply_text).toMatch(/^COOLDOWN: (READY|BLOCKED)\n/);
    expect((await run('verify', out)).code).toBe(0);
  });

  it('runs the vision controls: pixels move every answer, and level D passes no gate', async () => {
    const out = join(folder, 'vision');
    const made = await run(
      'vision',
      'run',
      '--provider',
      'ocr',
      '--out',
      out,
      '--annotation',
      'none',
      '--json',
    );
    expect(JSON.parse(made.out)).toMatchObject({ result: 'incomplete' });
    const receipt = JSON.parse(await readFile(join(out, 'receipt.json'), 'utf8'));
    const margins = JSON.stringify(receipt).match(/"margin":[-0-9.]+/g) ?? [];
    expect(margins).toHaveLength(5);
    expect(new Set(margins)).toEqual(new Set(['"margin":0.98']));
    expect((await run('verify', out)).code).toBe(0);
  });
});

describe('what goes wrong', () => {
  const image = drawDemoScreen('tide-table');
  const question = { image, mediaType: 'image/png', prompt: '', promptMode: '' } as const;

  it('names a file that was cut or altered', async () => {
    const changed = (change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): ModelHost => ({
      ...host,
      file: async (path, given) => change(await host.file(path, given)),
    });
    const cut = new OcrProvider({ host: changed((bytes) => bytes.slice(0, 1000)), decode: decodeImage });
    await expect(cut.start(signal)).rejects.toMatchObject({ code: 'model_altered' });
    const altered = changed((bytes) => {
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      return bytes;
    });
    await expect(new OcrProvider({ host: altered, decode: decodeImage }).start(signal)).rejects.toMatchObject(
      {
        code: 'model_altered',
        got: expect.stringContaining('26249 bytes'),
      },
    );
  });

  it('gives no answer for bytes that are no picture', async () => {
    const record = await provider.readImage({ ...question, image: new Uint8Array(8) }, call);
    expect(record).toMatchObject({ cause: { code: 'image_format_unknown' }, reply_text: null });
  });

  it('gives no answer before it was loaded', async () => {
    const record = await new OcrProvider({ host, decode: decodeImage }).readImage(question, call);
    expect(record.cause?.code).toBe('model_not_open');
  });

  it('stops with the signal', async () => {
    const ended = AbortSignal.abort(new DOMException('Cancelled.', 'AbortError'));
    await expect(provider.readImage(question, { ...call, signal: ended })).rejects.toThrow('Cancelled.');
  });
});
