import { PixelproofError } from '../../../errors';
import type { VlmChoice } from '../../audit/vlm-protocol';
import { neededFiles, OPTIONAL_FILES } from './files';
import { HUB, hubAddress, KNOWN_MODELS } from './known-models';

/** Where downloaded files are kept. */
export interface FileStore {
  has(address: string): Promise<boolean>;
  /** Keeps the whole body or nothing. Rejects as the body does, and with a `QuotaExceededError` where it is full. */
  put(address: string, body: ReadableStream<Uint8Array>, bytes: number | null): Promise<void>;
}

export interface DownloadProgress {
  /** Files that are here, and all that are needed. */
  readonly files: number;
  readonly of: number;
  /** The file that is coming. */
  readonly path: string;
  readonly bytes: number;
  /** Null where the server does not say. */
  readonly total: number | null;
}

/**
 * Downloads what is missing of a model that is offered by name. Only ever called after a person was shown id, licence,
 * precision, size and host, and agreed. What is whole stays when it breaks off, so that the next time goes on from there.
 * Throws `model_unknown`, `model_offline`, `model_download`, `model_files_missing`, `model_quota`; rejects with the
 * signal's reason.
 */
export async function download(
  { name, dtype }: Pick<VlmChoice, 'name' | 'dtype'>,
  store: FileStore,
  signal: AbortSignal,
  onProgress: (progress: DownloadProgress) => void,
): Promise<void> {
  if (!KNOWN_MODELS.some(({ id }) => id === name)) {
    throw new PixelproofError(
      'model_unknown',
      'Only a model of the list can be downloaded; for another choose its folder.',
      {
        expected: KNOWN_MODELS.map(({ id }) => id).join(', '),
        got: name,
      },
    );
  }
  const needed = neededFiles(dtype);
  const all = [...needed, ...OPTIONAL_FILES];
  for (const [files, path] of all.entries()) {
    signal.throwIfAborted();
    const address = hubAddress(name, path);
    if (await store.has(address)) continue;
    const report = (bytes: number, total: number | null) =>
      onProgress({ files, of: all.length, path, bytes, total });
    report(0, null);
    const response = await asked(address, signal);
    const { status, body } = response;
    if (status === 404 && !needed.includes(path)) continue;
    if (status !== 200 || body === null) throw refused(path, status);
    const total = lengthOf(response);
    try {
      await store.put(
        address,
        counted(body, (bytes) => report(bytes, total)),
        total,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw storeFault(path, error);
    }
  }
}

/** The server's own measure; null for none, and for a body that travels packed. */
function lengthOf({ headers }: Response): number | null {
  const text = headers.get('content-length');
  return text === null || headers.get('content-encoding') !== null ? null : Number(text);
}

async function asked(address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, credentials: 'omit', cache: 'no-store' });
  } catch (cause) {
    signal.throwIfAborted();
    throw offline(cause);
  }
}

function offline(cause: unknown): PixelproofError {
  return new PixelproofError(
    'model_offline',
    'The model could not be fetched: the network or the server does not answer. What had come is kept; try again.',
    { expected: `an answer from ${HUB}`, got: cause instanceof Error ? cause.message : String(cause), cause },
  );
}

function refused(path: string, status: number): PixelproofError {
  if (status === 404) {
    return new PixelproofError(
      'model_files_missing',
      `The hub has no file ${path} of this model; choose another precision.`,
      {
        expected: path,
        got: 'HTTP 404',
      },
    );
  }
  return new PixelproofError('model_download', 'The hub refused a file of this model; try again later.', {
    expected: 'HTTP 200',
    got: `HTTP ${status} for ${path}`,
  });
}

function storeFault(path: string, cause: unknown): PixelproofError {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'QuotaExceededError') {
    return new PixelproofError(
      'model_quota',
      'The browser has no room for this model. Remove another one below, or free space on the disk.',
      { expected: `room for ${path}`, got: 'the quota is used up', cause },
    );
  }
  return offline(cause);
}

/** The same bytes, counted as they pass. */
function counted(
  body: ReadableStream<Uint8Array>,
  onBytes: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await reader.read();
      if (part.done) return controller.close();
      bytes += part.value.length;
      onBytes(bytes);
      controller.enqueue(part.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
