// What the page, the workers and the command line use of the verifier.
export { compareRuns, type RunDifference } from './compare';
export type { Finding } from './finding';
export { type ImportResult, importBundle } from './import';
export { type BundleVerifier, type VerifyOptions, type VerifyResult, verifyBundle } from './verify';
