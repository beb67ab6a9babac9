import type { Json } from '../evidence/identity/json';
import type { AliasRule } from './audit/model-name';
import type { Root } from './audit/scored-body';
import { toBase64 } from './base64';
import { type Candidate, type ControlToken, candidatesOf, countOf } from './candidates';
import type { ChoiceQuestion } from './provider';
import type { Auth } from './secret';

/** What a chat reply says about the first answer position. */
interface ChatReply {
  readonly candidates: readonly Candidate[];
  readonly promptTokens: number | null;
  readonly completionTokens: unknown;
  readonly model: unknown;
}

/** How one server is asked when it wraps the text in a template of its own. */
export interface ChatShape {
  readonly id: string;
  readonly name: string;
  /** How the key is sent; a bearer token without it. */
  readonly auth?: Auth;
  /** How the reply may name the model that was asked; by that name only without it. */
  readonly alias?: AliasRule;
  /** Where its models are listed, and the names they have there. */
  readonly modelsPath: string;
  models(root: Root): readonly { readonly name: string; readonly digest: string | null }[];
  readonly chatPath: string | ((model: string) => string);
  body(
    model: string,
    question: ChoiceQuestion,
    tokens: readonly ControlToken[],
  ): { readonly [key: string]: Json };
  read(root: Root): ChatReply;
  /** Where control strings are tokenised, and how; absent where the server knows no ids. */
  readonly tokenize?: { readonly path: string; body(model: string, control: string): Json };
  /** Said of a server whose exact-id field an older build lacks: what to send instead. */
  readonly fallback?: (body: { readonly [key: string]: Json }) => { readonly [key: string]: Json };
}

const list = (value: unknown): readonly Root[] => (Array.isArray(value) ? (value as readonly Root[]) : []);
const object = (value: unknown): Root => (typeof value === 'object' && value !== null ? (value as Root) : {});

function dataUri({ image, mediaType }: ChoiceQuestion): string | null {
  return image === null ? null : `data:${mediaType};base64,${toBase64(image)}`;
}

/** The picture first, then the text. */
function openAiMessages(question: ChoiceQuestion): Json {
  const url = dataUri(question);
  return [
    {
      role: 'user',
      content: [
        ...(url === null ? [] : [{ type: 'image_url', image_url: { url } }]),
        { type: 'text', text: question.userText },
      ],
    },
  ];
}

function openAiBase(model: string, question: ChoiceQuestion): { readonly [key: string]: Json } {
  return {
    model,
    messages: openAiMessages(question),
    max_tokens: 1,
    temperature: 0,
    logprobs: true,
    stream: false,
  };
}

function openAiReply(root: Root): ChatReply {
  const logprobs = object(object(list(root.choices)[0]).logprobs);
  const usage = object(root.usage);
  return {
    candidates: candidatesOf(object(list(logprobs.content)[0]).top_logprobs),
    promptTokens: countOf(usage.prompt_tokens),
    completionTokens: usage.completion_tokens,
    model: root.model,
  };
}

const openAiModels = {
  modelsPath: '/v1/models',
  models: (root: Root) => list(root.data).map(({ id }) => ({ name: String(id), digest: null })),
  chatPath: '/v1/chat/completions',
};

/** llama.cpp's own chat route, where `/completion` is not to be had. */
const llamaChat: ChatShape = {
  id: 'llama-chat',
  name: 'llama.cpp server, chat route',
  ...openAiModels,
  body: (model, question) => ({
    ...openAiBase(model, question),
    top_logprobs: 50,
    cache_prompt: false,
    chat_template_kwargs: { enable_thinking: false },
  }),
  read: openAiReply,
  tokenize: { path: '/tokenize', body: (model, content) => ({ model, content, add_special: false }) },
};

/** Exact ids, as the source project asks vLLM; an older build lacks the field and gets the twenty best instead. */
const vllm: ChatShape = {
  id: 'vllm',
  name: 'vLLM',
  ...openAiModels,
  body: (model, question, tokens) => ({
    ...openAiBase(model, question),
    logprob_token_ids: tokens.flatMap(({ id }) => id ?? []),
    return_tokens_as_token_ids: true,
    chat_template_kwargs: { enable_thinking: false },
  }),
  read: openAiReply,
  tokenize: {
    path: '/tokenize',
    body: (model, prompt) => ({ model, prompt, add_special_tokens: false }),
  },
  fallback: ({ logprob_token_ids: _, ...body }) => ({ ...body, top_logprobs: 20 }),
};

const openAi: ChatShape = {
  id: 'openai',
  name: 'OpenAI-compatible server',
  ...openAiModels,
  body: (model, question) => ({ ...openAiBase(model, question), top_logprobs: 20 }),
  read: openAiReply,
};

