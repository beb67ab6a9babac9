import { PixelproofError } from '../errors';
import type { RunHeader } from '../runner/experiment';
import { announcer } from './announce.svelte';
import { namedRun } from './linked.svelte';
import { missingRun } from './missing-run.svelte';
import { route } from './route.svelte';
import { runner } from './workers';

/**
 * The stored run that the address names; null where it names none. A run of another experiment opens on its own page,
 * and the answer is `elsewhere`. Throws `run_not_found`.
 */
export async function runOfAddress(experiment: string): Promise<RunHeader | null | 'elsewhere'> {
  const named = namedRun();
  if (named === null) return null;
  const header = await runner().header(named);
  if (header === null) {
    const missing = new PixelproofError(
      'run_not_found',
      'The run that this link names is not stored in this browser.',
      { expected: named },
    );
    // The page tells it under Run, which may be far from where the link lands: so it is said, and stands above the page.
    announcer.say(missing.message);
    missingRun.run = named;
    throw missing;
  }
  missingRun.found(named);
  if (header.experiment === experiment) return header;
  location.replace(route.at(header.experiment, route.section, { run: named }));
  return 'elsewhere';
}
