import { sha256Hex } from '../../evidence/identity/sha256';
import { Console } from '../console';
import { createCore } from '../core';
import { FrameDigests } from '../frame-digests';
import { pong } from '../games/pong';
import { hexOf } from '../hex';

// Replays the reference's vectors (fixtures/atari) wherever this runs: Node's tests and a browser's worker use the same
// lines. Each gives what it looked at and the first difference in words, null when there is none.

export interface Replayed {
  readonly frames: number;
  readonly difference: string | null;
}

interface BootFile {
  readonly stages: readonly {
    readonly ram_hex: string;
    readonly rgb_sha256: string;
    readonly indexed_screen_sha256: string;
  }[];
}
interface ScriptFile {
  readonly frames: number;
  readonly actions_gym_index_per_frame: string;
  readonly rewards_by_frame: Readonly<Record<string, number>>;
  readonly ram_sha256_16: readonly string[];
  readonly rgb_sha256_16: readonly string[];
  readonly game_over: boolean;
}
interface SeedFile {
  readonly ale_seed_uint32: number;
  readonly reset_noops: number;
  readonly sticky: number;
  readonly arms: Readonly<
    Record<
      string,
      {
        readonly requested_action_per_decision: string;
        readonly applied_action_per_frame_including_reset_noops: string;
        readonly rewards_by_raw_frame: Readonly<Record<string, number>>;
        readonly ram_sha256_16: readonly string[];
        readonly rgb_sha256_16: readonly string[];
      }
    >
  >;
}
interface RandomFile {
  readonly mt19937: Readonly<
    Record<
      string,
      {
        readonly first_16: readonly number[];
        readonly index_623: number;
        readonly index_624: number;
        readonly index_1999: number;
      }
    >
  >;
  readonly sticky: Readonly<Record<string, { readonly player_a_first_400_frames: string }>>;
}

/** Collects comparisons and keeps the first that fails. */
class Comparison {
  frames = 0;
  difference: string | null = null;
  same(what: string, expected: unknown, got: unknown): void {
    if (expected !== got) this.difference ??= `${what}: expected ${expected}, got ${got}`;
  }
  get result(): Replayed {
    return { frames: this.frames, difference: this.difference };
  }
}

/** Compares digests with those of a file, which has the first 16 digits of each. */
function compared(
  console: Console,
  comparison: Comparison,
  file: { readonly ram_sha256_16: readonly string[]; readonly rgb_sha256_16: readonly string[] },
): FrameDigests {
  let frame = 0;
  return new FrameDigests(console, ({ ram, rgb }) => {
    comparison.same(`RAM of frame ${frame + 1}`, file.ram_sha256_16[frame], ram.slice(0, 16));
    comparison.same(`picture of frame ${frame + 1}`, file.rgb_sha256_16[frame], rgb.slice(0, 16));
    frame += 1;
    comparison.frames += 1;
  });
}

/** Pong after loading and after a second reset: `pong-boot.json`. */
export async function replayBoot(rom: Uint8Array, { stages }: BootFile): Promise<Replayed> {
  const comparison = new Comparison();
  const console = await Console.load(rom, { game: pong });
  for (const [index, stage] of stages.entries()) {
    comparison.same(`RAM of stage ${index}`, stage.ram_hex, hexOf(console.ram));
    comparison.same(`RGB picture of stage ${index}`, stage.rgb_sha256, sha256Hex(console.rgb()));
    comparison.same(`picture of stage ${index}`, stage.indexed_screen_sha256, sha256Hex(console.picture));
    comparison.frames += 1;
    console.environmentReset();
  }
  return comparison.result;
}

/** Pong under fixed actions: `pong-script-*.json`. */
export async function replayScript(rom: Uint8Array, file: ScriptFile): Promise<Replayed> {
  const comparison = new Comparison();
  const console = await Console.load(rom, { game: pong });
  console.environmentReset();
  const digests = compared(console, comparison, file);
  for (let frame = 0; frame < file.frames; frame += 1) {
    const { reward } = console.step(pong.actions[Number(file.actions_gym_index_per_frame[frame])] ?? 0);
    comparison.same(`reward of frame ${frame + 1}`, file.rewards_by_frame[frame + 1] ?? 0, reward);
    digests.add();
  }
  digests.flush();
  comparison.same('end of the game', file.game_over, console.terminated);
  return comparison.result;
}

/** Pong with sticky actions, both arms of a protocol seed: `pong-seed-*.json`. */
export async function replaySeed(rom: Uint8Array, file: SeedFile): Promise<Replayed> {
  const comparison = new Comparison();
  const console = await Console.load(rom, { game: pong, sticky: file.sticky });
  for (const arm of Object.values(file.arms)) {
    console.reset(file.ale_seed_uint32);
    let applied = '';
    const act = (action: number): number => {
      const result = console.step(pong.actions[action] ?? 0);
      applied += pong.actions.indexOf(result.appliedAction);
      return result.reward;
    };
    for (let i = 0; i < file.reset_noops; i += 1) act(0);
    const digests = compared(console, comparison, arm);
    for (let frame = 0; frame < arm.ram_sha256_16.length; frame += 1) {
      const reward = act(Number(arm.requested_action_per_decision[Math.floor(frame / 4)]));
      const expected = arm.rewards_by_raw_frame[file.reset_noops + frame + 1] ?? 0;
      comparison.same(`reward of frame ${frame + 1}`, expected, reward);
      digests.add();
    }
    digests.flush();
    comparison.same('applied actions', arm.applied_action_per_frame_including_reset_noops, applied);
  }
  return comparison.result;
}

/** Words of the Mersenne Twister, and which frames a sticky draw repeats: `rng-vectors.json`. Any image will do. */
export async function replayRandom(rom: Uint8Array, file: RandomFile): Promise<Replayed> {
  const comparison = new Comparison();
  const { calls } = await createCore();
  for (const [seed, vector] of Object.entries(file.mt19937)) {
    calls.seed(Number(seed));
    const words = Array.from({ length: 2000 }, () => calls.random_word() >>> 0);
    comparison.same(`first words of ${seed}`, vector.first_16.join(), words.slice(0, 16).join());
    for (const [index, word] of [
      [623, vector.index_623],
      [624, vector.index_624],
      [1999, vector.index_1999],
    ] as const) {
      comparison.same(`word ${index} of ${seed}`, word, words[index]);
    }
    comparison.frames += 1;
  }
  for (const [seed, { player_a_first_400_frames: decisions }] of Object.entries(file.sticky)) {
    const console = await Console.load(rom, { sticky: 0.25 });
    console.seed(Number(seed));
    let told = '';
    let before = 0;
    for (let frame = 0; frame < decisions.length; frame += 1) {
      // Never what was applied before, so that the answer shows the decision.
      const asked = before === 1 ? 2 : 1;
      const { appliedAction } = console.step(asked);
      told += appliedAction === asked ? '.' : 'R';
      before = appliedAction;
    }
    comparison.same(`sticky decisions of ${seed}`, decisions, told);
    comparison.frames += 1;
  }
  return comparison.result;
}
