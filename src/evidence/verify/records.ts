import type { Bundle } from '../bundle/reader';
import { bundleArtifacts, bundleCases, bundleExchanges } from '../bundle/records';
import type { Sha256Id } from '../identity/json';
import { createSha256Stream } from '../identity/sha256';
import { caseLine } from '../root';
import type { CaseKey, CaseRecord, JournalledExchange } from '../run';
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

/**
 * Walks exchanges and cases side by side, both in plan order: every question of a finished case has exactly one
 * answer, which is its last attempt; no exchange belongs to a case that is not there, except those of the case
 * that an unfinished run was in.
 */
export async function checkExchanges(bundle: Bundle, findings: Findings): Promise<number> {
  const cases = bundleCases(bundle)[Symbol.asyncIterator]();
  let current: IteratorResult<CaseRecord, unknown> = await cases.next();
  let count = 0;
  let question = null as { at: JournalledExchange; answers: number } | null;

  const close = () => {
    if (question === null || current.done === true) return;
    const { at, answers } = question;
    const where = `exchanges.jsonl: ${at.key.arm}, ordinal ${at.key.ordinal}, question ${at.index}`;
    if (answers === 0) findings.fail('exchange_unanswered', where, 'The case is finished but has no answer.');
    if (answers > 1)
      findings.fail('exchange_repeated', where, 'A question that was answered was asked again.');
  };
  for await (const exchange of bundleExchanges(bundle)) {
    count += 1;
    if (question === null || !sameQuestion(question.at, exchange)) {
      close();
      const sameCase = question !== null && sameKey(question.at.key, exchange.key);
      const expected = sameCase && question !== null ? question.at.index + 1 : 0;
      if (exchange.index !== expected) {
        findings.fail(
          'exchange_order',
          `exchanges.jsonl line ${count}`,
          'Questions of a case count from 0 without a gap.',
          String(expected),
          String(exchange.index),
        );
      }
      question = { at: exchange, answers: 0 };
      while (current.done !== true && !sameKey(current.value, exchange.key)) current = await cases.next();
      const open = current.done === true;
      if (open && bundle.manifest.complete) {
        findings.fail(
          'exchange_without_case',
          `exchanges.jsonl line ${count}`,
          `The exchange belongs to no case in its place: ${exchange.key.arm}, ordinal ${exchange.key.ordinal}.`,
        );
      }
    }
    if (exchange.exchange.cause === null) question.answers += 1;
  }
  close();
  return count;
}

function sameKey(a: CaseKey, b: CaseKey): boolean {
  return a.arm === b.arm && a.ordinal === b.ordinal;
}

function sameQuestion(a: JournalledExchange, b: JournalledExchange): boolean {
  return sameKey(a.key, b.key) && a.index === b.index;
}

/** Every artifact that the run kept is a file of the bundle, by digest and size. */
export async function checkArtifacts(bundle: Bundle, findings: Findings): Promise<number> {
  const files = new Map(bundle.manifest.files.map((file) => [file.sha256, file]));
  let count = 0;
  for await (const { sha256, bytes } of bundleArtifacts(bundle)) {
    count += 1;
    const file = files.get(sha256);
    if (file === undefined || file.bytes !== bytes) {
      findings.fail(
        'artifact_missing',
        `artifacts.jsonl line ${count}`,
        'No file of the bundle is this artifact.',
        sha256,
      );
    }
  }
  return count;
}
