import { type Box, type Boxes, OBJECTS, type ObjectId } from './boxes';
import { HISTORY } from './protocol';

/** Boxes at a raw frame, frames counted from 1 over reset NOOPs and controlled frames. */
export interface Sample {
  readonly frame: number;
  readonly boxes: Boxes;
}

export interface TrackedObject {
  readonly id: ObjectId;
  readonly box: Box | null;
  /** Pixels per raw frame; null when the object was not in the sample before. */
  readonly velocity: readonly [x: number, y: number] | null;
  /** Raw frames since the sample before, where there is a velocity. */
  readonly interval: number | null;
  /** Raw frames since the object was last seen: 0 now, null never. */
  readonly age: number | null;
}

export interface Track {
  readonly frame: number;
  readonly objects: readonly TrackedObject[];
  /** Oldest first, the present one last. */
  readonly history: readonly Sample[];
}

/** Remembers the last four observations. */
export class Tracker {
  #samples: Sample[] = [];
  readonly #seen: Record<ObjectId, number | null> = { player: null, opponent: null, ball: null };

  /** Takes an observation: velocities against the newest sample, then the sample itself. */
  observe(frame: number, boxes: Boxes): Track {
    const before = this.#samples.at(-1) ?? null;
    const objects = OBJECTS.map((id) => this.#track(id, boxes[id], frame, before));
    this.#samples = [...this.#samples, { frame, boxes }].slice(-HISTORY);
    return { frame, objects, history: this.#samples };
  }

  #track(id: ObjectId, box: Box | null, frame: number, before: Sample | null): TrackedObject {
    if (box !== null) this.#seen[id] = frame;
    const seen = this.#seen[id];
    const old = before?.boxes[id] ?? null;
    const interval = before === null ? 0 : frame - before.frame;
    const valid = box !== null && old !== null && interval > 0;
    return {
      id,
      box,
      velocity: valid ? [(box[0] - old[0]) / interval, (box[1] - old[1]) / interval] : null,
      interval: valid ? interval : null,
      age: seen === null ? null : frame - seen,
    };
  }

  /** A point was played: the ball that comes next is another one, so no stored sample may vouch for it. */
  forgetBall(): void {
    this.#samples = this.#samples.map(({ frame, boxes }) => ({ frame, boxes: { ...boxes, ball: null } }));
  }
}
