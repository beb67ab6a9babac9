import type { Writing } from './schema';

/**
 * Removes a run inside one transaction, so that a tab killed half-way removes nothing. An artifact goes with its
 * last link; links are read `batch` at a time.
 */
export async function removeRun(tx: Writing, run: string, batch: number): Promise<void> {
  const links = tx.objectStore('links');
  const ofRun = IDBKeyRange.bound([run], [run, []]);
  for (;;) {
    const some = await links.getAll(ofRun, batch);
    if (some.length === 0) break;
    for (const { sha256 } of some) {
      await links.delete([run, sha256]);
      const wanted = await links.index('artifact').getKey(IDBKeyRange.bound([sha256], [sha256, []]));
      if (wanted === undefined) await tx.objectStore('artifacts').delete(sha256);
    }
  }
  await tx.objectStore('cases').delete(ofRun);
  await tx.objectStore('tallies').delete(ofRun);
  await tx.objectStore('exchanges').delete(ofRun);
  await tx.objectStore('plans').delete(run);
  await tx.objectStore('runs').delete(run);
}
