import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PixelproofError } from '../../errors';
import { sha256Hex } from '../../evidence/identity/sha256';
import { Xorshift32 } from '../../numeric/xorshift32';
import { fromBase64 } from '../base64';
import { decodeWebp } from './webp';

const corpus: { made_with: string; files: { file: string; rgb_sha256: string | null; base64: string }[] } =
  JSON.parse(readFileSync(new URL('../../../fixtures/image-signals/webp.json', import.meta.url), 'utf8'));

/** The digest of the pixels; null when the file is refused by a name. */
function read(bytes: Uint8Array): string | null {
  try {
    return sha256Hex(decodeWebp(bytes).data);
  } catch (error) {
    if (error instanceof PixelproofError) return null;
    throw error;
  }
}

test.each(corpus.files)(
  '$file: the pixels that the reference reads, refused where it refuses',
  ({ base64, rgb_sha256 }) => {
    expect(read(fromBase64(base64))).toBe(rgb_sha256);
  },
);

test('what a damaged file leaves behind changes nothing for the next', () => {
  const files = corpus.files.map(({ base64, rgb_sha256 }) => ({ bytes: fromBase64(base64), rgb_sha256 }));
  const random = new Xorshift32(3);
  for (let round = 0; round < 400; round++) {
    const victim = files[random.next() % files.length]?.bytes.slice() ?? new Uint8Array(0);
    for (let n = 1 + (random.next() % 4); n > 0; n--)
      victim[random.next() % victim.length] = random.next() & 255;
    read(victim);
    const next = files[round % files.length];
    expect(next && read(next.bytes)).toBe(next?.rgb_sha256);
  }
});
