import type { VerifyResult } from '../../workers/api';
import { outside } from '../outside-words';
import type { RunHeader } from '../runner/experiment';
import { announcer } from './announce.svelte';
import type { GivenBundle } from './given-bundles';
import { missingRun } from './missing-run.svelte';
import { storage } from './storage.svelte';
import { tellStored } from './stored-news';
import { runner } from './workers';

/** A bundle as it was checked, in the words of the verification. */
export interface CheckedBundle {
  /** Fit to stand in a sentence. */
  readonly name: string;
  readonly result: VerifyResult;
  readonly note: string;
  /** The run that it is here now; null where it did not verify. */
  readonly header: RunHeader | null;
}

/** What became of a bundle that was checked and, where it verifies, stored. */
export function keptWords(ok: boolean, already: boolean): string {
  if (!ok) return 'It was not stored: only what verifies is stored.';
  if (already) return storage.memoryOnly ? 'It was already in memory.' : 'It was already stored.';
  return storage.memoryOnly ? 'It is in memory, until this tab closes.' : 'It was stored.';
}

/** Checks what was given and stores it when it verifies. Rejects with a `WorkerError`. */
export async function importGiven(given: GivenBundle): Promise<CheckedBundle> {
  const { result, header, already } = await runner().importRun(given.source);
  if (header !== null && !already) tellStored();
  if (header !== null) missingRun.found(header.run);
  const note = keptWords(result.ok, already);
  const name = outside(given.name);
  announcer.say(`${name}: ${result.ok ? 'verified' : 'does not verify'}. ${note}`);
  return { name, result, note, header };
}
