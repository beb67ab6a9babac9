import type { WorkerError } from '../../../../workers/api';
import type { JsonObject } from '../../../evidence/identity/json';
import type { CaseRecord, RunHeader } from '../../../runner/experiment';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { plural } from '../../format';
import { isObject } from '../../json-read';
import { keys } from '../../keys.svelte';
import { later } from '../../later';
import { type LiveRun, liveRun } from '../../live.svelte';
import { runOfAddress } from '../../named-run';
import { route } from '../../route.svelte';
import { storedRuns } from '../../stored-runs';
import { runner } from '../../workers';
import { type Choice, requestOf } from './choice';
import { verdict } from './verdict';

const EXPERIMENT = 'png-representation';
const PAGE = 500;
export type Confirmation = 'inspected' | 'reviewed';

/** The run that the page shows: a fresh one, or one from the store. */
export class PngRun {
  readonly live: LiveRun = liveRun(EXPERIMENT);
  header: RunHeader | null = $state.raw(null);
  plan: JsonObject | null = $state.raw(null);
  report: JsonObject | null = $state.raw(null);
  cases: readonly CaseRecord[] = $state.raw([]);
  loading = $state(false);
  failure: WorkerError | null = $state.raw(null);
  /** A run that was interrupted and can go on. */
  interrupted: RunHeader | null = $state.raw(null);
  /** Grows with each change of what is stored. */
  stamp = $state(0);

  /** First look: the run that the address names, else the latest complete one; and whether one can go on. */
  async arrive(): Promise<void> {
    try {
      const { runs } = await storedRuns({ experiment: EXPERIMENT, offset: 0, limit: 20 });
      if (!this.live.running) {
        this.interrupted = runs.find((header) => header.status !== 'complete') ?? null;
      }
      const named = await runOfAddress(EXPERIMENT);
      if (named === 'elsewhere') return;
      const chosen = named ?? runs.find((header) => header.status === 'complete') ?? null;
      if (chosen !== null) await this.show(chosen);
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  async start(choice: Choice): Promise<void> {
    this.interrupted = null;
    await keys.lend(choice.provider, runner());
    const header = await this.live.start(requestOf(choice));
    this.stamp += 1;
    await this.ended(header);
  }

  async resume(header: RunHeader): Promise<void> {
    this.interrupted = null;
    await keys.lend(header.provider.id, runner());
    const ended = await this.live.resume(header);
    this.stamp += 1;
    if (ended === null && this.live.failure !== null) this.interrupted = header;
    await this.ended(ended);
  }

  async ended(header: RunHeader | null): Promise<void> {
    if (header === null) return;
    if (header.status !== 'complete') this.interrupted = header;
    route.set({ run: header.run });
    await this.show(header);
    if (this.report !== null) {
      announcer.say(
        `Run ${header.status}, ${header.done} of ${plural(header.total, 'case')}. ${verdict(this.report, header.kind)}`,
      );
    }
  }

  async show(header: RunHeader): Promise<void> {
    this.loading = true;
    this.failure = null;
    try {
      const worker = runner();
      const [plan, report] = await Promise.all([worker.plan(header.run), worker.report(header.run)]);
      const cases: CaseRecord[] = [];
      for (;;) {
        const page = await worker.cases(header.run, { offset: cases.length, limit: PAGE });
        cases.push(...page.cases);
        if (page.cases.length === 0 || cases.length >= page.total) break;
      }
      this.header = header;
      this.plan = plan;
      this.cases = cases;
      await later();
      this.report = report;
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** Whether the person has said it of this run. */
  confirmed(what: Confirmation): boolean {
    const note = this.header?.note;
    return isObject(note) && note[what] === true;
  }

  /** What the gates ask of a person; kept beside the run, never in a link. */
  async confirm(what: Confirmation): Promise<void> {
    const header = this.header;
    if (header === null) return;
    try {
      const note = isObject(header.note) ? header.note : {};
      this.header = await runner().annotate(header.run, { ...note, [what]: true });
      this.report = await runner().report(header.run);
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
  }

  /** After a deletion: what is shown may be gone. */
  async changed(): Promise<void> {
    const shown = this.header;
    if (shown !== null && (await runner().header(shown.run)) === null) {
      this.header = null;
      this.plan = null;
      this.report = null;
      this.cases = [];
      route.set({ run: null, case: null });
    }
    const waiting = this.interrupted;
    if (waiting !== null && (await runner().header(waiting.run)) === null) this.interrupted = null;
  }
}
