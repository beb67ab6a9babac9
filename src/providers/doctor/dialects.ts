import type { Json } from '../../evidence/identity/json';
import { CHAT_SHAPES, type ChatShape, chatPathOf } from '../chat-shapes';
import type { Capability } from '../provider';
import { QUESTION, type TestColour, testPicture, testPictureBase64 } from './test-pictures';

export type Root = Readonly<Record<string, unknown>>;

/** A server that can be told by what it answers. */
export type Product = 'Ollama' | 'llama.cpp server' | 'LM Studio' | 'vLLM';

/** One request and, where it has one, its body. */
export interface Ask {
  readonly path: string;
  readonly body?: Json;
}

/** What an answer to the doctor's question holds. */
export interface Answer {
  /** Null where the reply has no place for a text. */
  readonly text: string | null;
  readonly model: string | null;
  /** Candidates of the first position, however many. */
  readonly candidates: number;
}

/** How one kind of server is examined. */
export interface Dialect {
  /** Who answers there and nobody else; null where anybody with the interface will do. */
  readonly product: Product | null;
  headers(key: string | null, inPage: boolean): Readonly<Record<string, string>>;
  readonly modelsPath: string;
  /** The names in the list of models; null for what is no such list. */
  models(root: Root): readonly string[] | null;
  /** Whether the list itself says that the model takes pictures. */
  listedVision?(root: Root, model: string): boolean | null;
  /** A request whose answer says whether the model takes pictures: without one, or with null, a picture is shown. */
  readonly describe?: { ask(model: string): Ask; sees(root: Root, model: string): boolean | null };
  question(model: string, colour: TestColour, logprobs: boolean): Ask;
  answer(root: Root): Answer;
}

const list = (value: unknown): readonly Root[] => (Array.isArray(value) ? (value as readonly Root[]) : []);
const object = (value: unknown): Root => (typeof value === 'object' && value !== null ? (value as Root) : {});
const string = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Enough for one word and a sentence around it. */
const ANSWER_TOKENS = 32;

const bearer = (key: string | null) => (key === null ? {} : { authorization: `Bearer ${key}` });

function openAiModels(root: Root): readonly string[] | null {
  return Array.isArray(root.data) ? list(root.data).flatMap(({ id }) => string(id) ?? []) : null;
}

/** The parts of a dialect whose requests are those of a run: the shape's own body, with room for a word. */
function ofShape(shape: ChatShape): Pick<Dialect, 'headers' | 'modelsPath' | 'question'> {
  return {
    headers: bearer,
    modelsPath: shape.modelsPath,
    question: (model, colour, logprobs) => {
      const asked = shape.body(
        model,
        {
          image: testPicture(colour),
          mediaType: 'image/png',
          prefix: '',
          userText: QUESTION,
          controls: [],
        },
        [],
      );
      // The controls' tokens belong to an experiment; the doctor asks for any candidates.
      const body = shape.fallback?.(asked) ?? asked;
      return { path: chatPathOf(shape, model), body: roomier(logprobs ? body : withoutLogprobs(body)) };
    },
  };
}

function roomier(body: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  const { options } = body;
  return {
    ...body,
    ...('max_tokens' in body ? { max_tokens: ANSWER_TOKENS } : {}),
    ...('max_output_tokens' in body ? { max_output_tokens: ANSWER_TOKENS } : {}),
    ...(options === undefined ? {} : { options: { ...(options as object), num_predict: ANSWER_TOKENS } }),
  };
}

function withoutLogprobs(body: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  const { logprobs: _, top_logprobs: __, include: ___, ...plain } = body;
  return plain;
}

function shapeOf(id: string): ChatShape {
  const found = CHAT_SHAPES.find((shape) => shape.id === id);
  if (found === undefined) throw new Error(`no chat shape ${id}`);
  return found;
}

function openAiAnswer(read: ChatShape['read']): Dialect['answer'] {
  return (root) => ({
    text: string(object(object(list(root.choices)[0]).message).content),
    model: string(root.model),
    candidates: read(root).candidates.length,
  });
}

function openAiLike(id: string, product: Product | null): Dialect {
  const shape = shapeOf(id);
  return {
    ...ofShape(shape),
    product,
    models: openAiModels,
    listedVision: (root, model) => {
      // OpenRouter's list says what goes in; others say nothing.
      const found = list(root.data).find((entry) => entry.id === model);
      const kinds = object(found?.architecture).input_modalities;
      return Array.isArray(kinds) ? kinds.includes('image') : null;
    },
    answer: openAiAnswer(shape.read),
  };
}

