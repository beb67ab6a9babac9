/** The bytes of a bundle, before anything in them is believed. Paths are safe and unique when one exists. */
export interface Container {
  readonly kind: 'zip' | 'json' | 'directory';
  /** Every file that is there, `pixelproof.json` included. */
  readonly paths: readonly string[];
  /** Null where there is no such file. Throws `zip_*`, `json_*`, `bundle_*` where its bytes are damaged. */
  bytes(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Where two byte sequences part: an offset, or null where they are equal. The second one streams. */
export async function firstDifference(
  bytes: Uint8Array,
  other: AsyncIterable<Uint8Array>,
): Promise<number | null> {
  let at = 0;
  for await (const chunk of other) {
    for (let index = 0; index < chunk.length; index += 1) {
      if (bytes[at + index] !== chunk[index]) return at + index;
    }
    at += chunk.length;
  }
  return at === bytes.length ? null : at;
}
