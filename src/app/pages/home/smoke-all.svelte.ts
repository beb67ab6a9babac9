import type { WorkerError } from '../../../../workers/api';
import type { JsonObject } from '../../../evidence/identity/json';
import type { SmokeRoot } from '../../../lab/smoke-overall';
import { SMOKE_OVERALL, type SmokeRun } from '../../../lab/smoke-runs';
import type { ResultKind } from '../../../providers/provider';
import type { RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { type ExperimentEntry, experiments } from '../../experiments';
import { failureOf } from '../../failure';
import { duration } from '../../format';
import { type LiveRun, liveRun } from '../../live.svelte';
import { storage } from '../../storage.svelte';
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

  clear(): void {
    this.failure = null;
    this.header = null;
    this.sentence = '';
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

/** The digest over all smoke runs that this page has just made, and whether it is the published one. */
export interface Overall {
  readonly digest: string;
  readonly published: string;
  readonly equal: boolean;
}

/** Runs every registered experiment's smoke, one after the other. */
export class SmokeAll {
  running = $state(false);
  line = $state('A few seconds, no network.');
  /** Null before every run is complete. */
  overall: Overall | null = $state.raw(null);
  #cards = new Map(experiments.map((experiment) => [experiment.id, new CardState(experiment)]));
  #cancelled = false;

  of(id: string): CardState {
    const known = this.#cards.get(id);
    if (known === undefined) throw new Error(`No card of ${id}.`);
    return known;
  }

  get #lines(): readonly SmokeLine[] {
    return [...this.#cards.values()].flatMap(({ lines }) => lines);
  }
  get total(): number {
    return this.#lines.length;
  }
  /** Runs that have ended, in whatever way. */
  get done(): number {
    return this.#lines.filter((line) => !line.live.running && (line.header !== null || line.failure !== null))
      .length;
  }

  async start(): Promise<void> {
    this.running = true;
    this.#cancelled = false;
    this.overall = null;
    for (const line of this.#lines) line.clear();
    this.line = '';
    const began = performance.now();
    let failed = 0;
    for (const card of this.#cards.values()) {
      if (this.#cancelled) break;
      failed += await card.run();
    }
    this.overall = await overallOf(this.#lines);
    this.running = false;
    this.line = this.#cancelled
      ? `Cancelled. ${storage.memoryOnly ? 'What was finished is in memory.' : 'What was finished is stored.'}`
      : `${failed === 0 ? 'All smoke runs are complete' : `${failed} did not complete`}, in ${duration(performance.now() - began)}.`;
    announcer.say(this.line);
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    for (const card of this.#cards.values()) await card.cancel();
  }
}

/** Computed from the runs that have just ended; null unless every one of them is complete. */
async function overallOf(lines: readonly SmokeLine[]): Promise<Overall | null> {
  const roots = lines.flatMap(({ smoke: { request }, header }): readonly SmokeRoot[] => {
    const { status, root_digest } = header ?? { status: 'planned', root_digest: null };
    if (status !== 'complete' || root_digest === null) return [];
    return [{ experiment: request.experiment, provider: request.provider.id, root_digest }];
  });
  if (roots.length !== lines.length) return null;
  // Hashing comes when there is something to hash: the first screen needs none.
  const { overallDigest } = await import('../../../lab/smoke-overall');
  const digest = overallDigest(roots);
  return { digest, published: SMOKE_OVERALL, equal: digest === SMOKE_OVERALL };
}

async function runLine(
  line: SmokeLine,
  verdict: (report: JsonObject, kind: ResultKind) => string,
): Promise<boolean> {
  line.clear();
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
