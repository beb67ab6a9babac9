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

let result: Promise<SelfTest> | null = null;

/** Decodes the embedded probes, once, and compares with the reference's digests. Never throws. */
export function selfTest(): Promise<SelfTest> {
  result ??= run();
  return result;
}

async function run(): Promise<SelfTest> {
  const exact = { png: true, jpeg: true, webp: true };
  const probes: { name: string; exact: boolean }[] = [];
  for (const [name, base64, digest] of PROBES) {
    const bytes = fromBase64(base64);
    const { format } = sniffImage(bytes);
    if (format === null) continue;
    const same = await decodeAs(format, bytes).then(
      (image) => sha256Hex(image.data) === digest,
      () => false,
    );
    probes.push({ name, exact: same });
    if (!same) exact[format] = false;
  }
  return { exact, probes };
}
