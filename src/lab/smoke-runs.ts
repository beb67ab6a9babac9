import { VARIANTS } from '../experiments/png-representation/variants';
import type { RunRequest } from './request';

/** A run that needs no network and no choice, and whose result is known. Data only: the home page carries it. */
export interface SmokeRun {
  readonly label: string;
  readonly request: RunRequest;
  /** The root digest that this run has everywhere. */
  readonly root: string;
}

export const SMOKE_RUNS: readonly SmokeRun[] = [
  {
    label: 'Wiring check of all eleven recipes',
    request: {
      experiment: 'png-representation',
      parameters: {
        fixture: 'smoke',
        variants: VARIANTS,
        combined_cooldown: 'cooldown-dual-v1',
        combined_lane: 'lane-enhanced-v1',
        compile_reports: true,
      },
      provider: { id: 'scripted', settings: {} },
    },
    root: 'sha256:2fbe3c02ab1e9fcb8c7583b1acd1ee0b55b35e9ce28870296047597b5c97ca86',
  },
  {
    label: 'Published run, replayed',
    request: {
      experiment: 'png-representation',
      parameters: { fixture: 'smoke' },
      provider: { id: 'replay', settings: {} },
    },
    root: 'sha256:89f1346432cf62ec34d135feb2cbe544ddcaf8be05206a05283b27d77a35d090',
  },
];
