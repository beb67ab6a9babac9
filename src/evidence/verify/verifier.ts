import type { ProviderDescription } from '../../providers/provider';
import type { BundleFile } from '../bundle/file';
import type { Bundle } from '../bundle/reader';
import type { RunSource } from '../run';
import type { Finding } from './finding';

/** The part of an experiment that a verifier uses. */
export interface BundleVerifier {
  readonly id: string;
  /** Whether the bundle of an unfinished run holds what the run had written so far. */
  readonly keepsUnfinishedTree?: boolean;
  verify(bundle: Bundle): AsyncIterable<Finding>;
  /** The output tree as the writer lists it: what the manifest says of each file is held against it. */
  files?(source: RunSource): AsyncIterable<BundleFile>;
  /** The whole description of a provider that says this of itself. Throws for one that there is not. */
  described?(provider: ProviderDescription): ProviderDescription;
}
