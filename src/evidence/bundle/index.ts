// What the page, the workers and the command line use of bundles. Experiments import reader, file and records.
export { COMPANION_PATHS } from './companions';
export { type BundleContents, bundleContents } from './contents';
export { type BundleDirectory, writeDirectoryBundle } from './directory';
export { writeJsonBundle } from './json-writer';
export { LIMITS } from './limits';
export { type BundleInput, containerBegun, HEAD_BYTES, openBundle } from './open';
export { recordDigestOf } from './packing';
export { bundleRun } from './records';
export { writeZipBundle } from './zip-writer';
