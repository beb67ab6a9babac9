/** The part of gifenc (which has no types of its own) that the recorder calls. */
declare module 'gifenc' {
  export type Colour = readonly [red: number, green: number, blue: number];

  export function GIFEncoder(): {
    /** `index` has a palette entry a pixel. The first frame's palette is the file's; `delay` in milliseconds. */
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette?: readonly Colour[]; readonly delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  };
}
