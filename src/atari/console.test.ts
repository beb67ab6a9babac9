import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cartridgeOf, fixture } from '../../fixtures/atari/read';
import { Console } from './console';
import { frameDigest } from './digest';
import type { Game } from './games';
import { pong } from './games/pong';
import { Rewind } from './rewind';

const image = (name: string) => cartridgeOf(fixture<{ rom_base64: string }>(`selftest-${name}.json`));

/** A program at F000 of a 4K cartridge. */
function program(...code: number[]): Uint8Array {
  const rom = new Uint8Array(4096);
  rom.set(code);
  rom.set([0x00, 0xf0], 0xffc);
  return rom;
}

const code = (value: string) => expect.objectContaining({ code: value });

describe('bad input is refused with a code', () => {
  it.each([
    ['atari_rom_empty', new Uint8Array(0)],
    ['atari_rom_odd_size', new Uint8Array(4095)],
    ['atari_rom_odd_size', new Uint8Array(1024)],
    ['atari_rom_too_large', new Uint8Array(65536)],
    ['atari_rom_unsupported', new Uint8Array(8448)],
    ['atari_no_frame', program(0x4c, 0x00, 0xf0)],
    ['atari_no_frame', program(0x02)],
  ])('%s', async (expected, rom) => {
    await expect(Console.load(rom)).rejects.toEqual(code(expected));
  });

  it('atari_rom_unsupported for a bank scheme that is not emulated', async () => {
    const rom = new Uint8Array(8192).map((_, i) => i & 0x7f);
    rom.set([0x85, 0x3e, 0xa9, 0x00], 100);
    await expect(Console.load(rom)).rejects.toEqual(code('atari_rom_unsupported'));
  });

  it('atari_properties_invalid', async () => {
    for (const properties of [{ ystart: -1 }, { height: 1e9 }, { format: 'SECAM' }, { controller_left: 3 }]) {
      await expect(Console.load(image('tia-2'), { properties })).rejects.toEqual(
        code('atari_properties_invalid'),
      );
    }
  });

  it('atari_sticky_out_of_range', async () => {
    await expect(Console.load(image('tia-2'), { sticky: 1.5 })).rejects.toEqual(
      code('atari_sticky_out_of_range'),
    );
  });

  it('atari_mode_unreachable: a cartridge whose mode byte never becomes 0', async () => {
    await expect(Console.load(image('tia-2'), { game: { ...pong, ...stuckMode } })).rejects.toEqual(
      code('atari_mode_unreachable'),
    );
  });

  it('an action, a frame count or a seed out of range leaves the running episode untouched', async () => {
    const console = await Console.load(image('cpu-1'));
    console.step(2, 3);
    const before = console.snapshot();
    for (const action of [-1, 18, 40, 1.5, Number.NaN]) {
      expect(() => console.step(action)).toThrow(code('atari_action_out_of_range'));
    }
    for (const frames of [0, -1, 2.5, 2 ** 32 + 1, Number.POSITIVE_INFINITY]) {
      expect(() => console.step(0, frames)).toThrow(code('atari_frames_out_of_range'));
    }
    for (const seed of [-1, 2 ** 32, 0.5]) {
      expect(() => console.reset(seed)).toThrow(code('atari_seed_out_of_range'));
    }
    expect(sha(console.snapshot())).toBe(sha(before));
  });

  it('a snapshot of another ROM or version, or a cut one, leaves the running episode untouched', async () => {
    const console = await Console.load(image('cpu-1'));
    const other = await Console.load(image('cpu-2'));
    const before = console.snapshot();
    expect(() => console.restore(other.snapshot())).toThrow(code('atari_snapshot_rom'));
    expect(() => console.restore(before.with(4, 99))).toThrow(code('atari_snapshot_version'));
    for (const bytes of [
      before.subarray(0, 1000),
      before.subarray(0, 8),
      before.subarray(1),
      before.with(0, 0),
      new Uint8Array(),
      new Uint8Array([...before, 0]),
    ]) {
      expect(() => console.restore(bytes)).toThrow(code('atari_snapshot_invalid'));
    }
    expect(sha(console.snapshot())).toBe(sha(before));
  });

  it('a snapshot with one bit turned is refused, wherever the bit is', async () => {
    const console = await Console.load(image('bank-f6sc'));
    console.step(4, 5);
    const before = console.snapshot();
    for (let at = 24; at < before.length; at += 97) {
      const damaged = before.with(at, (before[at] ?? 0) ^ (1 << (at & 7)));
      expect(() => console.restore(damaged)).toThrow(code('atari_snapshot_invalid'));
    }
    expect(sha(console.snapshot())).toBe(sha(before));
  });
});

