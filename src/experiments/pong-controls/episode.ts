import { PixelproofError } from '../../errors';
import { type PyObject, pyFloat, pythonLineUnsorted } from '../../evidence/identity/python-json';
import { encodePng } from '../../pixels/png-encode';
import { type Frame, PongEnvironment } from './environment';
import { EpisodeCounts } from './evaluation';
import { jsonDocument } from './json';
import { frameHead, frameTail, transitionHead, transitionTail } from './lines';
import type { PongMachine, Sha256 } from './machine';
import { seenIn } from './observation';
import type { Policy } from './policy';
import { programJson } from './programs';
import { FRAMES_PER_SECOND, HEIGHT, HOLD_FRAMES, VIDEO_CLOCK, WIDTH } from './protocol';
import type { RunFiles } from './tree';

export interface EpisodeOptions {
  readonly machine: PongMachine;
  readonly sha256: Sha256;
  readonly policy: Policy;
  readonly seed: number;
  readonly split: string;
  readonly protocol: PyObject;
  readonly maxDecisions: number;
  /** Where the episode's files go, `frames.jsonl` and so on below it. */
  readonly files: RunFiles;
  /** Seconds from any start, monotonic. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** After each frame, while the machine shows it. */
  readonly onFrame?: (machine: PongMachine, frame: Frame) => void;
  /** After each decision. */
  readonly onDecision?: (decision: DecisionNote) => void;
}

/** What a watcher is told of a decision. */
export interface DecisionNote {
  readonly decision: number;
  readonly action: number;
  readonly observation: PyObject;
  readonly prediction: PyObject;
  readonly rewards: readonly number[];
}

export interface EpisodeResult {
  readonly summary: PyObject;
  readonly ledger: readonly PyObject[];
  readonly counts: EpisodeCounts;
  /** What ended an incomplete episode, null for a complete one. */
  readonly error: unknown;
}

/** Decisions after which the event loop gets a turn, so that a cancel is heard. */
const TURN = 25;

export function manifestJson(
  policy: Pick<Policy, 'name' | 'program'>,
  {
    protocol,
    seed,
    split,
    maxDecisions,
  }: Pick<EpisodeOptions, 'protocol' | 'seed' | 'split' | 'maxDecisions'>,
): PyObject {
  return {
    kind: 'pong-play-v1',
    protocol,
    seed,
    split,
    policy: policy.name,
    max_decisions: maxDecisions,
    point_limit: null,
    video_clock: VIDEO_CLOCK,
    ...(policy.program === null ? {} : { question_program: programJson(policy.program) }),
  };
}

/**
 * Plays one episode from power-on and writes its files as it goes: `manifest.json` first, a line of `frames.jsonl` for
 * each controlled frame and of `transitions.jsonl` for each decision, `summary.json` and `last-frame.png` at the end.
 * A failure of the policy or a cancel ends it as incomplete; the files then say how far it came. Never throws for these.
 */
export async function playEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const { policy, files, clock } = options;
  const ledger: PyObject[] = [];
  const started = clock();
  await files.document('manifest.json', jsonDocument(manifestJson(policy, options)));
  const tally = new Tally();
  let error: unknown = null;
  try {
    await play(options, tally, ledger);
  } catch (thrown) {
    error = thrown;
  }
  const summary = tally.summary(policy, error, clock() - started, ledger.length);
  if (policy.program !== null) await files.document('api-ledger.json', jsonDocument(ledger));
  if (tally.frames > 0) {
    const data = options.machine.rgb().slice();
    await files.bytes('last-frame.png', encodePng({ width: WIDTH, height: HEIGHT, data }));
  }
  await files.document('summary.json', jsonDocument(summary));
  return { summary, ledger, counts: tally.counts, error };
}

