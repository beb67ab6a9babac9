/** A PNG file as a picture on the page: its exact bytes, an address for `<img>`, and what it shows in words. */
export interface PictureFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

/** One whose address can be let go; it is made anew when somebody looks again. */
export interface MadePicture extends PictureFile {
  forget(): void;
}

/** Width and height stand at fixed places in a PNG's first chunk. */
export function pictureFile(bytes: Uint8Array<ArrayBuffer>, alt: string): MadePicture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sized = bytes.byteLength >= 24;
  let url: string | null = null;
  return {
    bytes,
    // Made when somebody looks: a browser waits for another process to make one.
    get url() {
      url ??= URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
      return url;
    },
    width: sized ? view.getUint32(16) : 0,
    height: sized ? view.getUint32(20) : 0,
    alt,
    forget() {
      if (url !== null) URL.revokeObjectURL(url);
      url = null;
    },
  };
}
