import { createSHA256 } from 'hash-wasm';
import type { Sha256Id } from './json';

/**
 * SHA-256 by one interface. Small inputs (identities, replies) go through one reused WebAssembly instance,
 * synchronously; large ones (pictures, files) through `crypto.subtle`, where the page has it: it exists only on
 * secure origins, so the instance stands in elsewhere. Both give the same digest.
 */
const instance = await createSHA256();
const utf8 = new TextEncoder();

/** Below this many bytes the call into `crypto.subtle` costs more than hashing in WebAssembly. */
const SUBTLE_FROM_BYTES = 2048;

/** SHA-256 as 64 lowercase hexadecimal digits. A string is hashed as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return instance.init().update(data).digest('hex');
}

/** SHA-256 in the identity form `sha256:<hex>`. A string is hashed as UTF-8. */
export function sha256(data: Uint8Array | string): Sha256Id {
  return `sha256:${sha256Hex(data)}`;
}

/** The same digest for large inputs, off the calling thread where the platform offers it. */
export async function sha256Large(data: Uint8Array<ArrayBuffer> | string): Promise<Sha256Id> {
  const bytes = typeof data === 'string' ? utf8.encode(data) : data;
  const subtle = crypto.subtle;
  if (bytes.length < SUBTLE_FROM_BYTES || subtle === undefined) return sha256(bytes);
  return `sha256:${hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes)))}`;
}

/** A digest fed piece by piece, for streams. Each call gives an independent hasher. */
export async function createSha256Stream(): Promise<{
  update(data: Uint8Array | string): void;
  digest(): Sha256Id;
}> {
  const hasher = (await createSHA256()).init();
  return {
    update: (data) => {
      hasher.update(data);
    },
    digest: () => `sha256:${hasher.digest('hex')}`,
  };
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

const SHA256_ID = /^sha256:[0-9a-f]{64}$/;

/** Whether a text has the identity form. */
export function isSha256Id(text: unknown): text is Sha256Id {
  return typeof text === 'string' && SHA256_ID.test(text);
}
