import type { JsonObject } from '../../src/evidence/identity/json';

/** A driver that hangs must not hold up a run. */
const PATIENCE_MS = 2000;

export type AdapterAnswer = GPUAdapter | 'none' | 'no_answer';

/** The graphics adapter that this worker is given, if any. Never throws. */
export async function askForAdapter(): Promise<AdapterAnswer> {
  const gpu: GPU | undefined = navigator.gpu;
  if (gpu === undefined) return 'none';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'no_answer'>((resolve) => {
    timer = setTimeout(() => resolve('no_answer'), PATIENCE_MS);
  });
  try {
    return await Promise.race([gpu.requestAdapter().then((adapter) => adapter ?? 'none'), late]);
  } catch {
    return 'none';
  } finally {
    clearTimeout(timer);
  }
}

/** What a run says of it: whose it is and of which family, and nothing finer. */
export function adapterSummary(answer: AdapterAnswer): JsonObject {
  if (typeof answer === 'string') return { state: answer, vendor: null, architecture: null };
  const { vendor, architecture } = answer.info;
  return { state: 'adapter', vendor: vendor || null, architecture: architecture || null };
}
