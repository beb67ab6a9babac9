import { PixelproofError } from '../errors';
import {
  controlTokens,
  FULL_VOCABULARY,
  llamaRequest,
  MEDIA_MARKER,
  readLlamaReply,
} from './audit/llama-protocol';
import type { Root } from './audit/scored-body';
import { countOf } from './candidates';
import { pause } from './http';
import type {
  Call,
  ChoiceQuestion,
  ExchangeRecord,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';
import { FULL_LIST_BYTES, ScoringHttp, type ScoringSettings } from './scoring-http';
import { classifyTemplate, type TemplateClass } from './template';

export interface LlamaServerSettings extends ScoringSettings {
  /** The turn wrapper that the prompts are written in; any other served template is refused. */
  readonly template: TemplateClass;
  /** Control strings that are tokenised before anything is scored. */
  readonly controls: readonly string[];
  /** Candidates to list; a control that is not among them is asked for again with the whole vocabulary. */
  readonly nProbs: number;
  /** Milliseconds before a loading server is asked again, doubled each time. */
  readonly backoffMs?: number;
}

/** How often a loading server is asked again. */
const LOADING_RETRIES = 4;

/**
 * llama.cpp's server, asked exactly as the vision smoke asks it: the whole prefix as `/completion` prompt, pictures as a
 * nested `multimodal_data` object (the one form that attaches them), candidates by token id, no prompt cache. Credit A.
 */
export class LlamaServerProvider implements Provider {
  readonly capabilities = ['image-text-to-choices'] as const;
  readonly description: ProviderDescription;
  readonly #settings: LlamaServerSettings;
  readonly #http: ScoringHttp;
  readonly #tokens = new Map<string, number>();
  #marker = MEDIA_MARKER;
  #vocabulary: number | null = null;

  /** Throws `provider_settings`. */
  constructor(settings: LlamaServerSettings) {
    this.#settings = settings;
    this.#http = new ScoringHttp({ ...settings, llama: true });
    this.description = {
      id: 'llama-server',
      kind: 'measured',
      label: `llama.cpp server, ${settings.model}`,
      model: settings.model,
      seed: 0,
      base_url: this.#http.baseUrl,
    };
  }

  /**
   * Health, model, projector, template and control tokens, in that order; nothing is scored before all of them hold.
   * Throws `provider_loading`, `provider_unauthorised`, `provider_model_missing`, `provider_text_only`,
   * `provider_template`, `provider_control_tokens`, `provider_http_status`, `provider_not_object` or a code of `httpCall`.
   */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    await this.#loaded(signal);
    this.#vocabulary = vocabularyOf(await this.#listed(signal));
    const props = await this.#properties(signal);
    const modalities = props.modalities as Root | undefined;
    if (modalities?.vision !== true) {
      throw new PixelproofError(
        'provider_text_only',
        'The server has no projector for this model: its input modalities are text only.',
        { expected: 'modalities.vision true', got: props.modalities ?? 'no modalities' },
      );
    }
    const template = await this.#template(signal);
    for (const control of this.#settings.controls)
      this.#tokens.set(control, await this.#token(control, signal));
    const ids = [...this.#tokens.values()];
    if (new Set(ids).size !== ids.length) throw controlTokens('a token of its own for each control', ids);
    const build = typeof props.build_info === 'string' ? props.build_info : null;
    return {
      runtime_name: 'llama.cpp server',
      runtime_version: build,
      model_digest: null,
      details: {
        vision: true,
        media_marker: this.#marker,
        build_info: build,
        template,
        // The last part only: a whole path says whose machine it is.
        model_file:
          typeof props.model_path === 'string' ? (props.model_path.split(/[\\/]/).at(-1) ?? null) : null,
        n_vocab: this.#vocabulary,
        control_tokens: Object.fromEntries(this.#tokens),
      },
    };
  }

  async scoreChoices(question: ChoiceQuestion, call: Call): Promise<ExchangeRecord> {
    const full = this.#vocabulary ?? FULL_VOCABULARY;
    let [nProbs, nPredict, refreshed, waited] = [this.#settings.nProbs, 0, false, 0];
    for (let attempt = 1; ; attempt += 1) {
      const sent = { n_probs: nProbs, n_predict: nPredict, media_marker: this.#marker };
      const { record, failure, waitMs } = await this.#http.score(
        '/completion',
        llamaRequest(this.#settings.model, question, sent),
        { image: question.image, attempt, sent },
        call,
        (root) =>
          readLlamaReply(
            root,
            question.controls,
            (control) => this.#tokens.get(control) ?? null,
            this.#vocabulary,
          ),
        nProbs >= full ? FULL_LIST_BYTES : undefined,
      );
      switch (failure?.code) {
        case 'provider_stale_marker':
          if (refreshed || !(await this.#refreshMarker(call.signal))) return record;
          refreshed = true;
          break;
        case 'provider_control_missing':
          if (nProbs >= full) return record;
          nProbs = full;
          break;
        case 'provider_no_logprobs':
          if (nPredict === 1) return record;
          nPredict = 1;
          break;
        case 'provider_loading':
          if (waited === LOADING_RETRIES) return record;
          await pause(waitMs ?? this.#backoff(waited), call.signal);
          waited += 1;
          break;
        default:
          return record;
      }
    }
  }

  async #loaded(signal: AbortSignal): Promise<void> {
    for (let waited = 0; ; waited += 1) {
      try {
        await this.#http.ask('/health', signal);
        return;
      } catch (error) {
        const loading = error instanceof PixelproofError && error.code === 'provider_loading';
        if (!loading || waited === LOADING_RETRIES) throw error;
        await pause(this.#backoff(waited), signal);
      }
    }
  }

  async #listed(signal: AbortSignal): Promise<Root> {
    const { data } = await this.#http.ask('/v1/models', signal);
    const models = Array.isArray(data) ? (data as readonly Root[]) : [];
    const found = models.find(({ id }) => id === this.#settings.model);
    if (found !== undefined) return found;
    throw new PixelproofError('provider_model_missing', 'The server does not list this model.', {
      expected: this.#settings.model,
      got: models.map(({ id }) => String(id)).join(', ') || 'no model',
    });
  }

  async #properties(signal: AbortSignal): Promise<Root> {
    const props = await this.#http.ask(`/props?model=${encodeURIComponent(this.#settings.model)}`, signal);
    const { media_marker } = props;
    this.#marker = typeof media_marker === 'string' && media_marker !== '' ? media_marker : MEDIA_MARKER;
    return props;
  }

  /** False where the marker could not be read again: the refusal that asked for it stands then. */
  async #refreshMarker(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#properties(signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PixelproofError) return false;
      throw error;
    }
  }

  async #template(signal: AbortSignal): Promise<TemplateClass> {
    const { prompt } = await this.#http.ask('/apply-template', signal, {
      model: this.#settings.model,
      messages: [{ role: 'user', content: 'hello' }],
      add_generation_prompt: true,
    });
    const served = classifyTemplate(typeof prompt === 'string' ? prompt : '');
    if (served === this.#settings.template) return served;
    throw new PixelproofError(
      'provider_template',
      'The served template is not the one that these prompts are written in.',
      { expected: this.#settings.template, got: served },
    );
  }

  async #token(control: string, signal: AbortSignal): Promise<number> {
    const { tokens } = await this.#http.ask('/tokenize', signal, {
      model: this.#settings.model,
      content: control,
      add_special: false,
    });
    const [token] = Array.isArray(tokens) ? tokens : [];
    const id = countOf(typeof token === 'object' && token !== null ? (token as Root).id : token);
    if (!Array.isArray(tokens) || tokens.length !== 1 || id === null)
      throw controlTokens(`one token for “${control}”`, tokens);
    return id;
  }

  #backoff(waited: number): number {
    return (this.#settings.backoffMs ?? 1000) * 2 ** waited;
  }
}

function vocabularyOf({ meta }: Root): number | null {
  return countOf((meta as Root | null | undefined)?.n_vocab);
}
