import type { JsonObject, Sha256Id } from '../identity/json';

/** What a bundle says of itself: the parsed manifest. */
export interface BundleManifest {
  readonly format: string;
  readonly experiment: string;
  readonly plan_id: Sha256Id;
  readonly root_digest: Sha256Id;
  readonly plan: JsonObject;
  readonly files: readonly {
    readonly path: string;
    readonly sha256: Sha256Id;
    readonly bytes: number;
    readonly media_type: string;
    readonly role: string;
    readonly inlined: boolean;
  }[];
}

/** An opened bundle, from a zip, a JSON file or a folder. Reading a file checks its digest and length. */
export interface Bundle {
  readonly manifest: BundleManifest;
  readonly container: 'zip' | 'json' | 'directory';
  paths(): readonly string[];
  has(path: string): boolean;
  /** Throws `bundle_file_missing`, `bundle_digest` or `bundle_length`. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  text(path: string): Promise<string>;
  /** Lines of a JSON Lines file, parsed, streaming. */
  lines(path: string): AsyncIterable<JsonObject>;
}
