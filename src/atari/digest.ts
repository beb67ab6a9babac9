import { sha256Hex } from '../evidence/identity/sha256';
import type { Console, FrameDigest } from './console';
import { hexOf } from './hex';

/** SHA-256 of some bytes as hex, at once or later. A caller under Node may give a faster one than the platform's. */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => string | Promise<string>;

/**
 * `crypto.subtle` where the origin has it, else the WebAssembly instance. It copies the bytes before it returns (Web
 * Cryptography, method `digest`), so the frame may be replaced while the digest is still being made.
 */
export const platformSha256: Sha256 = (bytes) => {
  const subtle = crypto.subtle;
  if (subtle === undefined) return sha256Hex(bytes);
  return subtle.digest('SHA-256', bytes).then((digest) => hexOf(new Uint8Array(digest)));
};

/** The digest of the frame a console shows. The console may go on before the promise has resolved. */
export async function frameDigest(console: Console, sha256: Sha256 = platformSha256): Promise<FrameDigest> {
  const ram = sha256Hex(console.ram);
  return { ram, rgb: await sha256(console.rgb()) };
}
