import type { FileStore } from '../../src/providers/in-page/vlm/download';
import type { ModelFiles } from '../../src/providers/in-page/vlm/files';
import { HUB, hubAddress } from '../../src/providers/in-page/vlm/known-models';
import type { StoredModel } from '../api';

/** Downloaded models, by the address of each file. Apart from runs: removing one removes no evidence. */
const CACHE = 'pixelproof-downloaded-models';
const BYTES = 'content-length';

const cache = (): Promise<Cache> => caches.open(CACHE);
/** Null where nothing was ever downloaded: looking makes no cache. */
const existing = async (): Promise<Cache | null> => ((await caches.has(CACHE)) ? cache() : null);

export const modelStore: FileStore = {
  has: async (address) => (await (await existing())?.match(address)) !== undefined,
  async put(address, body, bytes) {
    const headers = bytes === null ? {} : { [BYTES]: String(bytes) };
    await (await cache()).put(
      address,
      new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, { headers }),
    );
  },
};

/** What was downloaded of a model, as the files of its folder. */
export function downloadedFiles(name: string): ModelFiles {
  return {
    has: (path) => modelStore.has(hubAddress(name, path)),
    async read(path) {
      const found = await (await existing())?.match(hubAddress(name, path));
      return found === undefined ? null : new Uint8Array(await found.arrayBuffer());
    },
  };
}

/** Models of which any file is here, with the bytes of their files. */
export async function storedModels(): Promise<readonly StoredModel[]> {
  const models = new Map<string, { bytes: number; files: string[] }>();
  const kept = await existing();
  if (kept === null) return [];
  for (const { url } of await kept.keys()) {
    const [, name, path] = /^\/([^/]+\/[^/]+)\/resolve\/main\/(.+)$/.exec(url.slice(HUB.length)) ?? [];
    if (name === undefined || path === undefined) continue;
    const found = await kept.match(url);
    const stated = Number(found?.headers.get(BYTES) ?? Number.NaN);
    const bytes = Number.isFinite(stated) ? stated : ((await found?.blob())?.size ?? 0);
    const model = models.get(name) ?? { bytes: 0, files: [] };
    model.bytes += bytes;
    model.files.push(path);
    models.set(name, model);
  }
  return [...models].map(([name, { bytes, files }]) => ({ name, bytes, files }));
}

export async function removeModel(name: string): Promise<void> {
  const kept = await existing();
  if (kept === null) return;
  for (const { url } of await kept.keys()) {
    if (url.startsWith(hubAddress(name, ''))) await kept.delete(url);
  }
}
