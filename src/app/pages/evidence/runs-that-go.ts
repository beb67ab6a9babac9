import { plural } from '../../format';

/** What a reset would delete, in words; null where the store could not be read. */
export function runsThatGo(runs: { readonly stored: number; readonly memory: number } | null): string {
  if (runs === null) return 'Every stored run';
  const { stored, memory } = runs;
  if (memory === 0) return plural(stored, 'stored run');
  return `${plural(stored, 'stored run')} of this browser and ${plural(memory, 'run')} in the memory of this tab,`;
}
