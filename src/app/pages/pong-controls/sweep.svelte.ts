import type { WorkerError } from '../../../../workers/api';
import type { SweepEpisode, SweepSummary } from '../../../experiments/pong-controls/sweep';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { pong, pongPlayer } from '../../workers';

/** More players than this wait for each other. */
const MOST_PLAYERS = 8;
const TICK_MS = 150;

/** A sweep of coded rules over many seeds, in parallel workers. Of an episode three numbers stay. */
class SweepRun {
  running = $state(false);
  done = $state(0);
  total = $state(0);
  leftMs: number | null = $state(null);
  leftOut = $state(0);
  summary: SweepSummary | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  cancelled = $state(false);
  #stop = false;

  cancel(): void {
    this.#stop = true;
  }

  async start(
    text: string,
    names: readonly string[],
    frames: number,
    rom: Uint8Array<ArrayBuffer> | null,
  ): Promise<void> {
    this.running = true;
    this.cancelled = false;
    this.#stop = false;
    this.failure = null;
    this.summary = null;
    this.done = 0;
    this.total = 0;
    this.leftMs = null;
    const players: ReturnType<typeof pongPlayer>[] = [];
    try {
      const { seeds, arms, left_out } = await pong().sweepPlan(text, names);
      this.leftOut = left_out;
      this.total = seeds.length * arms.length;
      const played: SweepEpisode[] = [];
      const began = performance.now();
      let next = 0;
      let told = 0;
      const many = Math.max(
        1,
        Math.min(MOST_PLAYERS, (navigator.hardwareConcurrency || 2) - 1, seeds.length),
      );
      const work = async (): Promise<void> => {
        const player = pongPlayer();
        players.push(player);
        if (rom !== null) await player.api.insert(rom);
        for (;;) {
          const seed = seeds[next];
          next += 1;
          if (seed === undefined || this.#stop) return;
          played.push(...(await player.api.sweep(seed, arms, frames)));
          const now = performance.now();
          if (now - told < TICK_MS) continue;
          told = now;
          this.done = played.length;
          this.leftMs =
            played.length < 4 ? null : ((now - began) / played.length) * (this.total - played.length);
          announcer.progress = `${this.done}/${this.total}`;
          announcer.sayNowAndThen(`${this.done} of ${this.total} episodes`);
        }
      };
      await Promise.all(Array.from({ length: many }, work));
      this.done = played.length;
      this.cancelled = this.#stop && played.length < this.total;
      const whole = new Set(
        seeds.filter((seed) => played.filter((one) => one.seed === seed).length === arms.length),
      );
      if (whole.size > 0) {
        const kept = played.filter(({ seed }) => whole.has(seed));
        this.summary = await (rom === null ? pong() : (players[0]?.api ?? pong())).sweepSummary(
          [...whole],
          arms,
          kept,
          frames,
        );
      }
      announcer.say(
        this.cancelled ? `Sweep cancelled after ${this.done} of ${this.total}.` : 'Sweep finished.',
      );
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      for (const player of players) player.end();
      this.running = false;
      announcer.progress = '';
    }
  }
}

export const sweep = new SweepRun();
