import { sha256Hex } from '../../evidence/identity/sha256';
import { fromBase64 } from '../base64';
import { decodeAs } from './decode-as';
import type { ImageFormat } from './decoded';
import { PROBES } from './probes';
import { sniffImage } from './sniff';

export interface SelfTest {
  /** Whether this environment gave the reference's pixels for every probe of a format. */
  readonly exact: Readonly<Record<ImageFormat, boolean>>;
  readonly probes: readonly { readonly name: string; readonly exact: boolean }[];
}

const results = new Map<ImageFormat, Promise<SelfTest['probes']>>();

/** Whether this environment decodes a format exactly. Tested once, when the first file of the format comes. */
export async function isExactHere(format: ImageFormat): Promise<boolean> {
  return (await probesOf(format)).every(({ exact }) => exact);
}

/** Decodes all embedded probes and compares with the reference's digests. Never throws. */
export async function selfTest(): Promise<SelfTest> {
  const [png, jpeg, webp] = [await probesOf('png'), await probesOf('jpeg'), await probesOf('webp')];
  const all = (probes: SelfTest['probes']) => probes.every(({ exact }) => exact);
  return { exact: { png: all(png), jpeg: all(jpeg), webp: all(webp) }, probes: [...png, ...jpeg, ...webp] };
}

function probesOf(format: ImageFormat): Promise<SelfTest['probes']> {
  const known = results.get(format);
  if (known !== undefined) return known;
  const result = run(format);
  results.set(format, result);
  return result;
}

async function run(format: ImageFormat): Promise<SelfTest['probes']> {
  const probes: { name: string; exact: boolean }[] = [];
  for (const [name, base64, digest] of PROBES) {
    const bytes = fromBase64(base64);
    if (sniffImage(bytes).format !== format) continue;
    const exact = await decodeAs(format, bytes).then(
      (image) => sha256Hex(image.data) === digest,
      () => false,
    );
    probes.push({ name, exact });
  }
  return probes;
}
