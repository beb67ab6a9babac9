import type { ExitCode } from './exit';

/** What every command gets: a signal that Ctrl+C aborts, and where to leave its exit code. */
export interface Session {
  readonly signal: AbortSignal;
  exit(code: ExitCode): void;
}
