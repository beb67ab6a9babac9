import { PixelproofError } from '../../errors';
import { fromBase64 } from '../base64';
import type { DecodedImage } from './decoded';
import { readWebp } from './webp-chunks';

const WEBP_DECODER = 'libwebp-wasm/0.1.5';

interface LibWebp {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  WebPDecodeRGBA(file: number, size: number, width: number, height: number): number;
}

let compiled: Promise<WebAssembly.Module> | null = null;

async function load(): Promise<WebAssembly.Module> {
  const { wasmBase64 } = await import('../../../wasm/build/libwebp.js');
  return WebAssembly.compile(fromBase64(wasmBase64));
}

/**
 * The pixels that Pillow's `convert("RGB")` gives for a WebP file: libwebp's smooth chroma upsampling, alpha dropped,
 * profiles and rotation ignored; of an animation its first frame, black where the frame does not reach.
 *
 * Throws what `readWebp` throws, and `webp_damaged` when the coded data cannot be decoded whole.
 */
export async function decodeWebp(bytes: Uint8Array): Promise<DecodedImage> {
  const { width, height, frame, warnings } = readWebp(bytes);
  compiled ??= load();
  const nothing = () => 0;
  // An instance for each file: its memory goes with it, and a hostile file meets nobody else's.
  const instance = new WebAssembly.Instance(await compiled, {
    wasi_snapshot_preview1: { fd_seek: nothing, fd_close: nothing, fd_write: nothing },
  });
  const webp = instance.exports as unknown as LibWebp;
  const data = new Uint8Array(width * height * 3);
  try {
    const from = webp.malloc(frame.bytes.length);
    const size = webp.malloc(8);
    if (from === 0 || size === 0) throw new Error('no memory');
    new Uint8Array(webp.memory.buffer, from, frame.bytes.length).set(frame.bytes);
    const out = webp.WebPDecodeRGBA(from, frame.bytes.length, size, size + 4);
    const [w, h] = new Uint32Array(webp.memory.buffer, size, 2);
    if (out === 0 || w !== frame.width || h !== frame.height) throw new Error('not decoded');
    const rgba = new Uint8Array(webp.memory.buffer, out, w * h * 4);
    for (let y = 0, i = 0; y < h; y++) {
      let to = ((frame.y + y) * width + frame.x) * 3;
      for (let x = 0; x < w; x++, i += 4, to += 3) {
        data[to] = rgba[i] ?? 0;
        data[to + 1] = rgba[i + 1] ?? 0;
        data[to + 2] = rgba[i + 2] ?? 0;
      }
    }
  } catch (cause) {
    throw new PixelproofError('webp_damaged', 'The WebP data is damaged.', { cause });
  }
  return { width, height, data, format: 'webp', decoder: WEBP_DECODER, exact: true, warnings };
}
