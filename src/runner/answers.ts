import { PixelproofError } from '../errors';
import type { CaseKey } from '../evidence/run';
import type {
  Call,
  ExchangeRecord,
  Provider,
  ProviderDescription,
  Question,
  RuntimeEvidence,
} from '../providers/provider';
import { InfrastructureFailure } from './infrastructure-failure';

/** Where a run's answers come from: a provider that is asked now, or answers recorded by case. */
export interface AnswerSource {
  readonly description: ProviderDescription;
  /** Called once before the first question. Throws `provider_*` where nobody can be asked. */
  start(signal: AbortSignal): Promise<RuntimeEvidence>;
  /** Called once a session of the run has ended, however it did. Never throws. */
  close?(): Promise<void>;
  /**
   * Resolves with the last attempt; `call.record` gets each one as it ends. Rejects when the signal is aborted and
   * with `InfrastructureFailure` when there is no answer to hand out.
   */
  answer(key: CaseKey, index: number, question: Question, call: Call): Promise<ExchangeRecord>;
}

/**
 * Asks a live provider, which never learns which case it is asked about. Throws `answers_no_images` for one that can be
 * asked neither about pictures nor about choices; a question of a kind it cannot answer is refused the same way.
 */
export function liveAnswers(provider: Provider): AnswerSource {
  const readImage = provider.readImage?.bind(provider);
  const scoreChoices = provider.scoreChoices?.bind(provider);
  const cannot = () =>
    new PixelproofError('answers_no_images', 'This provider cannot be asked this kind of question.', {
      expected: 'image-text-to-text or image-text-to-choices',
      got: provider.capabilities,
    });
  if (readImage === undefined && scoreChoices === undefined) throw cannot();
  return {
    description: provider.description,
    start: (signal) => provider.start(signal),
    close: async () => provider.close?.(),
    answer: async (_key, _index, question, call) => {
      if ('controls' in question) {
        if (scoreChoices === undefined) throw cannot();
        return scoreChoices(question, call);
      }
      if (readImage === undefined) throw cannot();
      return readImage(question, call);
    },
  };
}

export interface RecordedAnswers {
  readonly description: ProviderDescription;
  readonly runtime: RuntimeEvidence;
  /** Null where nothing is recorded for this question. */
  lookup(key: CaseKey, index: number): Promise<ExchangeRecord | null> | ExchangeRecord | null;
}

/** Replays recorded answers by case. A case without one is an infrastructure failure, never a wrong answer. */
export function recordedAnswers(recorded: RecordedAnswers): AnswerSource {
  return {
    description: recorded.description,
    start: async () => recorded.runtime,
    answer: async (key, index, _question, call) => {
      call.signal.throwIfAborted();
      const exchange = await recorded.lookup(key, index);
      if (exchange === null) {
        throw new InfrastructureFailure(
          'answer_not_recorded',
          `No answer is recorded for ${key.arm}, case ${key.ordinal + 1}.`,
        );
      }
      await call.record(exchange);
      return exchange;
    },
  };
}
