import type { WorkerError } from '../../../../workers/api';
import { failureOf } from '../../failure';
import { pong } from '../../workers';
import { type Choice, startOf } from './choice';

/** What the present choice would freeze, found out in the worker. */
class Preview {
  hash: string | null = $state(null);
  calls = $state(0);
  decisions = $state(0);
  refusal: WorkerError | null = $state.raw(null);
  #asked = 0;

  async ask(choice: Choice): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    try {
      const { hash, calls, decisions } = await pong().preview(startOf(choice));
      if (mine !== this.#asked) return;
      this.hash = hash;
      this.calls = calls;
      this.decisions = decisions;
      this.refusal = null;
    } catch (thrown) {
      if (mine !== this.#asked) return;
      this.hash = null;
      this.refusal = failureOf(thrown);
    }
  }
}

export const preview = new Preview();
