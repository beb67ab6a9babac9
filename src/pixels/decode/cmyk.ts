import { PixelproofError } from '../../errors';
import { fromBase64 } from '../base64';
import { type JpegFile, unsupported } from './jpeg-markers';

export const CMYK_DECODER = 'libjpeg-turbo-wasm-cmyk/0.1.3';

interface TurboJpeg {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  tjInitDecompress(): number;
  tjDecompress2(
    handle: number,
    file: number,
    size: number,
    out: number,
    width: number,
    pitch: number,
    height: number,
    format: number,
    flags: number,
  ): number;
}

/** TurboJPEG's pixel format: four samples as they are in the file, YCCK turned into CMYK. */
const TJPF_CMYK = 11;
let compiled: Promise<WebAssembly.Module> | null = null;

async function load(): Promise<WebAssembly.Module> {
  const { wasmBase64 } = await import('../../../wasm/build/libjpeg-turbo-cmyk.js');
  return WebAssembly.compile(fromBase64(wasmBase64));
}

/**
 * The RGB of a JPEG file with four components, which the other build of the library does not give. Each file gets an
 * instance of its own: the library leaves it in an undefined state after an error, and its memory goes with it.
 */
export async function decodeCmyk(file: JpegFile): Promise<Uint8Array<ArrayBuffer>> {
  if (file.arithmetic) throw unsupported('Huffman coding for four components', 'arithmetic coding');
  compiled ??= load();
  const instance = new WebAssembly.Instance(await compiled, {
    env: {
      setjmp: () => 0,
      longjmp: () => {
        throw new Error('the library gave up');
      },
    },
    wasi_snapshot_preview1: Object.fromEntries(
      ['proc_exit', 'environ_sizes_get', 'environ_get', 'fd_close', 'fd_seek', 'fd_write'].map((name) => [
        name,
        () => 0,
      ]),
    ),
  });
  const turbo = instance.exports as unknown as TurboJpeg;
  const { width, height, bytes } = file;
  try {
    const from = turbo.malloc(bytes.length);
    new Uint8Array(turbo.memory.buffer, from, bytes.length).set(bytes);
    const handle = turbo.tjInitDecompress();
    const out = turbo.malloc(width * height * 4);
    const status =
      from === 0 || handle === 0 || out === 0
        ? -1
        : turbo.tjDecompress2(handle, from, bytes.length, out, width, width * 4, height, TJPF_CMYK, 0);
    if (status !== 0) throw new Error(`status ${status}`);
    return toRgb(new Uint8Array(turbo.memory.buffer, out, width * height * 4));
  } catch (cause) {
    throw new PixelproofError(
      'jpeg_damaged',
      'The JPEG data is damaged or coded in a way that is not read here.',
      {
        cause,
      },
    );
  }
}

/** Pillow takes the samples as inverted whatever the file says, and rounds each product of colour and black. */
function toRgb(cmyk: Uint8Array): Uint8Array<ArrayBuffer> {
  const rgb = new Uint8Array((cmyk.length / 4) * 3);
  for (let from = 0, to = 0; from < cmyk.length; from += 4, to += 3) {
    const black = cmyk[from + 3] ?? 0;
    for (let c = 0; c < 3; c++) {
      const t = (cmyk[from + c] ?? 0) * black + 128;
      rgb[to + c] = (t + (t >> 8)) >> 8;
    }
  }
  return rgb;
}
