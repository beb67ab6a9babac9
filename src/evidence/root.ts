import { canonicalId, canonicalJson } from './identity/canonical';
import type { Sha256Id } from './identity/json';
import { createSha256Stream } from './identity/sha256';
import type { CaseRecord } from './run';

/** What a root digest is taken over. Documented for strangers in docs/evidence-format.md. */
export interface RootParts {
  readonly experiment: string;
  readonly plan_id: Sha256Id;
  readonly case_count: number;
  /** SHA-256 of the bytes of `cases.jsonl`. */
  readonly cases_sha256: Sha256Id;
}

/** One line of `cases.jsonl`, line feed included: the part of a case that has an identity. */
export function caseLine(record: CaseRecord): string {
  const { arm, ordinal, outcome, evidence } = record;
  return `${canonicalJson({ arm, ordinal, outcome, evidence })}\n`;
}

/** The root digest from its parts: equal for the same plan and the same replies, whatever made them. */
export function rootOf(parts: RootParts): Sha256Id {
  const { experiment, plan_id, case_count, cases_sha256 } = parts;
  return canonicalId({ format: 'pixelproof-root/1', experiment, plan_id, case_count, cases_sha256 });
}

/** The root digest over cases in plan order, in constant memory. `case_count` is the number of cases that came. */
export async function rootDigest(
  plan: { readonly experiment: string; readonly plan_id: Sha256Id },
  cases: AsyncIterable<CaseRecord>,
): Promise<Sha256Id> {
  const hash = await createSha256Stream();
  let case_count = 0;
  for await (const record of cases) {
    hash.update(caseLine(record));
    case_count += 1;
  }
  return rootOf({
    experiment: plan.experiment,
    plan_id: plan.plan_id,
    case_count,
    cases_sha256: hash.digest(),
  });
}
