import type { SignalEngine } from '../../pixels/signals/engine';
import { wasmEngine } from '../../pixels/signals/engine';

/**
 * What a window, a worker or Node lends to this experiment: where files lie whose digests the plan names, and which
 * engines there are. The plan holds digests only, so a run can go on anywhere the same files can be found.
 */
export interface SignalsHost {
  /** The bytes with this digest (`sha256:…`), null where nobody has them. */
  picture(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Null where this machine has no such engine. */
  engine(id: string): Promise<SignalEngine | null>;
}

/** No files of anybody's, and the engine that is everywhere: enough for drawn scenes. */
export const bareHost: SignalsHost = {
  picture: async () => null,
  engine: async (id) => (id === wasmEngine.identity.id ? wasmEngine : null),
};
