import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { decodeImage } from './decode';

vi.mock('./self-test', () => ({ isExactHere: async () => false }));

test('where this environment decodes otherwise than the reference, every picture says so', async () => {
  const corpus = JSON.parse(readFileSync('fixtures/image-signals/decoders.json', 'utf8')) as {
    files: { file: string; base64: string }[];
  };
  const png = corpus.files.find(({ file }) => file.endsWith('.png'));
  const bytes = new Uint8Array(Buffer.from(png?.base64 ?? '', 'base64'));
  const { exact, warnings } = await decodeImage(bytes, png?.file ?? '');
  expect(exact).toBe(false);
  expect(warnings.map(({ code }) => code)).toContain('not_bit_exact');
});
