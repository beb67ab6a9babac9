import { PixelproofError } from '../../../errors';
import { sha256Large } from '../../../evidence/identity/sha256';
import type { ModelHost } from '../model-host';
import type { Weights } from './weights-list';

/** The bytes of one file. Throws `model_altered` for one that is cut or altered, and as `ModelHost.file`. */
export async function weightsOf(
  host: ModelHost,
  part: Weights,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await host.file(part.path, signal);
  const digest = await sha256Large(bytes);
  if (bytes.length === part.bytes && digest === part.sha256) return bytes;
  throw new PixelproofError(
    'model_altered',
    `The file models/${part.path} is not the one that was published: it was cut or changed. Build the site again.`,
    { expected: `${part.bytes} bytes, ${part.sha256}`, got: `${bytes.length} bytes, ${digest}` },
  );
}
