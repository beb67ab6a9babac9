import { describe, expect, it } from 'vitest';
import { fixture, ownedRom } from '../../fixtures/atari/read';
import { type Replayed, replayBoot, replayScript, replaySeed } from './testing/replay';

const rom = ownedRom('pong');
let checked = 0;
let skipped = 0;

/** A test of a trace that needs a ROM; it counts itself so that the suite can say what was not looked at. */
function traceTest(name: string, frames: number, replay: (rom: Uint8Array) => Promise<Replayed>): void {
  if (rom === null) {
    skipped += 1;
    it.skip(name);
    return;
  }
  it(name, { timeout: 60_000 }, async () => {
    expect(await replay(rom)).toEqual({ frames, difference: null });
    checked += 1;
  });
}

describe('Pong against the reference', () => {
  traceTest('start: RAM and picture after loading and after each of two resets', 3, (image) =>
    replayBoot(image, fixture('pong-boot.json')),
  );
  for (const script of ['noop', 'sweep', 'fire-mix', 'xorshift']) {
    traceTest(`script ${script}`, 2400, (image) =>
      replayScript(image, fixture(`pong-script-${script}.json`)),
    );
  }
  for (const seed of [36, 37, 46, 47]) {
    traceTest(`sticky actions, protocol seed ${seed}`, 4000, (image) =>
      replaySeed(image, fixture(`pong-seed-${seed}.json`)),
    );
  }

  it('says how many traces were checked', () => {
    const hint = skipped > 0 ? ' (set PIXELPROOF_ROM_DIR to a folder with pong.bin)' : '';
    process.stderr.write(`Atari ROM traces in Node: ${checked} checked, ${skipped} skipped${hint}.\n`);
    expect(checked + skipped).toBe(9);
  });
});
