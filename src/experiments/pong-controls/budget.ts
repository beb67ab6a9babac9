import { PixelproofError } from '../../errors';

/** HTTP attempts of a whole run, retries included. One counter for all model arms. */
export class Budget {
  readonly cap: number;
  #used = 0;

  /** Throws `plan_budget` unless the cap is a positive whole number. */
  constructor(cap: number) {
    if (!Number.isSafeInteger(cap) || cap < 1) {
      throw new PixelproofError(
        'plan_budget',
        'The number of calls that may be made is a positive whole number.',
        {
          got: cap,
        },
      );
    }
    this.cap = cap;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes one call; the number of calls taken is the exchange's id. Throws `provider_budget_spent` when none is left. */
  reserve(): number {
    if (this.#used === this.cap) {
      throw new PixelproofError('provider_budget_spent', 'All calls that this run may make have been made.', {
        expected: `at most ${this.cap} calls`,
        got: 'one more',
      });
    }
    this.#used += 1;
    return this.#used;
  }
}
