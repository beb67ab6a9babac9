import { PixelproofError } from '../../../errors';
import { sha256Large } from '../../../evidence/identity/sha256';
import { BLANK_ANSWER } from '../../audit/here-audit';
import {
  readVlmModel,
  TRANSFORMERS,
  type VlmChoice,
  vlmMetadata,
  vlmModel,
  vlmScoredText,
} from '../../audit/vlm-protocol';
import type {
  Call,
  ChoiceQuestion,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from '../../provider';
import type { Picture } from '../picture';
import type { VlmHost, VlmSession } from './vlm-host';

export interface TransformersSettings {
  /** As `vlmModel` writes it. */
  readonly model: string;
  readonly seed: number;
  readonly host: VlmHost;
  /** The pixels of a picture's file. Throws what the decoder throws. */
  readonly decode: (file: Uint8Array<ArrayBuffer>) => Promise<Picture>;
}

/** Tokens of an answer in words; the reference's `num_predict`. */
const MOST_TOKENS = 128;

/**
 * A vision-language model that runs in this program. In words it answers greedily; a choice is read from the scores of
 * one forward pass, at the place where the answer begins, and nothing is generated. The seed plays no part: no answer is
 * drawn.
 */
export class TransformersProvider implements Provider {
  readonly capabilities = ['image-text-to-text', 'image-text-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #settings: TransformersSettings;
  readonly #choice: VlmChoice;
  #session: VlmSession | null = null;

  /** Throws `provider_settings` for a model that is not named as `vlmModel` names one. */
  constructor(settings: TransformersSettings) {
    const choice = readVlmModel(settings.model);
    if (choice === null) {
      throw new PixelproofError('provider_settings', 'Name a model and its precision.', {
        expected: vlmModel({ name: 'HuggingFaceTB/SmolVLM-256M-Instruct', dtype: 'int8', backend: 'wasm' }),
        got: settings.model,
      });
    }
    this.#settings = settings;
    this.#choice = choice;
    this.description = {
      id: TRANSFORMERS,
      kind: 'measured',
      label: `transformers.js, ${choice.name}`,
      model: settings.model,
      seed: settings.seed,
      base_url: null,
    };
  }

  /** Loads the model from files that are here. Throws as `VlmHost.open`. */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    await this.close();
    const session = await this.#settings.host.open(this.#choice, signal);
    this.#session = session;
    const { library, dtype, backend, files, digest } = session.facts;
    return {
      runtime_name: 'transformers.js',
      runtime_version: library,
      model_digest: digest,
      details: { backend, dtype, files: files.map((file) => ({ ...file })), vision: true },
    };
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  async readImage({ image, prompt }: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    return this.#answer(image, call, async (session, picture) => {
      const { text, prompt_tokens, answer_tokens } = await session.text(
        { picture, text: prompt },
        MOST_TOKENS,
        call.signal,
      );
      const blank = text.trim() === '';
      return {
        reply_text: text,
        tokens: { prompt: prompt_tokens, completion: answer_tokens },
        response_metadata_text: '{}',
        reply_error: blank ? BLANK_ANSWER : null,
      };
    });
  }

  async scoreChoices({ image, userText, controls }: ChoiceQuestion, call: Call): Promise<ExchangeRecord> {
    return this.#answer(image, call, async (session, picture) => {
      const scored = await session.score({ picture, text: userText }, controls, call.signal);
      return {
        reply_text: vlmScoredText(scored),
        tokens: { prompt: scored.prompt_tokens, completion: 0 },
        response_metadata_text: vlmMetadata(scored),
        reply_error: null,
      };
    });
  }

  async #answer(
    image: Uint8Array<ArrayBuffer> | null,
    { signal, record }: Call,
    ask: (
      session: VlmSession,
      picture: Picture | null,
    ) => Promise<Pick<ExchangeRecord, 'reply_text' | 'tokens' | 'response_metadata_text' | 'reply_error'>>,
  ): Promise<ExchangeRecord> {
    signal.throwIfAborted();
    const image_sha256 = image === null ? null : await sha256Large(image);
    const shared = { request_sha256: null, image_sha256, attempt: 1, status: null };
    const begun = performance.now();
    let exchange: ExchangeRecord;
    try {
      if (this.#session === null)
        throw new PixelproofError('model_not_open', 'The model was asked before it was loaded.');
      const picture = image === null ? null : await this.#settings.decode(image);
      const answer = await ask(this.#session, picture);
      const latency_us = Math.round((performance.now() - begun) * 1000);
      exchange = { ...shared, ...answer, cause: null, model_in_reply: this.description.model, latency_us };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PixelproofError)) throw error;
      exchange = {
        ...shared,
        cause: { code: error.code, message: error.message },
        reply_text: null,
        model_in_reply: null,
        latency_us: null,
        tokens: null,
        response_metadata_text: '{}',
        reply_error: null,
      };
    }
    await record(exchange);
    return exchange;
  }
}
