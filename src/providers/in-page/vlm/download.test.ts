import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DownloadProgress, download, type FileStore } from './download';
import { neededFiles, OPTIONAL_FILES } from './files';
import { DEFAULT_VLM, hubAddress, KNOWN_MODELS } from './known-models';

const NAME = KNOWN_MODELS[0]?.id ?? '';
const choice = { name: NAME, dtype: 'int8' } as const;
const needed = neededFiles('int8');
const signal = new AbortController().signal;

function memoryStore(full = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  const store: FileStore = {
    has: async (address) => kept.has(address),
    async put(address, body) {
      const text = await new Response(body as unknown as BodyInit).text();
      if (kept.size >= full) throw new DOMException('No room.', 'QuotaExceededError');
      kept.set(address, text);
    },
  };
  return { kept, store };
}

/** A hub that has the needed files, each holding its own path. */
function hub(answer: (path: string) => Response | null = () => null) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { signal: given }: { signal: AbortSignal }) => {
    given.throwIfAborted();
    const path = address.replace(hubAddress(NAME, ''), '');
    asked.push(path);
    const own = answer(path);
    if (own !== null) return own;
    if (!needed.includes(path)) return new Response('', { status: 404 });
    return new Response(path, { headers: { 'content-length': String(path.length) } });
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('a download', () => {
  it('keeps every file that is needed, and says how far it is', async () => {
    const asked = hub();
    const { kept, store } = memoryStore();
    const told: DownloadProgress[] = [];
    await download(choice, store, signal, (progress) => told.push(progress));
    expect([...kept.values()]).toEqual(needed);
    expect(asked).toEqual([...needed, ...OPTIONAL_FILES]);
    const path = 'tokenizer.json';
    expect(told.filter((each) => each.path === path)).toEqual([
      { files: 3, of: 11, path, bytes: 0, total: null },
      { files: 3, of: 11, path, bytes: 14, total: 14 },
    ]);
  });

  it('goes on where it broke off', async () => {
    const { kept, store } = memoryStore();
    hub((path) => {
      if (path.startsWith('onnx/')) throw new TypeError('Failed to fetch');
      return null;
    });
    await expect(download(choice, store, signal, () => {})).rejects.toMatchObject({ code: 'model_offline' });
    expect(kept.size).toBe(5);
    const again = hub();
    await download(choice, store, signal, () => {});
    expect(again).toEqual([...needed.slice(5), ...OPTIONAL_FILES]);
  });

  it('breaks off in the middle of a file without keeping it', async () => {
    hub((path) => {
      if (path !== 'tokenizer.json') return null;
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new TypeError('network error')),
        }),
      );
    });
    const { kept, store } = memoryStore();
    await expect(download(choice, store, signal, () => {})).rejects.toMatchObject({ code: 'model_offline' });
    expect([...kept.values()]).toEqual(needed.slice(0, 3));
  });

  it.each([
    [404, 'model_files_missing'],
    [429, 'model_download'],
    [503, 'model_download'],
  ])('names HTTP %i', async (status, code) => {
    hub((path) => (path === 'config.json' ? new Response('', { status }) : null));
    await expect(download(choice, memoryStore().store, signal, () => {})).rejects.toMatchObject({ code });
  });

  it('names a full disk', async () => {
    hub();
    await expect(download(choice, memoryStore(2).store, signal, () => {})).rejects.toMatchObject({
      code: 'model_quota',
    });
  });

  it('stops with the signal', async () => {
    const cancel = new AbortController();
    hub((path) => {
      if (path === 'tokenizer.json') cancel.abort(new DOMException('Cancelled.', 'AbortError'));
      return null;
    });
    await expect(download(choice, memoryStore().store, cancel.signal, () => {})).rejects.toThrow(
      'Cancelled.',
    );
  });

  it('is of the list only, and asks nobody for another', async () => {
    const asked = hub();
    await expect(
      download({ name: 'somebody/else', dtype: 'int8' }, memoryStore().store, signal, () => {}),
    ).rejects.toMatchObject({ code: 'model_unknown' });
    expect(asked).toEqual([]);
  });
});

it('the default is a model of the list', () => {
  expect(
    KNOWN_MODELS.some(({ id, precisions }) =>
      precisions.some(({ dtype }) => `${id} ${dtype}` === DEFAULT_VLM),
    ),
  ).toBe(true);
});
