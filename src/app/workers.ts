import { proxy, type Remote, transfer, wrap } from 'comlink';
import type { PixelsApi, RunnerApi, SignalsApi } from '../../workers/api';
import atariScript from '../../workers/atari?worker&url';
import type { AtariApi } from '../../workers/atari-api';
import pixelsScript from '../../workers/pixels?worker&url';
import pongScript from '../../workers/pong?worker&url';
import type { PongApi } from '../../workers/pong-api';
import runnerScript from '../../workers/runner?worker&url';
import selfCheckScript from '../../workers/self-check?worker&url';
import type { SelfCheckApi } from '../../workers/self-check-api';
import signalsScript from '../../workers/signals?worker&url';
import visionScript from '../../workers/vision?worker&url';
import type { VisionApi } from '../../workers/vision-api';
import { keepsNothing } from './memory-session';
import { ownWorker } from './own-worker';
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
    runnerClient = wrap<RunnerApi>(ownWorker(runnerScript, 'runner'));
    // Messages arrive in their order: the worker knows it before anything opens a store.
    if (keepsNothing()) runnerClient.keepNothing().catch(() => undefined);
    // A store that does not open says so to each call that needs it; here only its later events matter.
    runnerClient.onStoreEvent(proxy(storeEvents.add)).catch(() => undefined);
  }
  return runnerClient;
}

/** Whether the runner was asked anything in this tab yet. */
export function anythingAsked(): boolean {
  return runnerClient !== null;
}

/** The pixels' worker, apart from the runner's, so that looking at pictures never waits for a run. */
export function pixels(): Remote<PixelsApi> {
  pixelsClient ??= wrap<PixelsApi>(ownWorker(pixelsScript, 'pixels'));
  return pixelsClient;
}

/** The worker that decodes and measures generated pictures, one at a time. */
export function signals(): Remote<SignalsApi> {
  signalsClient ??= wrap<SignalsApi>(ownWorker(signalsScript, 'signals'));
  return signalsClient;
}

/** The worker of the vision controls: demo pictures, files, receipts and audits. */
export function vision(): Remote<VisionApi> {
  visionClient ??= wrap<VisionApi>(ownWorker(visionScript, 'vision'));
  return visionClient;
}

function pongWorker(name: string): Worker {
  return ownWorker(pongScript, name);
}

/** The worker that plays the Pong comparison and opens what was played. */
export function pong(): Remote<PongApi> {
  if (pongClient === null) {
    pongClient = wrap<PongApi>(pongWorker('pong'));
    // Where nothing is kept both workers must see the same runs, so this one uses the runner's store.
    const { port1, port2 } = new MessageChannel();
    const lend = proxy(() => {
      runner()
        .lendStore(transfer(port1, [port1]))
        .catch(() => undefined);
    });
    pongClient.useStore(transfer(port2, [port2]), keepsNothing(), lend).catch(() => undefined);
    pongClient.onStoreEvent(proxy(storeEvents.add)).catch(() => undefined);
  }
  return pongClient;
}

/** Ends what the workers do and closes their stores; a worker that was never started has neither. */
export async function letGo(): Promise<void> {
  await Promise.all([runnerClient?.letGo(), pongClient?.letGo()]);
}

/** One more player, for a sweep. Whoever asks ends it. */
export function pongPlayer(): { readonly api: Remote<PongApi>; end(): void } {
  const worker = pongWorker('pong sweep');
  const api = wrap<PongApi>(worker);
  return { api, end: () => worker.terminate() };
}

/** A worker that checks the browser, once. Whoever asks ends it. */
export function selfChecker(): { readonly api: Remote<SelfCheckApi>; end(): void } {
  const worker = ownWorker(selfCheckScript, 'self-check');
  return { api: wrap<SelfCheckApi>(worker), end: () => worker.terminate() };
}

/** The console's worker. It emulates nothing until a cartridge is in it. */
export function atari(): Remote<AtariApi> {
  atariClient ??= wrap<AtariApi>(ownWorker(atariScript, 'atari'));
  return atariClient;
}
