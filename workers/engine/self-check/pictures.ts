import { type Fact, failed } from '../../../src/lab/self-check/report';
import { fromBase64 } from '../../../src/pixels/base64';
import { decodeAs } from '../../../src/pixels/decode/decode-as';
import type { ImageFormat } from '../../../src/pixels/decode/decoded';
import { PROBES } from '../../../src/pixels/decode/probes';
import { sniffImage } from '../../../src/pixels/decode/sniff';

const FORMATS: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];

interface Compared {
  readonly name: string;
  /** Null where the browser refused the file. */
  readonly differing_pixels: number | null;
  readonly pixels: number;
  readonly most: number;
}

/**
 * The shipped little pictures as this browser decodes them, asked to leave colours and alpha alone, against the pixels of
 * our decoders, which the self-test holds to the reference.
 */
export async function browserFacts(): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const format of FORMATS) {
    try {
      facts.push(factOf(format, await comparedOf(format)));
    } catch (thrown) {
      facts.push(failed(`browser_${format}`, thrown));
    }
  }
  return facts;
}

async function comparedOf(wanted: ImageFormat): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const [name, base64] of PROBES) {
    const bytes = fromBase64(base64);
    const { format } = sniffImage(bytes);
    if (format !== wanted) continue;
    const { width, height, data } = await decodeAs(format, bytes);
    const pixels = width * height;
    const theirs = await byBrowser(bytes, `image/${format}`);
    if (theirs === null || theirs.length !== pixels * 4) {
      compared.push({ name, pixels, differing_pixels: null, most: 0 });
      continue;
    }
    compared.push({ name, pixels, ...difference(data, theirs) });
  }
  return compared;
}

/** Null where the browser does not decode the file. */
async function byBrowser(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Uint8ClampedArray | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes], { type }), {
      colorSpaceConversion: 'none',
      premultiplyAlpha: 'none',
    });
  } catch {
    return null;
  }
  const { width, height } = bitmap;
  const context = contextOf(width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height).data;
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new DOMException('no canvas in a worker', 'NotSupportedError');
  return context;
}

/** Pixels of RGB that are not those of RGBA, alpha aside, and the largest difference of a channel. */
function difference(rgb: Uint8Array, rgba: Uint8ClampedArray): { differing_pixels: number; most: number } {
  let [differing, most] = [0, 0];
  for (let pixel = 0; pixel * 3 < rgb.length; pixel++) {
    let worst = 0;
    for (let channel = 0; channel < 3; channel++) {
      const apart = Math.abs((rgb[pixel * 3 + channel] ?? 0) - (rgba[pixel * 4 + channel] ?? 0));
      worst = Math.max(worst, apart);
    }
    if (worst > 0) differing += 1;
    most = Math.max(most, worst);
  }
  return { differing_pixels: differing, most };
}

function factOf(format: ImageFormat, compared: readonly Compared[]): Fact {
  const equal = compared.filter(({ differing_pixels }) => differing_pixels === 0);
  const others = compared.flatMap(({ name, differing_pixels, pixels, most }) => {
    if (differing_pixels === 0) return [];
    if (differing_pixels === null) return [`${name}: not decoded`];
    return [`${name}: ${differing_pixels} of ${pixels} pixels differ, by at most ${most}`];
  });
  return {
    id: `browser_${format}`,
    state: others.length === 0 ? 'yes' : equal.length > 0 ? 'partly' : 'no',
    value: compared.map((one) => ({ ...one })),
    says: [`${equal.length} of ${compared.length} pictures equal`, ...others].join('; '),
  };
}

const SIDE = 64;

/** Opaque noise put into a canvas and read back: a browser that guards against recognition gives other pixels. */
export async function canvasFact(): Promise<Fact> {
  const context = contextOf(SIDE, SIDE);
  const image = context.createImageData(SIDE, SIDE);
  let state = 1;
  for (let i = 0; i < image.data.length; i++) {
    // A linear congruential generator (Numerical Recipes): any fixed noise does.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    image.data[i] = i % 4 === 3 ? 255 : state >>> 24;
  }
  context.putImageData(image, 0, 0);
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  let differing = 0;
  for (let i = 0; i < data.length; i += 4) {
    if ([0, 1, 2, 3].some((channel) => data[i + channel] !== image.data[i + channel])) differing += 1;
  }
  return {
    id: 'canvas',
    state: differing === 0 ? 'yes' : 'no',
    value: { pixels: SIDE * SIDE, differing_pixels: differing },
    says:
      differing === 0
        ? `all ${SIDE * SIDE} pixels`
        : `${differing} of ${SIDE * SIDE} pixels came back changed`,
  };
}
