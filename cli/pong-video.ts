import type { PongMachine, RunFiles, Scheduled } from '../src/experiments/pong-controls';
import { ApngWriter } from '../src/pixels/apng';
import { encodePng } from '../src/pixels/png-encode';

/** Collects the pictures of each episode as an animation in simulation time. One episode is in memory at a time. */
export class PongVideo {
  readonly #files: RunFiles;
  #writer = new ApngWriter(1, 60);

  constructor(files: RunFiles) {
    this.#files = files;
  }

  frame = (_at: Scheduled, machine: PongMachine): void => {
    this.#writer.add(encodePng({ width: 160, height: 210, data: machine.rgb().slice() }));
  };

  episode = async ({ arm, seed }: Scheduled): Promise<void> => {
    await this.#files.bytes(`${arm}/seed-${seed}/replay.apng`, this.#writer.finish());
    this.#writer = new ApngWriter(1, 60);
  };
}
