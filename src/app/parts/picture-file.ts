/** A PNG file as a picture on the page: its exact bytes, an address for `<img>`, and what it shows in words. */
export interface PictureFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

/** Width and height stand at fixed places in a PNG's first chunk. */
export function pictureFile(bytes: Uint8Array<ArrayBuffer>, alt: string): PictureFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sized = bytes.byteLength >= 24;
  return {
    bytes,
    url: URL.createObjectURL(new Blob([bytes], { type: 'image/png' })),
    width: sized ? view.getUint32(16) : 0,
    height: sized ? view.getUint32(20) : 0,
    alt,
  };
}
