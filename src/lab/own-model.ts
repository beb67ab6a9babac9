import { PixelproofError } from '../errors';
import type { Sha256Id } from '../evidence/identity/json';
import { sha256Large } from '../evidence/identity/sha256';
import { classifierIdentity } from '../providers/audit/classifier-protocol';
import { type ClassifierCard, readCard } from '../providers/in-page/card';
import { onnxFacts } from '../providers/in-page/onnx-file';

/** The largest model file that is taken, in bytes: it is held in memory three times while it is opened. */
export const MAX_MODEL_BYTES = 512 * 1024 * 1024;

/** A model file of a person's own, as it was read. */
export interface OwnModelRead {
  readonly card: ClassifierCard;
  readonly identity: string;
  readonly sha256: Sha256Id;
  readonly opset: number | null;
}

/** Throws `model_too_large` for a file of this many bytes; before it is read. */
export function requireModelSize(bytes: number): void {
  if (bytes <= MAX_MODEL_BYTES) return;
  throw new PixelproofError('model_too_large', 'The model file is larger than can be run here.', {
    expected: `at most ${MAX_MODEL_BYTES} bytes`,
    got: bytes,
  });
}

/**
 * Reads a person's model and card. Throws `model_card`, and `model_unreadable` for bytes that are no ONNX model at all;
 * whether it can be run is known when it is opened.
 */
export async function readOwnModel(bytes: Uint8Array<ArrayBuffer>, card: string): Promise<OwnModelRead> {
  const read = readCard(card);
  const facts = onnxFacts(bytes);
  if (facts === null || facts.ir_version === null) {
    throw new PixelproofError(
      'model_unreadable',
      'The file is no ONNX model, or not a whole one; nothing was asked.',
      {
        expected: 'a whole ONNX model',
        got: `${bytes.length} bytes of something else`,
      },
    );
  }
  const sha256 = await sha256Large(bytes);
  return { card: read, identity: classifierIdentity(read, sha256), sha256, opset: facts.opset };
}
