import { platformSha256 } from '../../atari/digest';
import type { Provider } from '../../providers/provider';
import type { CaseKey } from '../../runner/experiment';
import type { Frame } from './environment';
import type { DecisionNote } from './episode';
import type { PongMachine, Sha256 } from './machine';
import { paddleRom } from './paddle';
import type { Scheduled } from './plan';
import type { RunTree } from './tree';

/** What an episode takes from its surroundings: the cartridge's bytes, who answers, where attempts are kept, who looks. */
export interface PongHost {
  /** Bytes of the cartridge with this SHA-256 (hex); null where it is not here. */
  rom(sha256: string): Promise<Uint8Array | null>;
  readonly sha256: Sha256;
  /** Seconds from any start, monotonic. */
  clock(): number;
  /** Ends an episode between two decisions. */
  readonly signal: AbortSignal;
  /** Who answers the model arms of the case; null where nobody does. */
  provider(key: CaseKey): Promise<Provider | null>;
  /** Calls of the budget that finished episodes have taken. */
  callsBefore(): Promise<number>;
  /** Keeps an attempt the moment it ends: a line of `model-exchanges.jsonl`. */
  attempt(key: CaseKey, decision: number, line: string): Promise<void>;
  /** Takes the files of an episode that did not come to its end. */
  left(files: RunTree, at: Scheduled): Promise<void>;
  onFrame?(at: Scheduled, machine: PongMachine, frame: Frame): void;
  onDecision?(at: Scheduled, decision: DecisionNote): void;
}

/** Nobody to ask and nobody who looks: coded rules on our own cartridge. */
export const bareHost: PongHost = {
  rom: paddleRom,
  sha256: platformSha256,
  clock: () => performance.now() / 1000,
  signal: new AbortController().signal,
  provider: async () => null,
  callsBefore: async () => 0,
  attempt: async () => undefined,
  left: async () => undefined,
};
