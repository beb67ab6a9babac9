import type { Component } from 'svelte';
import type { JsonObject } from '../evidence/identity/json';
import { SMOKE_RUNS, type SmokeRun } from '../lab/smoke-runs';
import type { ResultKind } from '../providers/provider';
import SignalsCard from './pages/image-signals/CardPicture.svelte';
import PngCard from './pages/png-representation/CardPicture.svelte';
import PongCard from './pages/pong-controls/CardPicture.svelte';
import VisionCard from './pages/vision-controls/CardPicture.svelte';
import { pixels, pong, signals, vision } from './workers';

/** How an experiment plugs into the site. Everything heavy comes by `import()`. */
export interface ExperimentEntry {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  /** Starts the worker that its page asks first. */
  readonly begin: () => void;
  /** The picture on the card: real renders, as files. It comes with the shell, because Home shows all of them. */
  readonly picture: Component;
  readonly smoke: readonly SmokeRun[];
  /** One sentence about a finished run, from its report. */
  readonly verdict: () => Promise<{ verdict: (report: JsonObject, kind: ResultKind) => string }>;
}

export const experiments: readonly ExperimentEntry[] = [
  {
    id: 'png-representation',
    title: 'PNG representation',
    sentence:
      'Change only how a small game state is drawn. Does the same model still read it, and act the same?',
    begin: () => void pixels(),
    picture: PngCard,
    verdict: () => import('./pages/png-representation/verdict'),
    smoke: SMOKE_RUNS.filter((run) => run.request.experiment === 'png-representation'),
  },
  {
    id: 'pong-controls',
    title: 'Pong controls',
    sentence:
      'Two coded rules, and one model asked two ways, play the same fixed frames. What does each decide?',
    begin: () => void pong(),
    picture: PongCard,
    verdict: () => import('./pages/pong-controls/verdict'),
    smoke: SMOKE_RUNS.filter((run) => run.request.experiment === 'pong-controls'),
  },
  {
    id: 'vision-controls',
    title: 'Vision controls',
    sentence:
      'One question with the right picture, with none and with the wrong one. Does the picture move the answer?',
    begin: () => void vision(),
    picture: VisionCard,
    verdict: () => import('./pages/vision-controls/verdict'),
    smoke: SMOKE_RUNS.filter((run) => run.request.experiment === 'vision-controls'),
  },
  {
    id: 'image-signals',
    title: 'Image signals',
    sentence:
      'Fixed rules count colours in fixed regions. What can a rule say of a picture, and what can only a person see?',
    begin: () => void signals(),
    picture: SignalsCard,
    verdict: () => import('./pages/image-signals/verdict'),
    smoke: SMOKE_RUNS.filter((run) => run.request.experiment === 'image-signals'),
  },
];
