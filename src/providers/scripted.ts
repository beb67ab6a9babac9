import { PixelproofError } from '../errors';
import { sha256Large } from '../evidence/identity/sha256';
import { scriptedRecord, scriptedRuntime } from './audit/scripted-protocol';
import type {
  Call,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

/** Who the scripted provider is. The model of its identity is `fake`, as in the reference. */
export const SCRIPTED_DESCRIPTION: ProviderDescription = {
  id: 'scripted',
  kind: 'wiring',
  label: 'Scripted replies (wiring check)',
  model: 'fake',
  seed: 0,
  base_url: null,
};

type Replies = ReadonlyMap<string, string>;

/**
 * Answers from a table of picture digest -> reply text, written when the session starts and before any question. It
 * sees the picture's bytes and nothing else, so a run with it proves the wiring and says nothing about perception.
 */
export class ScriptedProvider implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #write: (signal: AbortSignal) => Promise<Replies>;
  #replies: Replies = new Map();

  /** `write` renders a whole plan, which takes seconds for a large one: it stops with the signal. */
  constructor(
    write: (signal: AbortSignal) => Promise<Replies>,
    description: ProviderDescription = SCRIPTED_DESCRIPTION,
  ) {
    this.#write = write;
    this.description = description;
  }

  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    this.#replies = await this.#write(signal);
    return scriptedRuntime(this.#replies.size);
  }

  /** Throws `provider_no_scripted_reply` for a picture that no reply was written for: a fault of the wiring. */
  async readImage(question: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    call.signal.throwIfAborted();
    const digest = await sha256Large(question.image);
    const reply = this.#replies.get(digest);
    if (reply === undefined) {
      throw new PixelproofError(
        'provider_no_scripted_reply',
        `RuntimeError: no scripted provider reply for image digest ${digest}`,
        { expected: 'a picture of this plan', got: digest },
      );
    }
    const record = scriptedRecord(digest, reply);
    await call.record(record);
    return record;
  }
}
