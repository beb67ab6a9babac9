import type { Json } from '../../evidence/identity/json';
import { type AliasRule, isModel } from '../audit/model-name';
import { list, object, type ReaderShape, textOr } from '../audit/reader-shape';
import { readerShape } from '../audit/reader-shapes';
import type { Root } from '../audit/scored-body';
import { CHAT_SHAPES, type ChatShape, chatPathOf } from '../chat-shapes';
import type { Capability } from '../provider';
import { authHeaders } from '../secret';
import { QUESTION, type TestColour, testPicture } from './test-pictures';

/** A server that can be told by what it answers. */
export type Product = 'Ollama' | 'llama.cpp server' | 'LM Studio' | 'vLLM';

/** One request and, where it has one, its body. */
export interface Ask {
  readonly path: string;
  readonly body?: Json;
}

/** What an answer to the doctor's question holds. */
export interface Answer {
  /** Null where the reply has no text. */
  readonly text: string | null;
  readonly model: string | null;
  /** Candidates of the first position, however many. */
  readonly candidates: number;
}

/**
 * How one kind of server is examined: with the requests of a run, taken from the same shapes, so that what the doctor
 * finds well is well for the run.
 */
export interface Dialect {
  /** Who answers there and nobody else; null where anybody with the interface will do. */
  readonly product: Product | null;
  headers(key: string | null): Readonly<Record<string, string>>;
  readonly modelsPath: string;
  /** The models in a list, with whether they take pictures where the list says so; null for what is no such list. */
  models(root: Root): readonly { readonly name: string; readonly images: boolean | null }[] | null;
  /** Whether a name in the list or in a reply stands for the model that was asked. */
  isModel(asked: string, named: string): boolean;
  /** A request whose answer says whether the model takes pictures: without one, or with null, a picture is shown. */
  readonly describe?: { ask(model: string): Ask; sees(root: Root, model: string): boolean | null };
  /** `logprobs` asks as the vision controls do, else as a reader is asked. */
  question(model: string, colour: TestColour, logprobs: boolean): Ask;
  /** Throws `provider_reply_shape`. */
  answer(root: Root): Answer;
}

/** Enough for one word, and for the thoughts of a model that cannot be told not to think. */
const ANSWER_TOKENS = 512;

/** Which shapes an entry is asked with, where they have another id than the entry. */
const SCORED_AS: Readonly<Record<string, string>> = {
  'llama-server': 'llama-chat',
  'openai-sampled': 'openai',
};

const PRODUCTS: Readonly<Record<string, Product>> = {
  ollama: 'Ollama',
  'ollama-generate': 'Ollama',
  'llama-server': 'llama.cpp server',
  'llama-chat': 'llama.cpp server',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
};

const OLLAMA_SHOW: Dialect['describe'] = {
  ask: (model) => ({ path: '/api/show', body: { model } }),
  sees: ({ capabilities }) =>
    Array.isArray(capabilities) ? (capabilities as readonly unknown[]).includes('vision') : null,
};
const LLAMA_PROPS: Dialect['describe'] = {
  ask: (model) => ({ path: `/props?model=${encodeURIComponent(model)}` }),
  sees: (root) => {
    const { vision } = object(root.modalities);
    return typeof vision === 'boolean' ? vision : null;
  },
};
const LM_STUDIO_MODELS: Dialect['describe'] = {
  ask: () => ({ path: '/api/v0/models' }),
  sees: (root, model) => {
    const type = list(root.data).find(({ id }) => id === model)?.type;
    if (type === 'vlm') return true;
    return type === 'llm' ? false : null;
  },
};
const DESCRIBED: Partial<Record<Product, Dialect['describe']>> = {
  Ollama: OLLAMA_SHOW,
  'llama.cpp server': LLAMA_PROPS,
  'LM Studio': LM_STUDIO_MODELS,
};

/** Ollama's chat route is asked by the published protocol, which has no reader's shape. */
const ollamaText = (root: Root) => textOr(object(root.message).content);

/**
 * How the entry's server is examined; null where only its address can be, since every question decides or draws
 * something that costs.
 */
export function dialectOf(id: string, capability: Capability | null): Dialect | null {
  if (capability === 'state-to-choices' || capability === 'text-to-image') return null;
  const as = SCORED_AS[id] ?? id;
  const reader = readerShape(as);
  const chat = CHAT_SHAPES.find((shape) => shape.id === as) ?? null;
  const first = reader ?? chat;
  if (first === null) return null;
  const alias: AliasRule = first.alias ?? 'exact';
  const product = productOf(id);
  const describe = product === null ? undefined : DESCRIBED[product];
  return {
    product,
    headers: (key) => ({ ...reader?.headers, ...authHeaders(first.auth ?? 'bearer', key) }),
    modelsPath: first.modelsPath,
    models: (root) =>
      Array.isArray(root[first.modelsPath.startsWith('/v1/') ? 'data' : 'models'])
        ? first.models(root).map((each) => ({
            name: each.name,
            images: 'images' in each ? (each as { images: boolean | null }).images : null,
          }))
        : null,
    isModel: (asked, named) => isModel(alias, asked, named),
    ...(describe === undefined ? {} : { describe }),
    question: (model, colour, logprobs) => {
      if (reader !== null && (chat === null || !logprobs)) return readerAsk(reader, model, colour);
      return chat === null ? { path: '' } : chatAsk(chat, model, colour, logprobs);
    },
    answer: (root) => ({
      text: reader === null ? ollamaText(root) : reader.read(root).text,
      model: textOr(root.model ?? root.modelVersion),
      candidates: chat === null ? 0 : chat.read(root).candidates.length,
    }),
  };
}

function readerAsk(shape: ReaderShape, model: string, colour: TestColour): Ask {
  const body = shape.body(model, 0, {
    image: testPicture(colour),
    mediaType: 'image/png',
    prompt: QUESTION,
    answer: { schema: null, temperature: null, tokens: ANSWER_TOKENS },
  });
  return { path: shape.path(model), body };
}

/** The request of the vision controls, with room for a word. The controls' own tokens belong to an experiment. */
function chatAsk(shape: ChatShape, model: string, colour: TestColour, logprobs: boolean): Ask {
  const asked = shape.body(
    model,
    { image: testPicture(colour), mediaType: 'image/png', prefix: '', userText: QUESTION, controls: [] },
    [],
  );
  const body = shape.fallback?.(asked) ?? asked;
  return {
    path: chatPathOf(shape, model),
    body: roomier(logprobs ? body : withoutLogprobs(body)),
  };
}

/** Every name that a limit on the reply has. */
const LIMITS = ['max_tokens', 'max_output_tokens', 'maxOutputTokens', 'num_predict'];

function roomier(body: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      LIMITS.includes(name)
        ? ANSWER_TOKENS
        : name === 'options' || name === 'generationConfig'
          ? roomier(value as { readonly [key: string]: Json })
          : value,
    ]),
  );
}

function withoutLogprobs(body: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  const { logprobs: _, top_logprobs: __, ...plain } = body;
  return plain;
}

/** The product that an entry is about; null where anybody with the interface will do. */
export function productOf(id: string): Product | null {
  return PRODUCTS[id] ?? null;
}

/** Who gave this list of models, by the owner that each server writes beside its models. */
export function ownerOf(root: Root): Product | null {
  const [first] = list(root.data);
  switch (first?.owned_by) {
    case 'llamacpp':
      return 'llama.cpp server';
    case 'vllm':
      return 'vLLM';
    case 'library':
      return 'Ollama';
    case 'organization_owner':
      return 'LM Studio';
    default:
      return null;
  }
}
