import { MemoryStore } from '../../src/evidence/store/memory';
import { lendSignals } from '../../src/lab/image-signals';
import { lendVlm } from '../../src/lab/in-page';
import { lendKeys } from '../../src/lab/keys';
import { lendModels } from '../../src/lab/models';
import { lendVision } from '../../src/lab/vision-controls';
import { download } from '../../src/providers/in-page/vlm/download';
import type { RunnerApi } from '../api';
import { serveStore } from './lent-store';
import { pageModelHost } from './model-host';
import { modelStore, removeModel, storedModels } from './model-store';
import { ownModels } from './own-models';
import { evidenceAccess } from './runner/evidence';
import { kept, store } from './runner/kept';
import { endAll, runControl } from './runner/under-way';
import { signalEngine } from './signal-engines';
import { throttled } from './throttle';
import { lendFolder, pageVlmHost } from './vlm-host';

/** Files of this tab that a run's plan names. Blobs are handles: their bytes are read when their turn comes. */
const lent = new Map<string, Blob>();
const keys = new Map<string, string>();
lendSignals({ picture, engine: signalEngine });
lendVision({ picture });
lendKeys((provider) => keys.get(provider) ?? null);
lendModels({ ...pageModelHost, own: ownModels.get });
lendVlm(pageVlmHost);
let downloading: AbortController | null = null;

async function picture(sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const blob = lent.get(sha256);
  if (blob !== undefined) return new Uint8Array(await blob.arrayBuffer());
  return (await (await store()).artifact(sha256))?.bytes ?? null;
}

export const api: RunnerApi = {
  ...runControl,
  ...evidenceAccess,

  async onStoreEvent(listener) {
    kept.onEvent(listener);
  },

  async keepNothing() {
    kept.inMemory(new MemoryStore(), true);
  },

  async lendStore(port) {
    serveStore(store, port);
  },

  everyRun: () => kept.everyRun(),

  async letGo() {
    downloading?.abort();
    await endAll(new DOMException('The site is reset.', 'AbortError'));
    await kept.close();
  },

  async lendPictures(files) {
    for (const { sha256, blob } of files) lent.set(sha256, blob);
  },

  async lendKey(provider, key) {
    if (key === null) keys.delete(provider);
    else keys.set(provider, key);
  },

  lendModel: ownModels.take,
  async lendModelFolder(name, folder) {
    lendFolder(name, folder);
  },

  async downloadModel(model, onProgress) {
    downloading?.abort();
    const cancel = new AbortController();
    downloading = cancel;
    const progress = throttled(onProgress);
    try {
      // The first word of a file is never held back: a slow one would be shown under the name of the one before.
      await download(model, modelStore, cancel.signal, (now) =>
        now.bytes === 0 ? onProgress(now) : progress.report(now),
      );
      return true;
    } catch (error) {
      if (cancel.signal.aborted) return false;
      throw error;
    } finally {
      progress.flush();
    }
  },

  async cancelDownload() {
    downloading?.abort();
  },

  storedModels,
  removeModel,

  async usage() {
    const { bytes, quota, memory_only } = await (await store()).usage();
    const persisted = (await navigator.storage?.persisted?.()) ?? null;
    return { bytes, quota, persisted, memoryOnly: memory_only };
  },
};
