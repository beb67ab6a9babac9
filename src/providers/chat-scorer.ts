import { PixelproofError } from '../errors';
import { chatRequest, readChatReply } from './audit/chat-protocol';
import { isModel } from './audit/model-name';
import { isLlama } from './audit/scored-body';
import { MAX_RETRIES } from './call-policy';
import { type ControlToken, countOf } from './candidates';
import { type ChatShape, chatPathOf } from './chat-shapes';
import { pause } from './http';
import type {
  Call,
  ChoiceQuestion,
  ExchangeRecord,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';
import { ScoringHttp, type ScoringSettings } from './scoring-http';

export interface ChatSettings extends ScoringSettings {
  readonly controls: readonly string[];
  /** Answers to draw where a server gives no log-probabilities; 0 asks for log-probabilities. OpenAI's form only. */
  readonly samples: number;
}

function serverFacts({ auth, alias }: ChatShape): Partial<ScoringSettings> {
  return { ...(auth === undefined ? {} : { auth }), ...(alias === undefined ? {} : { alias }) };
}

/**
 * A server that wraps the text in a template of its own: another harness than the exact prefix, so never above credit
 * level B. A control that is not among the listed candidates is bounded (C); sampled answers are a demonstration (D).
 */
export class ChatScorer implements Provider {
  readonly capabilities = ['image-text-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #shape: ChatShape;
  readonly #settings: ChatSettings;
  readonly #http: ScoringHttp;
  #tokens: readonly ControlToken[];
  /** Set once a build has refused the exact-id field. */
  #older = false;

  /** Throws `provider_settings`. */
  constructor(shape: ChatShape, settings: ChatSettings) {
    this.#shape = shape;
    this.#settings = settings;
    this.#http = new ScoringHttp({ ...settings, ...serverFacts(shape), llama: isLlama(shape.id) });
    this.#tokens = settings.controls.map((control) => ({ control, id: null }));
    this.description = {
      id: settings.samples > 0 ? `${shape.id}-sampled` : shape.id,
      kind: 'measured',
      label: `${shape.name}, ${settings.model}`,
      model: settings.model,
      seed: 0,
      base_url: this.#http.baseUrl,
    };
  }

  /** Finds the model, and the controls' tokens where the server has ids. Throws `provider_model_missing` and as `ask`. */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    const models = this.#shape.models(await this.#http.ask(this.#shape.modelsPath, signal));
    const { model } = this.#settings;
    const alias = this.#shape.alias ?? 'exact';
    const found =
      models.find(({ name }) => name === model) ?? models.find(({ name }) => isModel(alias, model, name));
    if (found === undefined) {
      throw new PixelproofError('provider_model_missing', 'The server does not list this model.', {
        expected: this.#settings.model,
        got: models.map(({ name }) => name).join(', ') || 'no model',
      });
    }
    const { tokenize } = this.#shape;
    if (tokenize !== undefined) {
      this.#tokens = await Promise.all(
        this.#settings.controls.map(async (control) => {
          const body = tokenize.body(this.#settings.model, control);
          const { tokens } = await this.#http.ask(tokenize.path, signal, body);
          const id = countOf(Array.isArray(tokens) && tokens.length === 1 ? tokens[0] : null);
          if (id !== null) return { control, id };
          throw new PixelproofError(
            'provider_control_tokens',
            'A control must be exactly one token, each its own.',
            { expected: `one token for “${control}”`, got: tokens },
          );
        }),
      );
    }
    return {
      runtime_name: this.#shape.name,
      runtime_version: null,
      model_digest: found.digest,
      details: {
        vision: null,
        template: 'server',
        control_tokens: Object.fromEntries(this.#tokens.map(({ control, id }) => [control, id])),
      },
    };
  }

  async scoreChoices(question: ChoiceQuestion, call: Call): Promise<ExchangeRecord> {
    const protocol = { ...this.#settings, shape: this.#shape, tokens: this.#tokens };
    for (let [attempt, waited] = [1, 0]; ; attempt += 1) {
      const exact_ids = !this.#older;
      const { record, failure, waitMs } = await this.#http.score(
        chatPathOf(this.#shape, this.#settings.model),
        chatRequest(protocol, question, exact_ids),
        { image: question.image, attempt, sent: protocol.samples > 0 ? {} : { exact_ids } },
        call,
        (root) => readChatReply(protocol, root),
      );
      const refused = record.status === 400 || record.status === 422;
      if (refused && this.#shape.fallback !== undefined && !this.#older) {
        this.#older = true;
        continue;
      }
      if (failure === null || waitMs === null || waited === MAX_RETRIES) return record;
      waited += 1;
      await pause(waitMs, call.signal);
    }
  }
}
