import { toBase64 } from '../base64';

/** The colours of the doctor's two pictures: as far apart as a picture can be. */
export type TestColour = 'red' | 'blue';

export const QUESTION = 'Which colour fills this picture? Answer with one word: red, green or blue.';

const SIDE = 64;
const RGB = { red: [220, 20, 30], blue: [20, 40, 220] } as const;

/** One colour, 64 × 64, 8 bit RGB: a PNG with stored (not deflated) rows, so that nothing has to be compressed. */
export function testPicture(colour: TestColour): Uint8Array<ArrayBuffer> {
  const row = [0, ...Array.from({ length: SIDE }, () => RGB[colour]).flat()];
  const raw = Uint8Array.from(Array.from({ length: SIDE }, () => row).flat());
  const stored = [
    0x78,
    0x01,
    1,
    raw.length & 255,
    raw.length >> 8,
    ~raw.length & 255,
    (~raw.length >> 8) & 255,
  ];
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...word(SIDE), ...word(SIDE), 8, 2, 0, 0, 0]),
    ...chunk('IDAT', [...stored, ...raw, ...word(adler32(raw))]),
    ...chunk('IEND', []),
  ]);
}

export function testPictureBase64(colour: TestColour): string {
  return toBase64(testPicture(colour));
}

/** Which of the two colours an answer names; null where it names none, or both. */
export function colourIn(answer: string): TestColour | null {
  const [red, blue] = [/\bred\b/i.test(answer), /\bblue\b/i.test(answer)];
  if (red === blue) return null;
  return red ? 'red' : 'blue';
}

const word = (value: number) => [
  (value >>> 24) & 255,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  return [...word(data.length), ...body, ...word(crc32(body))];
}

/** PNG specification, annex D. */
function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** RFC 1950, section 8.2. */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}
