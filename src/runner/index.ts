// What the page, the workers and the command line use of the runner.
export { type AnswerSource, liveAnswers, type RecordedAnswers, recordedAnswers } from './answers';
export { InfrastructureFailure } from './infrastructure-failure';
export { type LockManagerLike, memoryLocks, type RunLocks, webLocks } from './lock';
export { executeRun, type RunEnd, type RunOptions } from './run';
