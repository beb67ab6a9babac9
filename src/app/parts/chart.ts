import type { PlotOptions } from '@observablehq/plot';

export type PlotLibrary = typeof import('./plot');

/** What a chart has to draw on. */
interface Room {
  /** CSS pixels. */
  readonly width: number;
  /** Pixels of one line of small text, as this reader has set it. */
  readonly line: number;
}

/** What a chart shows. Its height comes from Chart.svelte, its colours are names of tokens.css. */
export type Draw = (library: PlotLibrary, room: Room) => Omit<PlotOptions, 'width' | 'height'>;

/** Words that stand on lines interrupt them. */
export const HALO = { stroke: 'var(--paper)', strokeWidth: 6, strokeLinejoin: 'round' } as const;
/** A named bound or another value to compare with. */
export const REFERENCE = { stroke: 'var(--ink)', strokeDasharray: '4 3' } as const;

let library: Promise<PlotLibrary> | null = null;

/** The library, fetched once. A fetch that failed is tried anew by the next chart. */
export function plotLibrary(): Promise<PlotLibrary> {
  library ??= import('./plot').catch((thrown: unknown) => {
    library = null;
    throw thrown;
  });
  return library;
}
