import { PixelproofError } from '../errors';
import { sha256Large } from '../evidence/identity/sha256';
import type {
  Call,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

/**
 * Answers from a table of picture digest -> reply text made before any question. It sees the picture's bytes and
 * nothing else, so a run with it proves the wiring and says nothing about perception.
 */
export class ScriptedProvider implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #replies: ReadonlyMap<string, string>;

  constructor(
    replies: ReadonlyMap<string, string>,
    settings: { readonly model: string; readonly seed: number },
  ) {
    this.#replies = replies;
    this.description = {
      id: 'scripted',
      kind: 'wiring',
      label: 'Scripted replies (wiring check)',
      model: settings.model,
      seed: settings.seed,
      base_url: null,
    };
  }

  async start(): Promise<RuntimeEvidence> {
    return {
      runtime_name: 'in-process-fake',
      runtime_version: null,
      model_digest: null,
      details: { scripted_replies: this.#replies.size },
    };
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
    const record: ExchangeRecord = {
      request_sha256: null,
      image_sha256: digest,
      attempt: 1,
      status: null,
      cause: null,
      reply_text: reply,
      model_in_reply: null,
      latency_us: 0,
      tokens: null,
      response_metadata_text: '{"backend":"fake"}',
      reply_error: null,
    };
    await call.record(record);
    return record;
  }
}
