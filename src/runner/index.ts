// What the page, the workers and the command line use of the runner.
export { type AnswerSource, liveAnswers, recordedAnswers } from './answers';
export { memoryLocks, webLocks } from './lock';
export { executeRun, type RunOptions } from './run';
