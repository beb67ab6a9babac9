import type { WorkerError } from '../../../../workers/api';
import type { DecisionView, EpisodeTimeline, PongOpened, PongPicture } from '../../../../workers/pong-api';
import { failureOf } from '../../failure';
import { pong } from '../../workers';

/** What is looked at: the episodes of one seed, and one decision of one arm. The newest wish wins. */
export class Looking {
  timelines: readonly EpisodeTimeline[] = $state.raw([]);
  view: DecisionView | null = $state.raw(null);
  picture: PongPicture | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  #wanted: { seed: number; arm: string; decision: number } | null = null;
  #busy = false;

  async seed(opened: PongOpened, seed: number): Promise<void> {
    this.failure = null;
    const found: EpisodeTimeline[] = [];
    try {
      for (const { arm } of opened.episodes.filter((each) => each.seed === seed))
        found.push(await pong().timeline(seed, arm));
    } catch (thrown) {
      this.failure = failureOf(thrown);
    }
    this.timelines = found.filter(({ decisions }) => decisions > 0);
  }

  async go(seed: number, arm: string, decision: number): Promise<void> {
    this.#wanted = { seed, arm, decision };
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#wanted !== null) {
        const now: { seed: number; arm: string; decision: number } = this.#wanted;
        this.#wanted = null;
        const [view, picture] = await Promise.all([
          pong().decision(now.seed, now.arm, now.decision),
          pong().picture(now.seed, now.arm, now.decision),
        ]);
        this.view = view;
        this.picture = picture;
        this.failure = null;
      }
    } catch (thrown) {
      this.failure = failureOf(thrown);
    } finally {
      this.#busy = false;
    }
  }
}
