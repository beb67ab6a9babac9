// What the page, the workers and the command line use of comparisons.
export { type ComparedCase, compareRuns, type RunComparison } from './compare';
export { comparisonSentence } from './sentence';
