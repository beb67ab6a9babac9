import { PixelproofError } from '../../src/errors';

/** `models/` of the built site lies beside the folder of its scripts. */
const MODELS = new URL(import.meta.env.DEV ? '/models/' : '../models/', import.meta.url);

/**
 * A file below `models/` of the site that this worker comes from. Throws `model_missing` where it is not there, where a
 * page came in its place, and where the network is away.
 */
export async function siteFile(
  path: string,
  signal: AbortSignal,
  onProgress?: (done: number, total: number | null) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(path, MODELS);
  try {
    const response = await fetch(url, { signal, credentials: 'same-origin' });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || type.startsWith('text/html')) throw missing(path, `HTTP ${response.status}, ${type}`);
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    return await wholeBody(response, Number.isFinite(length) ? length : null, onProgress);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PixelproofError) throw error;
    throw missing(path, error instanceof Error ? error.message : String(error), error);
  }
}

async function wholeBody(
  response: Response,
  total: number | null,
  onProgress?: (done: number, total: number | null) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let done = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    done += part.length;
    onProgress?.(done, total);
  }
  const whole = new Uint8Array(done);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function missing(path: string, got: string, cause?: unknown): PixelproofError {
  return new PixelproofError(
    'model_missing',
    `The model file ${path} did not arrive from this site. Check the connection and try again; nothing was counted.`,
    { expected: `models/${path}`, got, cause },
  );
}
