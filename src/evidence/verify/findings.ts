import { PixelproofError } from '../../errors';
import type { Finding } from './finding';

/** Findings kept whole of each level; a bundle with a million faults says so without filling memory. */
const KEPT = 500;

/** Collects what the checks say, and turns every error of a check into a failure with a code. */
export class Findings {
  readonly list: Finding[] = [];
  readonly #told = new Set<string>();
  readonly counts = { pass: 0, warning: 0, failure: 0 };

  add(finding: Finding): void {
    if (finding.level === 'failure') {
      // What two rules contradict is one finding.
      const name = `${finding.code} ${finding.where}`;
      if (this.#told.has(name)) return;
      if (this.#told.size < KEPT) this.#told.add(name);
    }
    this.counts[finding.level] += 1;
    if (this.counts[finding.level] <= KEPT) this.list.push(finding);
  }

  pass(code: string, where: string, message: string): void {
    this.add({ level: 'pass', code, where, message });
  }

  /** A comparison: a pass, or a failure that quotes both sides. */
  compare(code: string, where: string, what: string, expected: string, got: string): void {
    if (expected === got) this.pass(code, where, `${what} is as recomputed.`);
    else this.fail(code, where, `${what} is not as recomputed.`, expected, got);
  }

  fail(code: string, where: string, message: string, expected?: string, got?: string): void {
    this.add({
      level: 'failure',
      code,
      where,
      message,
      ...(expected === undefined ? {} : { expected }),
      ...(got === undefined ? {} : { got }),
    });
  }

  warn(code: string, where: string, message: string): void {
    this.add({ level: 'warning', code, where, message });
  }

  /** Runs a check. What it throws is its finding; the other checks go on. Null where it threw. */
  async attempt<T>(where: string, check: () => Promise<T>): Promise<T | null> {
    try {
      return await check();
    } catch (error) {
      this.caught(where, error);
      return null;
    }
  }

  caught(where: string, error: unknown): void {
    if (error instanceof PixelproofError) {
      // One damaged file fails every check that reads it; it is one finding.
      const known = this.list.some(
        (one) => one.level === 'failure' && one.code === error.code && one.message === error.message,
      );
      if (!known) this.fail(error.code, where, error.message, error.expected, error.got);
    } else {
      this.fail('verify_internal', where, `The check failed on a fault of this program: ${String(error)}`);
    }
  }
}
