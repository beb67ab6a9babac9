import { PixelproofError } from '../../src/errors';
import { type VlmChoice, vlmModel } from '../../src/providers/audit/vlm-protocol';
import { neededFiles } from '../../src/providers/in-page/vlm/files';
import type { VlmHost, VlmSession } from '../../src/providers/in-page/vlm/vlm-host';
import script from '../transformers?worker&url';
import type { ModelFolder, TransformersApi } from '../transformers-api';
import { downloadedFiles } from './model-store';
import { NestedWorker } from './nested-worker';

/** Folders of this tab, by the name under which a person lent each. */
const folders = new Map<string, ModelFolder>();

export function lendFolder(name: string, folder: ModelFolder): void {
  folders.set(name, folder);
}

/** Models in a worker of their own: cancelling ends the worker, in the middle of an answer too. */
export const pageVlmHost: VlmHost = {
  async open(choice, signal) {
    signal.throwIfAborted();
    const folder = folders.get(choice.name) ?? null;
    if (folder === null) await requireDownloaded(choice);
    const worker = new NestedWorker<TransformersApi>('transformers', choice.name, script);
    try {
      const facts = await worker.answer(worker.api.open(choice, folder), signal);
      worker.watch();
      return {
        facts,
        text: (asked, most, given) => untilAborted(worker, worker.api.text(asked, most), given),
        score: (asked, controls, given) => untilAborted(worker, worker.api.score(asked, controls), given),
        close: async () => worker.end(),
      } satisfies VlmSession;
    } catch (error) {
      worker.end();
      throw error;
    }
  },
};

async function untilAborted<T>(
  worker: NestedWorker<TransformersApi>,
  asked: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await worker.answer(asked, signal);
  } finally {
    if (signal.aborted) worker.end();
  }
}

async function requireDownloaded(choice: VlmChoice): Promise<void> {
  const files = downloadedFiles(choice.name);
  for (const path of neededFiles(choice.dtype)) {
    if (await files.has(path)) continue;
    throw new PixelproofError(
      'model_not_here',
      'This model is not on this device: download it, or choose its folder, under Plan.',
      { expected: vlmModel(choice), got: `without ${path}` },
    );
  }
}
