import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { READ_ROOTS } from '../e2e/support/read-roots';
import { ARCADE_READER_CARD } from '../src/providers/in-page/arcade-reader-card';
import { modelsFolder } from './model-host';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-in-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, 'run');
const model = join(modelsFolder(), 'arcade-reader/model.onnx');
const card = join(folder, 'card.json');
writeFileSync(card, JSON.stringify({ ...ARCADE_READER_CARD, name: 'mine' }));

const png = (...args: string[]) => run('png', 'run', '--out', out, '--force', '--json', ...args);
const classifier = (file: string, cardFile: string, ...args: string[]) =>
  png('--provider', 'classifier', '--model-file', file, '--model-card', cardFile, ...args);

describe('a model in this process', () => {
  it('reads the smoke fixture, with the root digest that the page gets', async () => {
    const { code, out: text } = await png('--provider', 'arcade-reader');
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      status: 'complete',
      kind: 'measured',
      done: 48,
      root_digest: READ_ROOTS.smoke,
    });
    expect((await run('verify', out)).code).toBe(0);
  });

  it('a classifier of one’s own answers as the same file does under its own name', async () => {
    const { code, out: text } = await classifier(model, card, '--max-cases', '2');
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({ status: 'complete', done: 12, calls: 12 });
    const { provider } = JSON.parse(readFileSync(join(out, 'pixelproof.json'), 'utf8'));
    expect(provider).toMatchObject({
      id: 'classifier',
      label: 'Classifier of your own: mine',
      model: expect.stringMatching(/^mine sha256:[0-9a-f]{64}$/),
    });
    expect((await run('verify', out)).code).toBe(0);
  });

  it('a model file that is cut off is refused before the run begins', async () => {
    const cut = join(folder, 'cut.onnx');
    const bytes = readFileSync(model);
    writeFileSync(cut, bytes.subarray(0, 9000));
    const { code, out: text } = await classifier(cut, card);
    expect(code).toBe(2);
    expect(JSON.parse(text)).toMatchObject({ ok: false, error: { code: 'model_unreadable' } });
  });

  it.each([
    ['without its card', ['--provider', 'classifier', '--model-file', model], 2],
    ['without anything', ['--provider', 'classifier'], 2],
    ['with another input', ['--provider', 'classifier', '--model-file', model, '--model-card', 'size'], 3],
    [
      'with a card that is none',
      ['--provider', 'classifier', '--model-file', model, '--model-card', model],
      2,
    ],
    [
      'with a file that is not there',
      ['--provider', 'classifier', '--model-file', 'no', '--model-card', card],
      2,
    ],
    ['of another seed', ['--provider', 'arcade-reader', '--seed', '5'], 2],
    ['of another model', ['--provider', 'arcade-reader', '--model', 'arcade-reader-9'], 2],
  ])('a run %s ends with its code', async (_what, args, expected) => {
    const size = join(folder, 'size.json');
    writeFileSync(
      size,
      JSON.stringify({ ...ARCADE_READER_CARD, input: { ...ARCADE_READER_CARD.input, width: 224 } }),
    );
    const { code } = await png(...args.map((arg) => (arg === 'size' ? size : arg)));
    expect(code).toBe(expected);
  });
});
