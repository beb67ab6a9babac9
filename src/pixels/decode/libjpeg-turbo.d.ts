/** The part of the package's module that is used here (Emscripten, embind). */
declare module '@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs' {
  export interface JpegDecoder {
    getEncodedBuffer(bytes: number): Uint8Array;
    decode(): void;
    getFrameInfo(): { width: number; height: number; componentCount: number };
    getDecodedBuffer(): Uint8Array;
    delete(): void;
  }
  export interface JpegModule {
    readonly JPEGDecoder: new () => JpegDecoder;
    readonly HEAPU8: Uint8Array;
  }
  export default function create(options: { wasmBinary: Uint8Array<ArrayBuffer> }): Promise<JpegModule>;
}
