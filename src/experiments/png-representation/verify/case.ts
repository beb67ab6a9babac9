import { canonicalJson } from '../../../evidence/identity/canonical';
import { isPyObject, type PyValue, pythonCanonical } from '../../../evidence/identity/python-json';
import { brief, cut, differingKeys } from '../../../evidence/verify/compared';
import { type Finding, failure, unreadable } from '../../../evidence/verify/finding';
import type { ExchangeRecord } from '../../../providers/provider';
import type { CaseRecord } from '../../../runner/experiment';
import type { Answer } from '../ask';
import { type CaseDto, loadCase } from '../case';
import { caseOfRecord, judgeCase } from '../judge';
import { materialiseCase } from '../materialise';
import type { PngPlan } from '../plan';
import { publishedCase } from '../published';

/** One case from its kept reply: rendered, read and judged again, and everything that differs from it. */
export async function verifyCase(
  plan: PngPlan,
  record: CaseRecord,
  where: string,
): Promise<{ record: CaseRecord; findings: Finding[] }> {
  const findings: Finding[] = [];
  const key = { arm: record.arm, ordinal: record.ordinal };
  let stored: CaseDto | null = null;
  let again: CaseRecord;
  try {
    stored = caseOfRecord(record);
  } catch (error) {
    findings.push(failure('case_unreadable', `${where} detail`, unreadable(error).message, {}));
    return { record, findings };
  }
  try {
    const answer: Answer =
      plan.frozen.provider.id === 'replay'
        ? { kind: 'recorded', entry: await publishedCase(key.arm, key.ordinal) }
        : { kind: 'exchange', exchange: keptExchange(record, stored) };
    const material = await materialiseCase(plan, key);
    again = judgeCase(plan, key, material, answer).record;
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    findings.push(
      failure(code, where, message, {
        ...(expected === undefined ? {} : { expected }),
        ...(got === undefined ? {} : { got }),
      }),
    );
    return { record, findings };
  }
  for (const name of differingKeys(again.evidence, record.evidence)) {
    findings.push(
      failure(
        'case_evidence_mismatch',
        `${where} ${name}`,
        `${key.arm} case ${key.ordinal}: ${name} differs.`,
        {
          expected: brief(again.evidence[name]),
          got: brief(record.evidence[name]),
        },
      ),
    );
  }
  // `case` is compared field by field below; what stands beside it must be what the report shows of the same case.
  const { case: _again, ...shouldShow } = again.detail;
  const { case: _stored, ...shows } = record.detail;
  for (const name of differingKeys(shouldShow, shows)) {
    findings.push(
      failure(
        'case_detail_mismatch',
        `details.jsonl ${where.replace('cases.jsonl ', '')} ${name}`,
        `${key.arm} case ${key.ordinal}: ${name} differs.`,
        {
          expected: brief(shouldShow[name]),
          got: brief(shows[name]),
        },
      ),
    );
  }
  if (again.outcome !== record.outcome) {
    findings.push(
      failure('case_outcome_mismatch', `${where} outcome`, 'The outcome does not follow from the reply.', {
        expected: again.outcome,
        got: record.outcome,
      }),
    );
  }
  findings.push(...caseDifferences(stored, again, key.arm, key.ordinal));
  // The same values in another text (`-0` for `0`, a blank) are not what we wrote.
  if (findings.length === 0 && canonicalJson(again.detail) !== canonicalJson(record.detail)) {
    const at = `details.jsonl ${where.replace('cases.jsonl ', '')} case`;
    findings.push(
      failure('case_detail_mismatch', at, 'The case record is not in the form in which it is written.', {
        expected: brief(again.detail.case),
        got: brief(record.detail.case),
      }),
    );
  }
  return { record: again, findings };
}

/** The stored case DTO by itself, then against the one derived again, field by field. */
function* caseDifferences(
  stored: CaseDto | null,
  again: CaseRecord,
  arm: string,
  ordinal: number,
): Iterable<Finding> {
  const should = caseOfRecord(again);
  const where = `${arm}/case-records.jsonl line ${ordinal + 1}`;
  if (stored === null || should === null) {
    if (stored === should) return;
    yield failure('case_missing', where, 'The full case record is missing or one too many.', {
      expected: should === null ? 'none' : should.case_id,
      got: stored === null ? 'none' : stored.case_id,
    });
    return;
  }
  try {
    loadCase(stored);
  } catch (error) {
    const { code, message, expected, got } = unreadable(error);
    yield failure(code, `${where} case_id`, message, {
      ...(expected === undefined ? {} : { expected }),
      ...(got === undefined ? {} : { got }),
    });
  }
  for (const name of new Set([...Object.keys(should), ...Object.keys(stored)])) {
    const [a, b] = [should[name], stored[name]].map((value) =>
      value === undefined ? 'absent' : pythonCanonical(value),
    );
    if (a === b) continue;
    yield failure('case_field_mismatch', `${where} ${name}`, `The case's ${name} cannot be derived again.`, {
      expected: cut(a ?? ''),
      got: cut(b ?? ''),
    });
  }
}

/** The exchange as far as a finished case keeps it: enough to read the reply again and to rebuild the case record. */
function keptExchange(record: CaseRecord, dto: CaseDto | null): ExchangeRecord {
  const { reply_text, reply_error } = record.evidence;
  const metadata: PyValue | undefined = dto?.provider_response_metadata;
  return {
    request_sha256: null,
    image_sha256: null,
    attempt: 1,
    status: null,
    cause: null,
    reply_text: typeof reply_text === 'string' ? reply_text : null,
    model_in_reply: null,
    latency_us: typeof dto?.provider_latency_us === 'number' ? dto.provider_latency_us : null,
    tokens: null,
    response_metadata_text: isPyObject(metadata) ? pythonCanonical(metadata) : '{}',
    reply_error: typeof reply_error === 'string' ? reply_error : null,
  };
}
