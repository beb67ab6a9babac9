import type { Fact } from '../src/lab/self-check/report';

/** The parts of the self-check that take time, or that a worker has to do as the engine's own workers would. */
export interface SelfCheckApi {
  /**
   * One check after another. `onProgress` comes before each with what is done now, `onFact` with each line found. A
   * check that throws, or says nothing for 15 seconds, is a failed line and not the end. Whoever has enough of it ends
   * the worker.
   */
  check(
    onFact: (fact: Fact) => void,
    onProgress: (done: number, total: number, now: string) => void,
  ): Promise<void>;
}