async function play(options: EpisodeOptions, tally: Tally, ledger: PyObject[]): Promise<void> {
  const { machine, sha256, policy, files, signal, onFrame } = options;
  const environment = new PongEnvironment(machine);
  const start = environment.reset(options.seed);
  tally.resetFrames = start.resetFrames;
  const log = { ledger, exchange: (line: string) => files.append('model-exchanges.jsonl', line) };
  let observation = start.observation.json;
  let text = pythonLineUnsorted(observation);
  for (let decision = 0; decision < options.maxDecisions; decision += 1) {
    if (decision % TURN === 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    const choice = await policy.choose(observation, log, signal);
    const frames: Promise<string>[] = [];
    const step = environment.step(choice.action, HOLD_FRAMES, (frame) => {
      frames.push(frameLine(machine, sha256, decision, choice.action, frame));
      onFrame?.(machine, frame);
    });
    await files.append('frames.jsonl', (await Promise.all(frames)).join(''));
    const limit = decision + 1 === options.maxDecisions;
    const truncated = step.truncated || (limit && !step.terminated);
    const next = pythonLineUnsorted(step.observation.json);
    await files.append(
      'transitions.jsonl',
      `${transitionHead(decision, text, choice.action)}${pythonLineUnsorted(choice.prediction)}` +
        `${transitionTail(step.rewards, next, step.terminated, truncated)}\n`,
    );
    tally.add(step.rewards);
    tally.counts.add(seenIn(observation), choice.action, choice.prediction, step.rewards);
    options.onDecision?.({
      decision,
      action: choice.action,
      observation,
      prediction: choice.prediction,
      rewards: step.rewards,
    });
    if (step.terminated || step.truncated) {
      tally.end(step.terminated ? 'native_termination' : 'environment_truncation');
      return;
    }
    observation = step.observation.json;
    text = next;
  }
  tally.end('decision_limit');
}

/** The line of `frames.jsonl` for the frame that the machine shows now. The machine may go on before it resolves. */
export async function frameLine(
  machine: PongMachine,
  sha256: Sha256,
  decision: number,
  action: number,
  frame: Frame,
): Promise<string> {
  const head = frameHead(decision, frame.rawFrame, action, machine.ram);
  return `${head}${await sha256(machine.rgb())}${frameTail(frame)}\n`;
}

type EndReason = 'native_termination' | 'environment_truncation' | 'decision_limit';

/** The sums of an episode. */
export class Tally {
  readonly counts = new EpisodeCounts();
  resetFrames = 0;
  frames = 0;
  #decisions = 0;
  #reward = 0;
  #scored = 0;
  #lost = 0;
  #end: EndReason | null = null;

  add(rewards: readonly number[]): void {
    this.#decisions += 1;
    this.frames += rewards.length;
    for (const reward of rewards) {
      this.#reward += reward;
      if (reward > 0) this.#scored += 1;
      if (reward < 0) this.#lost += 1;
    }
  }

  end(reason: EndReason): void {
    this.#end = reason;
  }

  /** The record of `summary.json`, keys in the published order. */
  summary(
    policy: Pick<Policy, 'backend' | 'program'>,
    error: unknown,
    seconds: number,
    attempts: number,
  ): PyObject {
    const failed = this.#end === null;
    return {
      status: failed ? 'incomplete' : 'complete',
      reward: pyFloat(this.#reward),
      decisions: this.#decisions,
      raw_frames: this.frames,
      points_scored: this.#scored,
      points_lost: this.#lost,
      terminated: this.#end === 'native_termination',
      truncated: this.#end === 'environment_truncation' || this.#end === 'decision_limit',
      backend: policy.backend,
      end_reason: this.#end ?? 'error',
      reset_frames: this.resetFrames,
      ...(failed ? { error_type: typeof error === 'string' ? error : errorType(error) } : {}),
      wall_seconds: pyFloat(seconds),
      simulated_seconds: pyFloat(this.frames / FRAMES_PER_SECOND),
      ...(policy.program === null ? {} : { api_attempts: attempts }),
    };
  }
}

/** The stable code of an error; `cancelled` for a cancel. Upstream writes the name of a class, we have one class only. */
export function errorType(error: unknown): string {
  if (error instanceof PixelproofError) return error.code;
  if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
  return 'internal';
}
