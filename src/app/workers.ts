import { proxy, type Remote, wrap } from 'comlink';
import type { PixelsApi, RunnerApi, SignalsApi } from '../../workers/api';
import type { AtariApi } from '../../workers/atari-api';
import type { PongApi } from '../../workers/pong-api';
import type { VisionApi } from '../../workers/vision-api';
import { storeEvents } from './store-events.svelte';

let runnerClient: Remote<RunnerApi> | null = null;
let signalsClient: Remote<SignalsApi> | null = null;
let pixelsClient: Remote<PixelsApi> | null = null;
let pongClient: Remote<PongApi> | null = null;
let visionClient: Remote<VisionApi> | null = null;
let atariClient: Remote<AtariApi> | null = null;

/** The runner's worker, started at the first call: a visitor who only reads starts none. */
export function runner(): Remote<RunnerApi> {
  if (runnerClient === null) {
    runnerClient = wrap<RunnerApi>(
      new Worker(new URL('../../workers/runner.ts', import.meta.url), { type: 'module', name: 'runner' }),
    );
    // A store that does not open says so to each call that needs it; here only its later events matter.
    runnerClient.onStoreEvent(proxy(storeEvents.add)).catch(() => undefined);
  }
  return runnerClient;
}

/** The pixels' worker, apart from the runner's, so that looking at pictures never waits for a run. */
export function pixels(): Remote<PixelsApi> {
  pixelsClient ??= wrap<PixelsApi>(
    new Worker(new URL('../../workers/pixels.ts', import.meta.url), { type: 'module', name: 'pixels' }),
  );
  return pixelsClient;
}

/** The worker that decodes and measures generated pictures, one at a time. */
export function signals(): Remote<SignalsApi> {
  signalsClient ??= wrap<SignalsApi>(
    new Worker(new URL('../../workers/signals.ts', import.meta.url), { type: 'module', name: 'signals' }),
  );
  return signalsClient;
}

/** The worker of the vision controls: demo pictures, files, receipts and audits. */
export function vision(): Remote<VisionApi> {
  visionClient ??= wrap<VisionApi>(
    new Worker(new URL('../../workers/vision.ts', import.meta.url), { type: 'module', name: 'vision' }),
  );
  return visionClient;
}

function pongWorker(name: string): Worker {
  return new Worker(new URL('../../workers/pong.ts', import.meta.url), { type: 'module', name });
}

/** The worker that plays the Pong comparison and opens what was played. */
export function pong(): Remote<PongApi> {
  if (pongClient === null) {
    pongClient = wrap<PongApi>(pongWorker('pong'));
    pongClient.onStoreEvent(proxy(storeEvents.add)).catch(() => undefined);
  }
  return pongClient;
}

/** One more player, for a sweep. Whoever asks ends it. */
export function pongPlayer(): { readonly api: Remote<PongApi>; end(): void } {
  const worker = pongWorker('pong sweep');
  const api = wrap<PongApi>(worker);
  return { api, end: () => worker.terminate() };
}

/** The console's worker. It emulates nothing until a cartridge is in it. */
export function atari(): Remote<AtariApi> {
  atariClient ??= wrap<AtariApi>(
    new Worker(new URL('../../workers/atari.ts', import.meta.url), { type: 'module', name: 'atari' }),
  );
  return atariClient;
}
