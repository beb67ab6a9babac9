import { type Check, canBeAsked, examine, type Report, type Subject } from '../../providers/doctor';
import { announcer } from '../announce.svelte';
import { failureOf } from '../failure';
import { pageHere } from './here';

/** One examination of a page: what is found as it is found, and the report at the end. */
export class DoctorRun {
  running = $state(false);
  cancelled = $state(false);
  checks: readonly Check[] = $state.raw([]);
  report: Report | null = $state.raw(null);
  /** A fault of ours. */
  failure: ReturnType<typeof failureOf> | null = $state.raw(null);
  #cancel: AbortController | null = null;

  async start(subject: Subject): Promise<void> {
    this.forget();
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.running = true;
    announcer.say(`Checking ${subject.entry.name}…`);
    try {
      const checking = examine(subject, pageHere(), cancel.signal);
      for (;;) {
        const step = await checking.next();
        if (cancel.signal.aborted) throw cancel.signal.reason;
        if (step.done === true) {
          this.report = step.value;
          const { diagnosis } = step.value;
          announcer.say(`${diagnosis.sentence}${canBeAsked(diagnosis) ? '' : ' What to do is below.'}`);
          return;
        }
        const { id } = step.value;
        // What was promised (the server says that the model sees) can be taken back by what is found later.
        this.checks = [...this.checks.filter((check) => check.id !== id), step.value];
      }
    } catch (thrown) {
      // Another examination, or none, has taken this one's place.
      if (this.#cancel !== cancel) return;
      if (cancel.signal.aborted) {
        this.cancelled = true;
        announcer.say('The check was cancelled.');
      } else this.failure = failureOf(thrown);
    } finally {
      if (this.#cancel === cancel) this.running = false;
    }
  }

  cancel(): void {
    this.#cancel?.abort(new DOMException('Cancelled.', 'AbortError'));
  }

  /** Drops what was found: it was found about other settings. */
  forget(): void {
    const running = this.#cancel;
    this.#cancel = null;
    running?.abort(new DOMException('Cancelled.', 'AbortError'));
    this.running = false;
    this.cancelled = false;
    this.checks = [];
    this.report = null;
    this.failure = null;
  }
}
