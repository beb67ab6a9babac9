import { PixelproofError } from '../../errors';
import type { Bundle } from '../bundle/reader';
import { bundleCases, bundleExchanges } from '../bundle/records';
import { isPyObject } from '../identity/python-json';
import { parsePythonJson } from '../identity/python-json-parse';
import type { CaseKey, CaseRecord, JournalledExchange } from '../run';
import type { Findings } from './findings';

/**
 * Walks exchanges and cases side by side, both in plan order: every question of a finished case has exactly one
 * answer, which is its last attempt; no exchange belongs to a case that is not there, except those of the case
 * that an unfinished run was in.
 */
export async function checkExchanges(bundle: Bundle, findings: Findings): Promise<number> {
  const cases = bundleCases(bundle)[Symbol.asyncIterator]();
  let current: IteratorResult<CaseRecord, unknown> = await cases.next();
  let count = 0;
  let before: JournalledExchange | null = null;
  let openCase = null as CaseKey | null;
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
    const again: JournalledExchange | null =
      before !== null && sameQuestion(before, exchange) ? before : null;
    checkAttempt(exchange, again, count, findings);
    before = exchange;
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
      // The case that an unfinished run was in is the one exception, and it is one case.
      const open = current.done === true;
      const inProgress = !bundle.manifest.complete && (openCase === null || sameKey(openCase, exchange.key));
      if (open) openCase ??= exchange.key;
      if (open && !inProgress) {
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

/** What an attempt says must agree with itself and with the attempt before it, whoever was asked. */
function checkAttempt(
  { exchange }: JournalledExchange,
  before: JournalledExchange | null,
  line: number,
  findings: Findings,
): void {
  const { attempt, status, cause, reply_text, response_metadata_text } = exchange;
  const say = (code: string, field: string, message: string, expected: string, got: string) =>
    findings.fail(code, `exchanges.jsonl line ${line} ${field}`, message, expected, got);

  const next = before !== null && before.exchange.cause !== null ? before.exchange.attempt + 1 : 1;
  if (attempt !== 1 && attempt !== next) {
    const expected = next === 1 ? '1' : `1 or ${next}`;
    say('exchange_attempt', 'attempt', 'Attempts of a question count from 1.', expected, `${attempt}`);
  }
  const good = status !== null && status >= 200 && status <= 299;
  if (cause === null && status !== null && !good) {
    say('exchange_status', 'status', 'An answer comes with a status of success.', '200 to 299', `${status}`);
  }
  if (cause?.code === 'provider_http_status' && (status === null || good)) {
    const got = status === null ? 'null' : `${status}`;
    say('exchange_status', 'status', 'The cause quotes a status of failure.', 'not 200 to 299', got);
  }
  if (cause === null && reply_text === null) {
    say('exchange_reply', 'reply_text', 'An attempt without a cause is an answer.', 'a text', 'null');
  }
  try {
    if (isPyObject(parsePythonJson(response_metadata_text))) return;
    throw new PixelproofError('exchange_metadata', 'The metadata is no JSON object.');
  } catch {
    say(
      'exchange_metadata',
      'response_metadata_text',
      'The metadata is one JSON object.',
      '{…}',
      response_metadata_text.slice(0, 80),
    );
  }
}
