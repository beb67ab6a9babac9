import type { Changes } from './address';
import { addressOf, merge } from './address';
import { exportName } from './export-name';

interface Shown {
  readonly run: string;
  readonly experiment: string;
}

/** What a page knows of the runs in it; all null where there is none. */
interface View {
  /** The run that the page shows, whether or not the address names it. */
  readonly shown: Shown | null;
  /** The run that the address's `bundle` led to. */
  readonly linked: string | null;
  /** The runs that the address compares. */
  readonly compared: readonly (string | null)[];
}

/**
 * How a copied link names the run that is shown, and whether a run in it is nowhere but in this browser. A bundle that
 * did not lead to the run is no name for it.
 */
export function shareOf({ shown, linked, compared }: View): {
  readonly changes: Changes;
  readonly local: boolean;
} {
  if (shown === null)
    return { changes: {}, local: compared.some((run) => run !== null && run !== '' && run !== linked) };
  if (shown.run === linked) return { changes: {}, local: false };
  return { changes: { run: shown.run, bundle: null }, local: true };
}

/** The link to the exported run in a folder `runs` beside the site. */
export function besideLink(shown: Shown, section: string): string {
  const bundle = `runs/${exportName(shown)}.zip`;
  return addressOf(shown.experiment, section || 'report', merge(new URLSearchParams(), { bundle }));
}
