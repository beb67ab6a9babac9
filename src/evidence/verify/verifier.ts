import type { ProviderDescription } from '../../providers/provider';
import type { BundleFile } from '../bundle/file';
import type { Bundle, ManifestFile } from '../bundle/reader';
import type { JsonObject } from '../identity/json';
import type { RunSource } from '../run';
import type { Finding } from './finding';

/** What an experiment keeps of the case at which it ended an unfinished run for good. */
export interface LeftBehind {
  /** As the run's header has it. */
  readonly note: JsonObject;
  /** What the note names; kept beside the cases. */
  readonly files: readonly ManifestFile[];
}

/** The part of an experiment that a verifier uses. */
export interface BundleVerifier {
  readonly id: string;
  /** Whether the bundle of an unfinished run holds what the run had written so far. */
  readonly keepsUnfinishedTree?: boolean;
  verify(bundle: Bundle): AsyncIterable<Finding>;
  /** What stands beside the cases of an unfinished run, found again in its verified bundle; null for nothing. */
  left?(bundle: Bundle): Promise<LeftBehind | null>;
  /** The output tree as the writer lists it: what the manifest says of each file is held against it. */
  files?(source: RunSource): AsyncIterable<BundleFile>;
  /** The whole description of a provider that says this of itself. Throws for one that there is not. */
  described?(provider: ProviderDescription): ProviderDescription;
}
