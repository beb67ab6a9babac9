import type { PictureFile } from './picture-file';

export type Rgb = readonly [number, number, number];

/** Reads pixels for the read-out under the pointer. For display only: evidence is never read from a canvas. */
export class PixelReader {
  #data: ImageData | null = null;
  #url = '';

  async open(picture: PictureFile): Promise<void> {
    if (this.#url === picture.url) return;
    this.#url = picture.url;
    this.#data = null;
    const bitmap = await createImageBitmap(new Blob([picture.bytes], { type: 'image/png' }), {
      colorSpaceConversion: 'none',
    });
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? null;
    bitmap.close();
    if (this.#url === picture.url) this.#data = data;
  }

  at(x: number, y: number): Rgb | null {
    const data = this.#data;
    if (data === null || x >= data.width || y >= data.height) return null;
    const at = (y * data.width + x) * 4;
    return [data.data[at] ?? 0, data.data[at + 1] ?? 0, data.data[at + 2] ?? 0];
  }
}
