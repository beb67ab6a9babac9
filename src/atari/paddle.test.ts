import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paddleRom, paddleSource, paddleTrace } from '../../fixtures/cartridge/read';
import { assemble } from '../../scripts/assembler/assembler.mjs';
import { readCartridge } from './cartridge';
import { Console } from './console';
import { pong } from './games/pong';
import { machineWith } from './testing/machine';
import { compareTrace } from './trace';
import { readTrace } from './trace-form';

const RULES = [
  ['noop', 3993],
  ['random', 2000],
  ['tracker', 7224],
] as const;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ACTION = { noop: 0, fire: 1, up: 2, right: 3, left: 4, down: 5, rightFire: 11 };
const game = () => Console.load(paddleRom, { game: pong });

/** The contract's bytes, as objects on the screen. */
function objects({ ram }: Console) {
  const byte = (n: number) => ram[n] ?? 0;
  return {
    cpuScore: byte(13),
    playerScore: byte(14),
    mode: byte(22),
    opponent: [16, byte(50) - 15, 4, 15],
    player: [140, byte(51) - 13, 4, 15],
    ball: byte(54) === 0 ? null : [byte(49) - 49, byte(54) - 14, 2, 4],
  };
}

/** The smallest box around the pixels of a colour register's value within the field, null when there are none. */
function box({ picture }: Console, colour: number): number[] | null {
  let [left, top, right, bottom] = [160, 210, -1, -1];
  for (let y = 34; y < 194; y += 1) {
    for (let x = 0; x < 160; x += 1) {
      if (picture[y * 160 + x] !== colour) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? null : [left, top, right - left + 1, bottom - top + 1];
}

describe('Paddle, the cartridge', () => {
  it('is what its source assembles to', () => {
    const { bytes, start } = assemble(paddleSource);
    expect(start).toBe(0xf000);
    expect(hex(bytes)).toBe(hex(paddleRom));
  });

  it('keeps the contract bytes under the names of its source', () => {
    const { names } = assemble(paddleSource);
    const at = ['cpuScore', 'playerScore', 'mode', 'ballX', 'opponentY', 'playerY', 'ballY'].map(
      (name) => (names.get(name) ?? 0) - 0x80,
    );
    expect(at).toEqual([13, 14, 22, 49, 50, 51, 54]);
  });

  it('is known by its MD5', () => {
    const { md5, scheme, known } = readCartridge(paddleRom);
    expect(md5).toBe(paddleTrace('noop').rom_md5);
    expect(scheme).toBe('4K');
    expect(known).toEqual({ name: 'paddle', rules: 'pong', minimalActions: pong.actions, properties: {} });
  });
});

describe('Paddle against the reference', () => {
  it.each(RULES)('%s: RAM and picture equal on all %i frames', async (rule, frames) => {
    expect(await compareTrace(paddleRom, readTrace(paddleTrace(rule)))).toEqual({
      frames,
      ram_equal: frames,
      rgb_equal: frames,
      first_difference: null,
    });
  });

  it.each(RULES)('%s: start, rewards and end by the rules of Pong', async (rule) => {
    const trace = paddleTrace(rule);
    const console = await game();
    expect(hex(console.ram)).toBe(trace.start_ram_hex);
    expect(createHash('sha256').update(console.rgb()).digest('hex')).toBe(trace.start_rgb_sha256);
    expect(trace.actions.map((action) => console.step(action).reward)).toEqual(trace.rewards);
    expect(console.terminated).toBe(trace.game_over);
    expect(hex(console.ram)).toBe(trace.end_ram_hex);
  });
});

describe('Paddle, the game', () => {
  it('can be won and lost, to 21', async () => {
    const lost = await game();
    for (const action of paddleTrace('noop').actions) lost.step(action);
    expect(objects(lost)).toMatchObject({ cpuScore: 21, playerScore: 5 });
    const won = await game();
    for (const action of paddleTrace('tracker').actions) won.step(action);
    expect(objects(won)).toMatchObject({ cpuScore: 12, playerScore: 21 });
    expect([lost.terminated, won.terminated]).toEqual([true, true]);
  });

  it('shows paddles and ball where RAM says, within the field, on every frame', async () => {
    const console = await game();
    for (const action of paddleTrace('random').actions) {
      console.step(action);
      const { opponent, player, ball, mode } = objects(console);
      expect(mode).toBe(0);
      expect([box(console, 0x38), box(console, 0xc8), box(console, 0x0e)]).toEqual([opponent, player, ball]);
    }
  });

  it('holds still for the 30 frames in which an episode may begin', async () => {
    const console = await game();
    console.step(ACTION.noop, 30);
    expect(objects(console)).toMatchObject({ cpuScore: 0, playerScore: 0, ball: null });
  });

  it('serves by itself, and at once when the button is pressed', async () => {
    const framesToBall = async (action: number) => {
      const console = await game();
      for (let frame = 1; ; frame += 1) {
        console.step(action);
        if (objects(console).ball !== null) return frame;
      }
    };
    expect(await framesToBall(ACTION.noop)).toBe(50);
    expect(await framesToBall(ACTION.fire)).toBe(11);
    expect(await framesToBall(ACTION.rightFire)).toBe(11);
  });

  it('raises the paddle by RIGHT and UP, lowers it by LEFT and DOWN, and stops at the bars', async () => {
    for (const [action, step, end] of [
      [ACTION.right, -2, 34],
      [ACTION.up, -2, 34],
      [ACTION.left, 2, 179],
      [ACTION.down, 2, 179],
    ] as const) {
      const console = await game();
      const top = () => objects(console).player[1] ?? 0;
      const before = top();
      console.step(action);
      expect(top()).toBe(before + step);
      console.step(action, 60);
      expect(top()).toBe(end);
    }
  });

  it('draws frames of 262 lines, wherever the ball is', async () => {
    const { calls } = await machineWith(paddleRom, '4K');
    // The first frame after power-on is short.
    calls.run_frames(ACTION.noop, 2);
    for (const action of paddleTrace('random').actions) {
      calls.run_frames(action, 1);
      expect([calls.unfinished(), calls.lines()]).toEqual([0, 262]);
    }
  });

  it('begins anew by RESET', async () => {
    const console = await game();
    console.step(ACTION.noop, 700);
    expect(objects(console).cpuScore).toBeGreaterThan(0);
    console.hold('reset', 1);
    expect(objects(console)).toMatchObject({ cpuScore: 0, playerScore: 0, ball: null });
    expect(console.format).toBe('NTSC');
  });

  it('plays differently for different seeds once actions are sticky', async () => {
    const run = async (seed: number) => {
      const console = await Console.load(paddleRom, { game: pong, sticky: 0.25 });
      console.reset(seed);
      for (const action of paddleTrace('random').actions.slice(0, 300)) console.step(action);
      return hex(console.ram);
    };
    expect(await run(1)).toBe(await run(1));
    expect(await run(1)).not.toBe(await run(2));
  });
});