const ollama: Dialect = {
  ...ofShape(shapeOf('ollama')),
  product: 'Ollama',
  models: (root) =>
    Array.isArray(root.models)
      ? list(root.models).flatMap(({ name, model }) => string(name) ?? string(model) ?? [])
      : null,
  describe: {
    ask: (model) => ({ path: '/api/show', body: { model } }),
    sees: ({ capabilities }) => (Array.isArray(capabilities) ? capabilities.includes('vision') : null),
  },
  answer: (root) => ({
    text: string(object(root.message).content),
    model: string(root.model),
    candidates: shapeOf('ollama').read(root).candidates.length,
  }),
};

const ollamaGenerate: Dialect = {
  ...ollama,
  question: (model, colour, logprobs) => ({
    path: '/api/generate',
    body: {
      model,
      prompt: QUESTION,
      images: [testPictureBase64(colour)],
      stream: false,
      think: false,
      ...(logprobs ? { logprobs: true, top_logprobs: 5 } : {}),
      options: { temperature: 0, num_predict: ANSWER_TOKENS, seed: 0 },
    },
  }),
  answer: (root) => ({
    text: string(root.response),
    model: string(root.model),
    candidates: shapeOf('ollama').read(root).candidates.length,
  }),
};

const llama: Dialect = {
  ...openAiLike('llama-chat', 'llama.cpp server'),
  describe: {
    ask: (model) => ({ path: `/props?model=${encodeURIComponent(model)}` }),
    sees: (root) => {
      const { vision } = object(root.modalities);
      return typeof vision === 'boolean' ? vision : null;
    },
  },
};

const lmStudio: Dialect = {
  ...ofShape(shapeOf('lm-studio')),
  product: 'LM Studio',
  models: openAiModels,
  describe: {
    ask: () => ({ path: '/api/v0/models' }),
    sees: (root, model) => {
      const type = list(root.data).find(({ id }) => id === model)?.type;
      if (type === 'vlm') return true;
      return type === 'llm' ? false : null;
    },
  },
  answer: responsesAnswer,
};

function responsesAnswer(root: Root): Answer {
  const parts = list(root.output).flatMap(({ content }) => list(content));
  const words = parts.flatMap(({ text }) => string(text) ?? []);
  return {
    text: words.length === 0 ? null : words.join(''),
    model: string(root.model),
    candidates: shapeOf('lm-studio').read(root).candidates.length,
  };
}

const responses: Dialect = { ...lmStudio, product: null };
// No `describe`: that route is LM Studio's own.
const { describe: _, ...openAiResponses } = responses;

const anthropic: Dialect = {
  product: null,
  headers: (key, inPage) => ({
    'anthropic-version': '2023-06-01',
    ...(key === null ? {} : { 'x-api-key': key }),
    ...(inPage ? { 'anthropic-dangerous-direct-browser-access': 'true' } : {}),
  }),
  modelsPath: '/v1/models?limit=1000',
  models: openAiModels,
  question: (model, colour) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: ANSWER_TOKENS,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: testPictureBase64(colour) },
            },
            { type: 'text', text: QUESTION },
          ],
        },
      ],
    },
  }),
  answer: (root) => ({
    text: string(list(root.content).find(({ type }) => type === 'text')?.text),
    model: string(root.model),
    candidates: 0,
  }),
};

const gemini: Dialect = {
  product: null,
  headers: (key) => (key === null ? {} : { 'x-goog-api-key': key }),
  modelsPath: '/v1beta/models?pageSize=1000',
  models: (root) =>
    Array.isArray(root.models)
      ? list(root.models).flatMap(({ name }) => string(name)?.replace(/^models\//, '') ?? [])
      : null,
  question: (model, colour) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: {
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: testPictureBase64(colour) } },
            { text: QUESTION },
          ],
        },
      ],
      generationConfig: { temperature: 0 },
    },
  }),
  answer: (root) => ({
    text: string(list(object(object(list(root.candidates)[0]).content).parts)[0]?.text),
    model: string(root.modelVersion),
    candidates: 0,
  }),
};

const DIALECTS: Readonly<Record<string, Dialect>> = {
  ollama,
  'ollama-generate': ollamaGenerate,
  'llama-server': llama,
  'llama-chat': llama,
  'lm-studio': lmStudio,
  vllm: openAiLike('vllm', 'vLLM'),
  openai: openAiLike('openai', null),
  'openai-sampled': openAiLike('openai', null),
  openrouter: openAiLike('openai', null),
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
};

/**
 * How the entry's server is examined; null where only its address can be, since every question decides or draws
 * something that costs.
 */
export function dialectOf(id: string, capability: Capability | null): Dialect | null {
  if (capability === 'state-to-choices' || capability === 'text-to-image') return null;
  return DIALECTS[id] ?? null;
}

/** The product that an entry is about; null where anybody with the interface will do. */
export function productOf(id: string): Product | null {
  return DIALECTS[id]?.product ?? null;
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
