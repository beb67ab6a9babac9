import type { Component } from 'svelte';
import type { RunRequest } from '../../workers/api';
import type { JsonObject } from '../evidence/identity/json';
import type { ResultKind } from '../providers/provider';

/** One run of an experiment's smoke: no network, no choice to make. */
export interface SmokeRun {
  readonly label: string;
  readonly request: RunRequest;
  /** The published root digest of exactly this run, where there is one. */
  readonly root: string | null;
}

/** How an experiment plugs into the site. Everything heavy comes by `import()`. */
export interface ExperimentEntry {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  readonly page: () => Promise<{ default: Component }>;
  /** The picture on the card: real renders, made by a worker when the card is shown. */
  readonly picture: () => Promise<{ default: Component }>;
  readonly smoke: readonly SmokeRun[];
  /** One sentence about a finished run, from its report. */
  readonly verdict: () => Promise<{ verdict: (report: JsonObject, kind: ResultKind) => string }>;
}

export const experiments: readonly ExperimentEntry[] = [
  {
    id: 'png-representation',
    title: 'PNG representation',
    sentence:
      'Change only how a small game state is drawn. Does the same model still read it, and does a misreading change what it would do?',
    page: () => import('./pages/png-representation/Page.svelte'),
    picture: () => import('./pages/png-representation/CardPicture.svelte'),
    verdict: () => import('./pages/png-representation/verdict'),
    smoke: [
      {
        label: 'Wiring check',
        request: {
          experiment: 'png-representation',
          parameters: { fixture: 'smoke' },
          provider: { id: 'scripted', settings: {} },
        },
        root: null,
      },
      {
        label: 'Published run, replayed',
        request: {
          experiment: 'png-representation',
          parameters: { fixture: 'smoke' },
          provider: { id: 'replay', settings: {} },
        },
        root: null,
      },
    ],
  },
];