/** Asks for a byte of RAM that the cartridge never clears. */
const stuckMode: Pick<Game, 'selectMode'> = {
  selectMode: (console) => pong.selectMode({ ram: new Uint8Array(128).fill(1), hold: console.hold }),
};

describe('state', () => {
  // Deterministic choice of frames and actions for the tests below; not a source of expectations.
  const action = (frame: number) => (frame * 7 + (frame >> 3)) % 18;

  it.each(['tia-1', 'tia-3', 'overrun', 'bank-f6sc', 'bank-e0', 'bank-dpc', 'bank-fe', 'cpu-2'])(
    '%s: saving and restoring at random frames changes nothing',
    async (name) => {
      const rom = image(name);
      const straight = await Console.load(rom, { sticky: 0.25 });
      straight.reset(7);
      const reference: string[] = [];
      for (let frame = 0; frame < 200; frame += 1) {
        straight.step(action(frame));
        reference.push(sha(straight.ram) + sha(straight.picture));
      }
      const broken = await Console.load(rom, { sticky: 0.25 });
      broken.reset(7);
      for (let frame = 0; frame < 200; frame += 1) {
        if (frame % 13 === 5) {
          const saved = broken.snapshot();
          broken.step(action(frame + 1), 3);
          broken.reset(99);
          broken.restore(saved);
          expect(sha(broken.snapshot())).toBe(sha(saved));
        }
        broken.step(action(frame));
        expect(sha(broken.ram) + sha(broken.picture)).toBe(reference[frame]);
      }
    },
  );

  it('a clone goes its own way', async () => {
    const console = await Console.load(image('bank-f6sc'));
    console.step(3, 50);
    const twin = await console.clone();
    expect(sha(twin.snapshot())).toBe(sha(console.snapshot()));
    twin.step(0, 5);
    expect(sha(twin.snapshot())).not.toBe(sha(console.snapshot()));
    console.step(0, 5);
    expect(sha(twin.snapshot())).toBe(sha(console.snapshot()));
  });

  it('going back gives the bytes that were there', async () => {
    const console = await Console.load(image('tia-2'), { sticky: 0.25 });
    console.reset(3);
    const rewind = new Rewind(console, 1, 8);
    const past = [sha(console.snapshot())];
    for (let frame = 0; frame < 61; frame += 1) {
      rewind.step(action(frame));
      past.push(sha(console.snapshot()));
    }
    for (const back of [1, 7, 8, 20]) {
      expect(rewind.back(back)).toBe(back);
      past.length -= back;
      expect(sha(console.snapshot())).toBe(past.at(-1));
    }
    const all = rewind.length;
    expect(rewind.back(1000)).toBe(all);
    expect(rewind.back()).toBe(0);
  });

  it('many frames in one call are the same frames', async () => {
    const a = await Console.load(image('tia-3'), { sticky: 0.5 });
    const b = await Console.load(image('tia-3'), { sticky: 0.5 });
    a.reset(11);
    b.reset(11);
    a.step(5, 40);
    for (let i = 0; i < 40; i += 1) b.step(5);
    expect(sha(a.snapshot())).toBe(sha(b.snapshot()));
    expect(a.frameNumber).toBe(40);
  });

  it('the frame digest is that of RAM and of the RGB picture', async () => {
    const console = await Console.load(image('tia-2'));
    console.step(1, 3);
    const ram = createHash('sha256').update(console.ram).digest('hex');
    const rgb = createHash('sha256').update(console.rgb()).digest('hex');
    const pending = frameDigest(console);
    console.step(2, 30);
    expect(await pending).toEqual({ ram, rgb });
  });
});

function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
