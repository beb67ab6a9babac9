// What the page, the workers and the command line use of comparisons.
export { type ComparedCase, type RunComparison, compareRuns } from './compare';
export { comparisonSentence } from './sentence';
