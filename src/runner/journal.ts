import { PixelproofError } from '../errors';
import { sha256Large } from '../evidence/identity/sha256';
import type { CaseKey, JournalledExchange } from '../evidence/run';
import type { RunStore } from '../evidence/store/store';
import type { ExchangeRecord, Question } from '../providers/provider';
import type { AnswerSource } from './answers';
import type { Ask } from './experiment';
import { InfrastructureFailure } from './infrastructure-failure';

interface AskingCase {
  readonly store: RunStore;
  readonly run: string;
  readonly key: CaseKey;
  readonly position: number;
  readonly answers: AnswerSource;
  readonly signal: AbortSignal;
  /** Told of the failure that stops the run, also where the experiment swallows it. */
  readonly onFailure: (failure: PixelproofError) => void;
}

/**
 * The `Ask` of one case: each attempt is in the journal before the answer is handed on, and an answer that the
 * journal has already is handed back instead of asking again. Throws `run_question_changed` when the journalled
 * answer was about another picture.
 */
export async function journalledAsk(asking: AskingCase): Promise<Ask<Question>> {
  const { store, run, key, position, answers, signal, onFailure } = asking;
  const journalled = await store.exchangesAt(run, position);
  const given = new Map<number, ExchangeRecord>();

  const write = async (index: number, exchange: ExchangeRecord, closes = false): Promise<void> => {
    await store.journal(run, [{ key, position, index, exchange, ...(closes ? { closes } : {}) }]);
  };

  const askOnce: Ask<Question> = async (index, question) => {
    const before = given.get(index) ?? answeredIn(journalled, index);
    if (before !== null) {
      const asked = question.image === null ? null : await sha256Large(question.image);
      if (before.image_sha256 !== null && before.image_sha256 !== asked) {
        throw new PixelproofError(
          'run_question_changed',
          'The journalled answer is about another picture than the one asked about now.',
          { expected: before.image_sha256, got: asked ?? 'no picture' },
        );
      }
      return before;
    }
    signal.throwIfAborted();
    const recorded: ExchangeRecord[] = [];
    let journal: Promise<void> = Promise.resolve();
    /** The attempt whose beginning is in the journal and whose end is not yet. */
    let begun: number | null = null;
    const begin = async (attempt: ExchangeRecord): Promise<void> => {
      await journal;
      await write(index, attempt);
      begun = attempt.attempt;
    };
    const record = (ended: ExchangeRecord): Promise<void> => {
      const attempt = wellFormed(ended);
      recorded.push(attempt);
      const closes = begun === attempt.attempt;
      begun = null;
      journal = journal.then(() => write(index, attempt, closes));
      // It is awaited below; a provider that does not await `record` must not leave the rejection unhandled.
      journal.catch(() => {});
      return journal;
    };
    let last: ExchangeRecord;
    try {
      last = wellFormed(await answers.answer(key, index, question, { signal, begin, record }));
    } finally {
      // Also when the question fails or is cancelled: what ended before that was paid for. A journal that cannot
      // be written ends the question, even where the provider swallows what `record` throws.
      await journal;
    }
    if (!recorded.some((attempt) => attempt.attempt === last.attempt)) {
      await write(index, last, begun === last.attempt);
    }
    if (last.cause !== null) throw new InfrastructureFailure(last.cause.code, last.cause.message);
    given.set(index, last);
    return last;
  };

  return async (index, question) => {
    try {
      return await askOnce(index, question);
    } catch (error) {
      if (error instanceof PixelproofError) onFailure(error);
      throw error;
    }
  };
}

function answeredIn(journalled: readonly JournalledExchange[], index: number): ExchangeRecord | null {
  const found = journalled.find((one) => one.index === index && one.exchange.cause === null);
  return found?.exchange ?? null;
}

/**
 * A model can reply half a surrogate pair (as a JSON escape), which no UTF-8 file can hold: the run could never be
 * sealed or exported. It becomes U+FFFD here, before anybody judges it.
 */
function wellFormed(exchange: ExchangeRecord): ExchangeRecord {
  const { reply_text, response_metadata_text } = exchange;
  return {
    ...exchange,
    reply_text: reply_text?.toWellFormed() ?? null,
    response_metadata_text: response_metadata_text.toWellFormed(),
  };
}
