import type { Bundle } from '../bundle/reader';
import { bundleCases } from '../bundle/records';
import type { Sha256Id } from '../identity/json';
import { createSha256Stream } from '../identity/sha256';
import { caseLine } from '../root';
import type { CaseKey } from '../run';
import type { Findings } from './findings';

/** What a walk over the cases learned. */
export interface CasesSeen {
  readonly count: number;
  /** SHA-256 over the cases written again from what was parsed, not over the file's bytes. */
  readonly sha256: Sha256Id;
}

/** Walks the cases: canonical lines, arms in one piece, ordinals ascending, each case once. */
export async function checkCases(bundle: Bundle, findings: Findings): Promise<CasesSeen> {
  const hash = await createSha256Stream();
  const arms = new Set<string>();
  let before = null as CaseKey | null;
  let count = 0;
  for await (const record of bundleCases(bundle)) {
    count += 1;
    const where = `cases.jsonl line ${count}`;
    if (record.arm !== before?.arm) {
      if (arms.has(record.arm)) findings.fail('case_order', where, `The arm ${record.arm} comes twice.`);
      arms.add(record.arm);
    } else if (record.ordinal === before.ordinal) {
      findings.fail('case_duplicate', where, `${record.arm}, ordinal ${record.ordinal}, comes twice.`);
    } else if (record.ordinal < before.ordinal) {
      findings.fail('case_order', where, `Ordinals of ${record.arm} do not ascend.`);
    }
    before = { arm: record.arm, ordinal: record.ordinal };
    hash.update(caseLine(record));
  }
  return { count, sha256: hash.digest() };
}
