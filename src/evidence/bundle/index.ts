// What the page, the workers, the command line and the experiments use of bundles.
export { type BundleContents, bundleContents } from './contents';
export { type BundleDirectory, writeDirectoryBundle } from './directory';
export type { BundleFile } from './file';
export { type JsonBundleOptions, writeJsonBundle } from './json-writer';
export { type BundleInput, openBundle } from './open';
export type { Bundle, BundleManifest, ManifestFile } from './reader';
export { bundleCases, bundleExchanges, bundleRun } from './records';
export { parseJson, parseObject } from './safe-json';
export { writeZipBundle } from './zip-writer';
