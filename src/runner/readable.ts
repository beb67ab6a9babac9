import { PixelproofError } from '../errors';
import { parseObject } from '../evidence/bundle/safe-json';
import { canonicalJson } from '../evidence/identity/canonical';
import { caseLine } from '../evidence/root';
import type { CaseKey, CaseRecord } from '../evidence/run';

/**
 * Refuses a judged record that could not be exported and read back, while its case is still open: better a stop at
 * the first case than a bundle that no importer takes. Throws `run_case_key` where the record is of another case,
 * `run_case_record` for its outcome or arm, `identity_not_json`, and `json_*` for what its evidence and detail hold.
 */
export function requireReadable(record: CaseRecord, key: CaseKey): void {
  if (record.arm !== key.arm || record.ordinal !== key.ordinal) {
    throw new PixelproofError('run_case_key', 'The judged record is of another case than the one asked.', {
      expected: `${key.arm} ${key.ordinal}`,
      got: `${record.arm} ${record.ordinal}`,
    });
  }
  for (const name of [record.arm, record.outcome]) {
    if (name.length === 0 || name.length > 200) {
      throw new PixelproofError('run_case_record', 'An arm and an outcome have 1 to 200 characters.', {
        got: name,
      });
    }
  }
  const where = `${record.arm}, case ${record.ordinal + 1}`;
  parseObject(caseLine(record), where);
  parseObject(canonicalJson(record.detail), where);
}
