import { boxesFromRam } from '../../../src/experiments/pong-controls/boxes';
import { environmentSeed, resetNoops } from '../../../src/experiments/pong-controls/environment';
import type { PongMachine } from '../../../src/experiments/pong-controls/machine';
import { ACTIONS, HOLD_FRAMES } from '../../../src/experiments/pong-controls/protocol';
import { RULE_4PX, ruleAction } from '../../../src/experiments/pong-controls/rule';
import { SeedSequence } from '../../../src/numeric/seed-sequence';
import type { BranchRequest, BranchView, PongPicture } from '../../pong-api';
import type { EpisodeFile } from './episode-file';
import { pictureOf } from './pictures';

/** Decisions between two kept states: a jump runs at most this many again. */
const KEEP_EVERY = 25;

const codeOf = (action: number): number => ACTIONS.find(({ id }) => id === action)?.code ?? 0;

/** One way from a decision on: the state after each frame is run again when it is looked at. */
interface Way {
  readonly actions: readonly number[];
  readonly rewards: readonly number[];
}

/** Shows an episode by executing its recorded actions again. Asks nobody. */
export class EpisodePlayer {
  readonly #machine: PongMachine;
  readonly #file: EpisodeFile;
  readonly #kept = new Map<number, Uint8Array<ArrayBuffer>>();
  #at = -1;
  #branch: {
    readonly request: BranchRequest;
    readonly from: Uint8Array;
    readonly ways: readonly Way[];
  } | null = null;

  constructor(machine: PongMachine, file: EpisodeFile) {
    this.#machine = machine;
    this.#file = file;
  }

  /** The picture that a decision was made from; `decisions` itself is the last picture. */
  picture(decision: number): PongPicture {
    this.#go(decision);
    return pictureOf(this.#machine, {
      seed: this.#file.seed,
      arm: this.#file.arm,
      decision,
      rawFrame: this.#rawFrame(decision),
    });
  }

  #rawFrame(decision: number): number {
    return this.#file.holds.slice(0, decision).reduce((sum, hold) => sum + hold, resetNoops(this.#file.seed));
  }

  #go(decision: number): void {
    const from = [...this.#kept.keys()].filter((at) => at <= decision).reduce((a, b) => Math.max(a, b), -1);
    if (this.#at === -1 || this.#at > decision || from > this.#at) {
      const state = this.#kept.get(from);
      if (state === undefined) this.#start();
      else {
        this.#machine.restore(state);
        this.#at = from;
      }
    }
    while (this.#at < decision) {
      for (let i = 0; i < (this.#file.holds[this.#at] ?? HOLD_FRAMES); i += 1)
        this.#machine.step(codeOf(this.#file.actions[this.#at] ?? 0));
      this.#at += 1;
      this.#keep();
    }
  }

  #start(): void {
    this.#machine.reset(environmentSeed(new SeedSequence(this.#file.seed).words(2)));
    for (let i = 0; i < resetNoops(this.#file.seed); i += 1) this.#machine.step(0);
    this.#at = 0;
    this.#keep();
  }

  #keep(): void {
    if (this.#at % KEEP_EVERY === 0 && !this.#kept.has(this.#at))
      this.#kept.set(this.#at, this.#machine.snapshot());
  }

  /** From a decision's state, the recorded way and another one. The state is a snapshot: sticky draws go on from it. */
  explore(request: BranchRequest): BranchView {
    this.#go(request.decision);
    const from = this.#machine.snapshot();
    const recorded = this.#run(from, request, (decision) => this.#file.actions[decision] ?? 0);
    const other = this.#run(from, request, (decision) => {
      if (decision === request.decision || request.then === 'same') return request.action;
      if (request.then === 'rule-4px') return ruleAction(RULE_4PX, boxesFromRam(this.#machine.ram));
      return this.#file.actions[decision] ?? 0;
    });
    this.#at = -1;
    this.#branch = { request, from, ways: [recorded.way, other.way] };
    const parts = recorded.rams.findIndex((ram, i) => ram !== other.rams[i]);
    return {
      frames: request.frames,
      recorded: points(recorded.way),
      other: points(other.way),
      parts: parts === -1 ? null : parts + 1,
    };
  }

  #run(from: Uint8Array, { decision, frames }: BranchRequest, choose: (decision: number) => number) {
    this.#machine.restore(from);
    const [actions, rewards, rams]: [number[], number[], string[]] = [[], [], []];
    for (let frame = 0; frame < frames; frame += 1) {
      const action =
        frame % HOLD_FRAMES === 0 ? choose(decision + frame / HOLD_FRAMES) : (actions.at(-1) ?? 0);
      const { reward } = this.#machine.step(codeOf(action));
      actions.push(action);
      rewards.push(reward);
      rams.push(this.#machine.ram.join());
    }
    return { way: { actions, rewards }, rams };
  }

  branchPictures(frame: number): { recorded: PongPicture; other: PongPicture } | null {
    const branch = this.#branch;
    if (branch === null) return null;
    const after = (way: Way | undefined): PongPicture => {
      this.#machine.restore(branch.from);
      for (const action of way?.actions.slice(0, frame) ?? []) this.#machine.step(codeOf(action));
      return pictureOf(this.#machine, {
        seed: this.#file.seed,
        arm: this.#file.arm,
        decision: branch.request.decision,
        rawFrame: this.#rawFrame(branch.request.decision) + frame,
      });
    };
    const [recorded, other] = branch.ways;
    const pictures = { recorded: after(recorded), other: after(other) };
    this.#at = -1;
    return pictures;
  }
}

function points({ rewards }: Way) {
  return {
    scored: rewards.filter((reward) => reward > 0).length,
    lost: rewards.filter((reward) => reward < 0).length,
  };
}
