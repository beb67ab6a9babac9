/** The part of upng-js that tests use; the package has no types of its own. */
declare module 'upng-js' {
  interface Decoded {
    readonly frames: readonly { readonly delay: number }[];
  }
  const upng: {
    decode(file: ArrayBuffer): Decoded;
    toRGBA8(decoded: Decoded): ArrayBuffer[];
  };
  export default upng;
}
