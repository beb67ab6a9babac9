/** The documented exit codes (docs/command-line.md). */
export const EXIT = {
  complete: 0,
  /** A check or a comparison failed. */
  difference: 1,
  /** Wrong usage or unusable input. */
  usage: 2,
  /** The provider could not be reached or broke off; the run can be resumed. */
  infrastructure: 3,
  cancelled: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
