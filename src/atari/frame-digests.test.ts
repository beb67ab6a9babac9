import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cartridgeOf, fixture } from '../../fixtures/atari/read';
import { paddleRom } from '../../fixtures/cartridge/read';
import { Console, type FrameDigest } from './console';
import { FrameDigests } from './frame-digests';
import { frameDigest, type Sha256 } from './index';

const image = (name: string) => cartridgeOf(fixture<{ rom_base64: string }>(`selftest-${name}.json`));
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
// Deterministic choice of actions; not a source of expectations.
const action = (frame: number) => (frame * 7 + (frame >> 3)) % 18;

async function digestsOf(console: Console, frames: number): Promise<[FrameDigest[], FrameDigest[]]> {
  const made: FrameDigest[] = [];
  const expected: FrameDigest[] = [];
  const digests = new FrameDigests(console, (digest) => made.push(digest));
  for (let frame = 0; frame < frames; frame += 1) {
    console.step(action(frame));
    digests.add();
    expected.push({ ram: sha(console.ram), rgb: sha(console.rgb()) });
  }
  digests.flush();
  return [made, expected];
}

describe('digests of many frames are those of Node’s SHA-256', () => {
  it.each(['tia-1', 'tia-2', 'tia-3', 'overrun', 'cpu-1'])('%s', async (name) => {
    const [made, expected] = await digestsOf(await Console.load(image(name)), 83);
    expect(made).toEqual(expected);
  });

  it.each([1, 2, 3, 209, 211, 256])('a picture of %i rows', async (height) => {
    const console = await Console.load(image('tia-3'), { properties: { height } });
    const [made, expected] = await digestsOf(console, 9);
    expect(made).toEqual(expected);
  });

  it('a still picture, and one of which only the last row changes', async () => {
    const console = await Console.load(paddleRom);
    const [made, expected] = await digestsOf(console, 200);
    expect(made).toEqual(expected);
  });

  it('after the palette has changed under the same picture', async () => {
    const console = await Console.load(paddleRom, { properties: { format: 'NTSC' } });
    const pal = await Console.load(paddleRom, { properties: { format: 'PAL' } });
    await digestsOf(console, 4);
    // The same picture as at the start, shown in PAL's colours.
    console.restore(pal.snapshot());
    expect(console.format).toBe('PAL');
    const [made, expected] = await digestsOf(console, 4);
    expect(made).toEqual(expected);
  });

  it('a single frame, with the SHA-256 of the caller', async () => {
    const asked: number[] = [];
    const own: Sha256 = (bytes) => {
      asked.push(bytes.length);
      return sha(bytes);
    };
    const console = await Console.load(paddleRom);
    const digest = await frameDigest(console, own);
    expect(digest).toEqual({ ram: sha(console.ram), rgb: sha(console.rgb()) });
    expect(asked).toEqual([210 * 160 * 3]);
  });

  it('flushing with nothing kept gives nothing', async () => {
    const console = await Console.load(paddleRom);
    const digests = new FrameDigests(console, () => expect.unreachable());
    digests.flush();
  });
});
