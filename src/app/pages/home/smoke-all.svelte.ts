import type { WorkerError } from '../../../../workers/api';
import type { JsonObject } from '../../../evidence/identity/json';
import type { SmokeRun } from '../../../lab/smoke-runs';
import type { ResultKind } from '../../../providers/provider';
import type { RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { type ExperimentEntry, experiments } from '../../experiments';
import { failureOf } from '../../failure';
import { duration } from '../../format';
import { type LiveRun, liveRun } from '../../live.svelte';
import { runner } from '../../workers';

/** One line of a card: a smoke run, before, while and after. */
export class SmokeLine {
  readonly smoke: SmokeRun;
  readonly live: LiveRun;
  header: RunHeader | null = $state.raw(null);
  sentence = $state('');
  failure: WorkerError | null = $state.raw(null);

  constructor(experiment: string, smoke: SmokeRun) {
    this.smoke = smoke;
    this.live = liveRun(`${experiment}/${smoke.request.provider.id}`);
  }
}

/** What a card shows: its smoke runs, and the last verdict of earlier visits. */
export class CardState {
  readonly experiment: ExperimentEntry;
  readonly lines: readonly SmokeLine[];
  last: { header: RunHeader; sentence: string } | null = $state.raw(null);
  running = $state(false);
  #cancelled = false;

  /** With `provider` only the smoke run that it answers. */
  constructor(experiment: ExperimentEntry, provider: string | null = null) {
    this.experiment = experiment;
    this.lines = experiment.smoke
      .filter(({ request }) => provider === null || request.provider.id === provider)
      .map((smoke) => new SmokeLine(experiment.id, smoke));
  }

  get begun(): boolean {
    return this.lines.some((line) => line.live.running || line.header !== null || line.failure !== null);
  }

  /** Runs its lines in their order; resolves with how many did not complete. */
  async run(): Promise<number> {
    this.running = true;
    this.#cancelled = false;
    let failed = 0;
    try {
      const { verdict } = await this.experiment.verdict();
      for (const line of this.lines) {
        if (this.#cancelled) break;
        if (!(await runLine(line, verdict))) failed += 1;
      }
    } finally {
      this.running = false;
    }
    return failed;
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    for (const line of this.lines) await line.live.cancel();
  }
}

export function kindOf(provider: string): ResultKind {
  return provider === 'scripted' || provider === 'drawn'
    ? 'wiring'
    : provider === 'replay'
      ? 'replayed'
      : 'measured';
}

/** Runs every registered experiment's smoke, one after the other. */
export class SmokeAll {
  running = $state(false);
  line = $state('A few seconds, no network.');
  #cards = new Map(experiments.map((experiment) => [experiment.id, new CardState(experiment)]));
  #cancelled = false;

  of(id: string): CardState {
    const known = this.#cards.get(id);
    if (known === undefined) throw new Error(`No card of ${id}.`);
    return known;
  }

  async start(): Promise<void> {
    this.running = true;
    this.#cancelled = false;
    this.line = 'Running…';
    const began = performance.now();
    let failed = 0;
    for (const card of this.#cards.values()) {
      if (this.#cancelled) break;
      failed += await card.run();
    }
    this.running = false;
    this.line = this.#cancelled
      ? 'Cancelled. What was finished is stored.'
      : `${failed === 0 ? 'All smoke runs are complete' : `${failed} did not complete`}, in ${duration(performance.now() - began)}.`;
    announcer.say(this.line);
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    for (const card of this.#cards.values()) await card.cancel();
  }
}

async function runLine(
  line: SmokeLine,
  verdict: (report: JsonObject, kind: ResultKind) => string,
): Promise<boolean> {
  line.failure = null;
  line.header = null;
  line.sentence = '';
  const header = await line.live.start(line.smoke.request);
  line.failure = line.live.failure;
  line.header = header;
  if (header === null) return false;
  try {
    line.sentence = verdict(await runner().report(header.run), header.kind);
  } catch (thrown) {
    line.failure = failureOf(thrown);
    return false;
  }
  return header.status === 'complete';
}
