import { proxy } from 'comlink';
import { version } from '../../../../package.json';
import type { WorkerError } from '../../../../workers/api';
import { type Fact, SELF_CHECK_FORMAT, type SelfCheckReport } from '../../../lab/self-check/report';
import { announcer } from '../../announce.svelte';
import { failureOf } from '../../failure';
import { plural } from '../../format';
import { selfChecker } from '../../workers';
import { factsAtOnce, persistentFact, storageFacts } from './at-once';

/** The self-check as its page follows it. It lives outside the page: coming back finds what was found. */
class SelfCheck {
  facts: ReadonlyMap<string, Fact> = $state.raw(new Map());
  running = $state(false);
  done = $state(0);
  total = $state(0);
  now = $state('');
  status: 'complete' | 'cancelled' | null = $state(null);
  failure: WorkerError | null = $state.raw(null);
  #end: (() => void) | null = null;

  /** What needs no button. */
  async look(): Promise<void> {
    for (const fact of factsAtOnce()) this.#add(fact);
    for (const fact of await storageFacts()) this.#add(fact);
  }

  async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.status = null;
    this.failure = null;
    this.done = 0;
    const { api, end } = selfChecker();
    const cancelled = new Promise<'cancelled'>((resolve) => {
      this.#end = () => {
        end();
        resolve('cancelled');
      };
    });
    const checking = api
      .check(
        proxy((fact: Fact) => this.#add(fact)),
        proxy((done: number, total: number, now: string) => {
          [this.done, this.total, this.now] = [done, total, now];
          announcer.progress = `${done}/${total}`;
          announcer.sayNowAndThen(`${done} of ${total}: ${now}`);
        }),
      )
      .then(() => 'complete' as const);
    try {
      this.status = await Promise.race([checking, cancelled]);
      announcer.say(
        this.status === 'complete' ? `${plural(this.facts.size, 'line')} checked.` : 'Cancelled.',
      );
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      end();
      this.#end = null;
      this.running = false;
      announcer.progress = '';
    }
  }

  /** Ends the worker where it stands. Lines that were found stay. */
  cancel(): void {
    this.#end?.();
  }

  /** Asks the browser to keep what is stored. Some ask the person, most decide by themselves. */
  async persist(): Promise<void> {
    try {
      const kept = await navigator.storage.persist();
      announcer.say(kept ? 'Kept from now on.' : 'The browser did not agree.');
    } catch {
      announcer.say('This browser cannot be asked.');
    }
    this.#add(await persistentFact());
  }

  get report(): SelfCheckReport {
    return {
      format: SELF_CHECK_FORMAT,
      program: `pixelproof ${version}`,
      place: navigator.userAgent,
      complete: this.status === 'complete',
      facts: [...this.facts.values()],
    };
  }

  #add(fact: Fact): void {
    this.facts = new Map([...this.facts, [fact.id, fact]]);
  }
}

export const selfCheck = new SelfCheck();
