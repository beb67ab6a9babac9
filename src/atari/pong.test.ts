import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fixture, ownedRom } from '../../fixtures/atari/read';
import { Console } from './console';
import { pong } from './games/pong';

const rom = ownedRom('pong');
let checked = 0;
let skipped = 0;

/** A test of a trace that needs a ROM; it counts itself so that the suite can say what was not looked at. */
function traceTest(name: string, check: (rom: Uint8Array) => Promise<void>): void {
  if (rom === null) {
    skipped += 1;
    it.skip(name);
    return;
  }
  it(name, async () => {
    await check(rom);
    checked += 1;
  });
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('Pong against the reference', () => {
  traceTest('start: RAM and picture after loading and after a reset', async (image) => {
    const { stages } = fixture<{
      stages: { ram_hex: string; rgb_sha256: string; indexed_screen_sha256: string }[];
    }>('pong-boot.json');
    const console = await Console.load(image, { game: pong });
    for (const stage of stages) {
      expect(hex(console.ram)).toBe(stage.ram_hex);
      expect(digest(console.rgb())).toBe(stage.rgb_sha256);
      expect(digest(console.picture)).toBe(stage.indexed_screen_sha256);
      console.environmentReset();
    }
  });

  for (const script of ['noop', 'sweep', 'fire-mix', 'xorshift']) {
    traceTest(`script ${script}`, async (image) => {
      const trace = fixture<{
        frames: number;
        actions_gym_index_per_frame: string;
        rewards_by_frame: Record<string, number>;
        ram_sha256_16: string[];
        rgb_sha256_16: string[];
        game_over: boolean;
      }>(`pong-script-${script}.json`);
      const console = await Console.load(image, { game: pong });
      console.environmentReset();
      expect(trace.ram_sha256_16).toHaveLength(trace.frames);
      for (let frame = 0; frame < trace.frames; frame += 1) {
        const action = pong.actions[Number(trace.actions_gym_index_per_frame[frame])] ?? 0;
        const { reward } = console.step(action);
        expect(reward).toBe(trace.rewards_by_frame[frame + 1] ?? 0);
        expect(digest(console.ram).slice(0, 16)).toBe(trace.ram_sha256_16[frame]);
        expect(digest(console.rgb()).slice(0, 16)).toBe(trace.rgb_sha256_16[frame]);
      }
      expect(console.terminated).toBe(trace.game_over);
    });
  }

  for (const seed of [36, 37, 46, 47]) {
    traceTest(`sticky actions, protocol seed ${seed}`, async (image) => {
      const file = fixture<{
        ale_seed_uint32: number;
        reset_noops: number;
        sticky: number;
        arms: Record<
          string,
          {
            requested_action_per_decision: string;
            applied_action_per_frame_including_reset_noops: string;
            rewards_by_raw_frame: Record<string, number>;
            ram_sha256_16: string[];
            rgb_sha256_16: string[];
          }
        >;
      }>(`pong-seed-${seed}.json`);
      const console = await Console.load(image, { game: pong, sticky: file.sticky });
      for (const arm of Object.values(file.arms)) {
        console.reset(file.ale_seed_uint32);
        const applied: number[] = [];
        const act = (action: number) => {
          const result = console.step(pong.actions[action] ?? 0);
          applied.push(pong.actions.indexOf(result.appliedAction));
          return result.reward;
        };
        for (let i = 0; i < file.reset_noops; i += 1) act(0);
        for (const [frame, expected] of arm.ram_sha256_16.entries()) {
          const reward = act(Number(arm.requested_action_per_decision[Math.floor(frame / 4)]));
          expect(reward).toBe(arm.rewards_by_raw_frame[file.reset_noops + frame + 1] ?? 0);
          expect(digest(console.ram).slice(0, 16)).toBe(expected);
          expect(digest(console.rgb()).slice(0, 16)).toBe(arm.rgb_sha256_16[frame]);
        }
        expect(applied.join('')).toBe(arm.applied_action_per_frame_including_reset_noops);
      }
    });
  }

  it('says how many traces were checked', () => {
    const hint = skipped > 0 ? ' (set PIXELPROOF_ROM_DIR to a folder with pong.bin)' : '';
    process.stderr.write(`Atari ROM traces: ${checked} checked, ${skipped} skipped${hint}.\n`);
    expect(checked + skipped).toBe(9);
  });
});
