/** The run that the address named and that was not in this browser when its page looked for it. */
class MissingRun {
  run: string | null = $state(null);

  /** It is here by now. */
  found(run: string): void {
    if (this.run === run) this.run = null;
  }
}

export const missingRun = new MissingRun();
