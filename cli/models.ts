import { readFile, stat } from 'node:fs/promises';
import { PixelproofError } from '../src/errors';
import { lendVlm } from '../src/lab/in-page';
import { lendModels, type OwnModel } from '../src/lab/models';
import { readOwnModel, requireModelSize } from '../src/lab/own-model';
import { nodeModelHost } from './model-host';
import { nodeVlmHost } from './vlm-host';

const own = new Map<string, OwnModel>();

/** Lets runs of this process use models: those that ship with the program, and those that `takeModel` read. */
export function lendModelsHere(): void {
  lendModels({ ...nodeModelHost(), own: (identity) => own.get(identity) ?? null });
  lendVlm(nodeVlmHost(null));
}

/** Lets runs of this process use the model in a folder, for the provider transformers. */
export function takeModelFolder(folder: string): void {
  lendVlm(nodeVlmHost(folder));
}

/**
 * Reads a model file and its card and lends them; returns the identity that a plan names. Throws `input_unreadable`,
 * `model_too_large`, `model_card`, `model_unreadable`.
 */
export async function takeModel(file: string, cardFile: string): Promise<string> {
  const size = await readable(file, () => stat(file).then(({ size: bytes }) => bytes));
  requireModelSize(size);
  const bytes = await readable(file, async () => new Uint8Array(await readFile(file)));
  const text = await readable(cardFile, () => readFile(cardFile, 'utf8'));
  const { card, identity } = await readOwnModel(bytes, text);
  own.set(identity, { card, bytes: async () => bytes });
  return identity;
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new PixelproofError('input_unreadable', `Cannot read ${path}.`, {
      expected: 'a file that can be read',
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}
