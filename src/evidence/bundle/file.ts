/** One file of a bundle. Content streams so that no export is ever built as one string. */
export interface BundleFile {
  /** Forward slashes, relative, no `..`, ASCII letters, digits and `._-/` only. */
  readonly path: string;
  readonly media_type: string;
  /** `evidence` files are the deterministic part, equal whatever the clock, machine or browser. */
  readonly role: 'evidence' | 'circumstance' | 'image';
  content(): AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;
}
