// What the page, the workers and the command line use of the verifier.
export { importBundle } from './import';
export type { BundleVerifier } from './verifier';
export { type VerifyResult, verifyBundle } from './verify';