/** The native route: on the other one log-probabilities are dropped by some builds. Tokens have no ids here. */
const ollama: ChatShape = {
  id: 'ollama',
  name: 'Ollama',
  modelsPath: '/api/tags',
  models: (root) =>
    list(root.models).map(({ name, model, digest }) => ({
      name: String(name ?? model),
      digest: typeof digest === 'string' ? digest : null,
    })),
  chatPath: '/api/chat',
  body: (model, { userText, image }) => ({
    model,
    messages: [{ role: 'user', content: userText, ...(image === null ? {} : { images: [toBase64(image)] }) }],
    stream: false,
    think: false,
    logprobs: true,
    top_logprobs: 20,
    options: { temperature: 0, num_predict: 1, seed: 0 },
    keep_alive: '10m',
  }),
  read: (root) => ({
    candidates: candidatesOf(object(list(root.logprobs)[0]).top_logprobs),
    promptTokens: countOf(root.prompt_eval_count),
    completionTokens: root.eval_count,
    model: root.model,
  }),
};

/** A request of the responses route, and its reply. */
function responsesBase(model: string, question: ChoiceQuestion): { readonly [key: string]: Json } {
  const url = dataUri(question);
  return {
    model,
    input: [
      {
        role: 'user',
        content: [
          ...(url === null ? [] : [{ type: 'input_image', image_url: url }]),
          { type: 'input_text', text: question.userText },
        ],
      },
    ],
    include: ['message.output_text.logprobs'],
    top_logprobs: 20,
    temperature: 0,
    max_output_tokens: 1,
  };
}

function responsesReply(root: Root): ChatReply {
  const parts = list(root.output).flatMap(({ content }) => list(content));
  const first = parts.flatMap(({ logprobs }) => list(logprobs))[0];
  const usage = object(root.usage);
  return {
    candidates: candidatesOf(object(first).top_logprobs),
    promptTokens: countOf(usage.input_tokens),
    completionTokens: usage.output_tokens,
    model: root.model,
  };
}

/** The responses route: the chat route takes `logprobs` and gives null. An empty list is a build without them. */
const lmStudio: ChatShape = {
  id: 'lm-studio',
  name: 'LM Studio',
  ...openAiModels,
  chatPath: '/v1/responses',
  body: responsesBase,
  read: responsesReply,
};

/** The service makes sixteen tokens at least; the first one's candidates are read. Nothing is kept there for later. */
const openAiResponses: ChatShape = {
  ...lmStudio,
  id: 'openai-responses',
  name: 'OpenAI responses',
  alias: 'openai',
  body: (model, question) => ({ ...responsesBase(model, question), max_output_tokens: 16, store: false }),
};

/** Only routes that know every field are asked: a route that drops `logprobs` would answer without them. */
const openRouter: ChatShape = {
  ...openAi,
  id: 'openrouter',
  name: 'OpenRouter',
  alias: 'openrouter',
  body: (model, question) => ({
    ...openAiBase(model, question),
    top_logprobs: 20,
    provider: { require_parameters: true },
  }),
};

/** The candidates carry ids, but there is no way to ask for a control's id: the token's text must be the control. */
const gemini: ChatShape = {
  id: 'gemini',
  name: 'Google Gemini',
  auth: 'x-goog-api-key',
  alias: 'gemini',
  modelsPath: '/v1beta/models?pageSize=1000',
  models: (root) =>
    list(root.models).map(({ name }) => ({ name: String(name).replace(/^models\//, ''), digest: null })),
  chatPath: (model) => `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
  body: (_model, { userText, image, mediaType }) => ({
    contents: [
      {
        role: 'user',
        parts: [
          ...(image === null ? [] : [{ inlineData: { mimeType: mediaType, data: toBase64(image) } }]),
          { text: userText },
        ],
      },
    ],
    generationConfig: { temperature: 0, maxOutputTokens: 1, responseLogprobs: true, logprobs: 20 },
  }),
  read: (root) => {
    const result = object(object(list(root.candidates)[0]).logprobsResult);
    const usage = object(root.usageMetadata);
    return {
      candidates: candidatesOf(
        list(object(list(result.topCandidates)[0]).candidates).map(({ token, tokenId, logProbability }) => ({
          id: tokenId,
          token,
          logprob: logProbability,
        })),
      ),
      promptTokens: countOf(usage.promptTokenCount),
      completionTokens: usage.candidatesTokenCount,
      model: root.modelVersion,
    };
  },
};

export const CHAT_SHAPES: readonly ChatShape[] = [
  llamaChat,
  vllm,
  ollama,
  lmStudio,
  openAi,
  openAiResponses,
  openRouter,
  gemini,
];

/** Where a model is asked: some interfaces name it in the path. */
export function chatPathOf({ chatPath }: ChatShape, model: string): string {
  return typeof chatPath === 'string' ? chatPath : chatPath(model);
}
