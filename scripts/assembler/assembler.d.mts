/** What scripts/assembler/assembler.mjs makes of a source text. */
export interface Assembled {
  /** The image from the lowest filled address to the highest; gaps are 0xFF. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Address of the first byte. */
  readonly start: number;
  /** Every label and name; a label that begins with @ has the label before it in front. */
  readonly names: ReadonlyMap<string, number>;
}

/** Throws an Error whose message begins with the line number. */
export function assemble(source: string): Assembled;
