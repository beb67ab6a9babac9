import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseReply } from './reply';

const vectors = JSON.parse(readFileSync('fixtures/unicode14/vectors.json', 'utf8'));

/** A reply whose tank line was found fails at the next field. */
const tankFound = (line: string) => {
  const verdict = parseReply(line);
  return !verdict.ok && !verdict.reason.includes('missing tank column');
};

test('what may follow or precede a value is what Python’s re says', () => {
  const codes = Array.from({ length: 0x2000 }, (_, code) => code);
  for (let code = 0x2000; code < 0x110000; code += 97) codes.push(code);
  const bytes = Uint8Array.from(codes, (code) => {
    const character = String.fromCodePoint(code);
    return Number(tankFound(`tank: 3${character}`)) | (Number(tankFound(`tank:${character}3`)) << 1);
  });
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  expect(digest).toBe(vectors.reply_boundary_sha256);
}, 60_000);

test('a letter of a label matches what Python’s IGNORECASE matches', () => {
  const fields = ['tank: 3', 'target: none', 'cooldown: ready', 'confidence: 5'];
  for (const [letter, codes] of Object.entries(vectors.ignorecase as Record<string, number[]>)) {
    for (const [at, field] of fields.entries()) {
      const label = field.slice(0, field.indexOf(':'));
      if (!label.includes(letter)) continue;
      for (const code of codes) {
        const changed = label.replace(letter, String.fromCodePoint(code));
        const lines = fields.with(at, field.replace(label, changed));
        expect(parseReply(lines.join('\n')).ok, `${label} with U+${code.toString(16)}`).toBe(true);
      }
    }
  }
  expect(parseReply(['tan\u0138: 3', ...fields.slice(1)].join('\n')).ok).toBe(false);
});
