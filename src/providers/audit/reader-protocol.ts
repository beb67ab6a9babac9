import { PixelproofError } from '../../errors';
import { countOf } from '../candidates';
import type { ExchangeRecord } from '../provider';
import { requireModel } from './model-name';
import type { AskedPicture, ReaderShape } from './reader-shape';
import { errorWords } from './reader-shape';
import { type Asker, isLlama, objectOf, statusError, succeeds } from './scored-body';

// What is sent to a reader and how its answer is read, as pure functions: the provider and the verifier use the same.

/** Who is asked and with what seed. */
export interface ReaderAsked {
  readonly shape: ReaderShape;
  readonly model: string;
  readonly seed: number;
}

/** The request's body, JSON as `JSON.stringify` writes it; its bytes are UTF-8. */
export function readerRequestText({ shape, model, seed }: ReaderAsked, question: AskedPicture): string {
  return JSON.stringify(shape.body(model, seed, question));
}

/** The parts of an exchange record that follow from the body of an answer. */
export type ReaderFields = Pick<ExchangeRecord, 'reply_text' | 'model_in_reply' | 'tokens' | 'reply_error'>;

/**
 * What a status and a body say. Throws by status (`statusError`), `provider_not_object`, `provider_reply_error` for an
 * error in a body that says 200, `provider_reply_unfinished` where the server broke off, `provider_reply_shape` and
 * `provider_wrong_model`: plumbing, never a wrong answer.
 */
export function readReaderBody(
  status: number,
  text: string,
  { shape, model, withKey = false }: Pick<ReaderAsked, 'shape' | 'model'> & Pick<Asker, 'withKey'>,
): ReaderFields {
  if (!succeeds(status)) throw statusError(status, text, { withKey, llama: isLlama(shape.id) });
  const root = objectOf(text);
  const failure = errorWords(root.error);
  if (failure !== null) {
    throw new PixelproofError(
      'provider_reply_error',
      'The server answered with an error in place of a reply.',
      { expected: 'a reply', got: failure.slice(0, 2000) },
    );
  }
  const reply = shape.read(root);
  requireModel(shape.alias, model, reply.model);
  if (reply.unfinished !== null) {
    throw new PixelproofError(
      'provider_reply_unfinished',
      'The server broke off before its reply was whole.',
      {
        expected: 'a reply that the model ended',
        got: reply.unfinished.slice(0, 2000),
      },
    );
  }
  // A lone surrogate, which JSON can hold, has no bytes and so no digest.
  const said = (reply.text ?? '').toWellFormed();
  return {
    reply_text: said,
    model_in_reply: typeof reply.model === 'string' ? reply.model.toWellFormed() : null,
    tokens: { prompt: countOf(reply.prompt), completion: countOf(reply.completion) },
    reply_error: said.trim() === '' ? emptyReply(shape, reply.ended) : null,
  };
}

/** A reply without text is what the model said, and is rejected; as the reference does with Ollama's. */
function emptyReply({ name }: ReaderShape, ended: string | null): string {
  return `RuntimeError: ${name} returned no text (${(ended ?? 'no reason given').toWellFormed().slice(0, 200)})`;
}
