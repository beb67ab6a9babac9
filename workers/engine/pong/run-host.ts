import type { CaseKey, Plan } from '../../../src/evidence/run';
import type { RunStore } from '../../../src/evidence/store/store';
import { bareHost, exchangeOfLine, type PongHost } from '../../../src/experiments/pong-controls';
import { planEpisodes } from '../../../src/experiments/pong-controls/run-plan';
import { keepLeft, resumedDecisions } from '../../../src/lab/pong-journal';
import type { Provider } from '../../../src/providers/provider';
import type { PongPicture, PongPoint } from '../../pong-api';
import { pictureOf } from './pictures';

/** Pictures a second that somebody who looks is sent. */
const PICTURE_MS = 66;

/** What one session of a run tells whoever looks. */
export class Watch {
  points: PongPoint[] = [];
  decision = 0;
  #onPicture: ((picture: PongPicture) => unknown) | null = null;
  #sent = 0;
  #score = { seed: -1, arm: '', scored: 0, lost: 0 };

  look(onPicture: ((picture: PongPicture) => unknown) | null): void {
    this.#onPicture = onPicture;
  }

  readonly onFrame: NonNullable<PongHost['onFrame']> = (at, machine, { rawFrame }) => {
    if (this.#onPicture === null) return;
    const now = performance.now();
    if (now - this.#sent < PICTURE_MS) return;
    this.#sent = now;
    this.#onPicture(pictureOf(machine, { ...at, decision: this.decision, rawFrame }));
  };

  note(
    at: { readonly seed: number; readonly arm: string },
    decision: number,
    rewards: readonly number[],
    calls: number,
  ) {
    if (this.#score.seed !== at.seed || this.#score.arm !== at.arm)
      this.#score = { ...at, scored: 0, lost: 0 };
    this.decision = decision;
    for (const reward of rewards) {
      if (reward > 0) this.#score.scored += 1;
      if (reward < 0) this.#score.lost += 1;
    }
    const played = rewards.some((reward) => reward !== 0);
    const last = this.points.at(-1);
    const { scored, lost } = this.#score;
    const point = { ...at, decision: decision + 1, scored, lost, calls };
    // Between points only the newest place of an episode matters.
    const follows =
      last !== undefined &&
      last.seed === at.seed &&
      last.arm === at.arm &&
      last.scored === scored &&
      last.lost === lost;
    if (!played && follows) this.points[this.points.length - 1] = point;
    else this.points.push(point);
  }

  take(): PongPoint[] {
    return this.points.splice(0);
  }
}

export interface RunHostOptions {
  readonly store: RunStore;
  readonly run: string;
  readonly plan: Plan;
  readonly provider: Provider | null;
  readonly rom: (sha256: string) => Promise<Uint8Array | null>;
  readonly signal: AbortSignal;
  readonly watch: Watch;
  readonly onStep: () => void;
}

/** The surroundings of one session of a run: attempts go into the journal, and come out of it after a crash. */
export function runHost(options: RunHostOptions): PongHost {
  const { store, run, plan, provider, watch } = options;
  const positions = new Map([...planEpisodes(plan)].map((key, at) => [`${key.arm} ${key.ordinal}`, at]));
  const positionOf = (key: CaseKey): number => positions.get(`${key.arm} ${key.ordinal}`) ?? 0;
  let journalled = 0;
  let calls = 0;
  let [decision, attempt] = [-1, 0];
  return {
    ...bareHost,
    rom: options.rom,
    signal: options.signal,
    async provider(key) {
      if (provider === null) return null;
      const kept = await store.exchangesAt(run, positionOf(key));
      journalled = kept.length;
      [decision, attempt] = [-1, 0];
      return kept.length === 0
        ? provider
        : resumedDecisions(
            provider,
            kept.map(({ exchange }) => exchange),
          );
    },
    async callsBefore() {
      calls = 0;
      for await (const { detail } of store.eachCase(run)) calls += Number(detail.attempts ?? 0);
      return calls;
    },
    async attempt(key, at, line) {
      if (at !== decision) [decision, attempt] = [at, 0];
      attempt += 1;
      calls += 1;
      if (journalled > 0) {
        journalled -= 1;
        return;
      }
      const exchange = exchangeOfLine(line, attempt);
      const { arm, ordinal } = key;
      await store.journal(run, [{ key: { arm, ordinal }, position: positionOf(key), index: at, exchange }]);
    },
    left: (files, at) => keepLeft(store, run, files, at),
    onFrame: watch.onFrame,
    onDecision(at, note) {
      watch.note(at, note.decision, note.rewards, calls);
      options.onStep();
    },
  };
}
