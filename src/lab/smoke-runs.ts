import { VARIANTS } from '../experiments/png-representation/variants';
import type { RunRequest } from './request';

/** A run that needs no network and no choice, and whose result is known. Data only: the home page carries it. */
export interface SmokeRun {
  readonly label: string;
  readonly request: RunRequest;
  /** The root digest that this run has everywhere. */
  readonly root: string;
}

/**
 * The digest over the roots of all of them, by the rule of `smoke-overall.ts`. Written down so that a page compares what
 * it computed with a value that stands somewhere; a test derives it from the roots below.
 */
export const SMOKE_OVERALL = 'sha256:859f4105ce85bc5700cdde99e05feccd5d40bf0ca13807b13051b50829f3a7c3';

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
  {
    label: 'Nine drawn scenes, measured',
    request: {
      experiment: 'image-signals',
      parameters: {
        pictures: [
          ...[1, 2, 3].map((seed) => ({
            scene: { layout: 'correct', seed, width: 256, height: 256 },
            cell: { arm: 'drawn', repetition: seed },
          })),
          ...['swapped', 'no-lemon', 'small-lemon', 'grey-background', 'joined-by-shadow', 'blank'].map(
            (layout) => ({ scene: { layout, seed: 7, width: 320, height: 180 } }),
          ),
        ],
      },
      provider: { id: 'drawn', settings: {} },
    },
    root: 'sha256:e21be7bcf17f8a8a8bfdae065e200aa4b6e4c36914176b13fe249e37ebe3386b',
  },
  {
    label: 'Two coded rules on our own cartridge',
    request: {
      experiment: 'pong-controls',
      parameters: { cartridge: 'paddle', seeds: [36, 37], frames: 2000 },
      provider: { id: 'local', settings: {} },
    },
    root: 'sha256:cac08d46973948f551fc498525f766d3f42fcf1f410d2f79c483ca6689042ea9',
  },
  {
    label: 'Demo set, scripted scores',
    request: {
      experiment: 'vision-controls',
      parameters: { fixture: 'demo' },
      provider: { id: 'scripted', settings: {} },
    },
    root: 'sha256:16ff01b5f3ccf3c7ae14175f7cd04f00c0be2493792bda13d5986703743ca74a',
  },
  {
    label: 'Published receipt, replayed',
    request: { experiment: 'vision-controls', parameters: {}, provider: { id: 'replay', settings: {} } },
    root: 'sha256:4a5723b2387a5adb0322dbeb146a6366538a9e480f31726189a43db19298e80c',
  },
];
