import { PixelproofError } from '../../errors';
import type { JsonObject } from '../../evidence/identity/json';
import { toBase64 } from '../base64';
import { PUBLISHED_ANSWER } from '../provider';
import {
  type AskedPicture,
  errorWords,
  given,
  type ListedModel,
  list,
  object,
  present,
  type ReaderReply,
  type ReaderShape,
  textOr,
} from './reader-shape';
import type { Root } from './scored-body';

/** The name of the schema, where a server wants one. */
const SCHEMA_NAME = 'reply';

function wrongShape(expected: string, root: Root): PixelproofError {
  return new PixelproofError('provider_reply_shape', `The reply has another form: it needs ${expected}.`, {
    expected,
    got: Object.keys(root).join(', ') || 'an empty object',
  });
}

const dataUri = ({ image, mediaType }: AskedPicture) => `data:${mediaType};base64,${toBase64(image)}`;
const wanted = ({ answer }: AskedPicture) => answer ?? PUBLISHED_ANSWER;
const unknownPictures = (name: unknown): ListedModel => ({ name: String(name), digest: null, images: null });

/** The picture first, then the text, as one user's message of the chat interface. */
function chatBody(model: string, seed: number, question: AskedPicture): JsonObject {
  const { schema, temperature, tokens } = wanted(question);
  return {
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: dataUri(question) } },
          { type: 'text', text: question.prompt },
        ],
      },
    ],
    max_tokens: tokens,
    ...given('temperature', temperature),
    seed,
    stream: false,
    ...given(
      'response_format',
      schema === null
        ? null
        : { type: 'json_schema', json_schema: { name: SCHEMA_NAME, strict: true, schema } },
    ),
  };
}

/** OpenRouter's word for a route that broke off, vLLM's and SGLang's for a call they dropped, DeepSeek's for no room. */
const BROKEN_OFF: readonly unknown[] = ['error', 'abort', 'insufficient_system_resource'];

function chatReply(root: Root): ReaderReply {
  const [first] = list(root.choices);
  if (first === undefined) throw wrongShape('a first choice with a message', root);
  const message = object(first.message);
  const broken = present(first.error) || BROKEN_OFF.includes(first.finish_reason);
  const parts = list(message.content).flatMap(({ text }) => textOr(text) ?? []);
  const usage = object(root.usage);
  return {
    text: textOr(message.content) ?? (parts.length > 0 ? parts.join('') : null),
    ended: textOr(message.refusal) ?? textOr(first.finish_reason),
    unfinished: broken ? (errorWords(first.error) ?? String(first.finish_reason)) : null,
    model: root.model,
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
  };
}

const chat = {
  auth: 'bearer',
  modelsPath: '/v1/models',
  listsDigests: false,
  models: (root: Root) => list(root.data).map(({ id }) => unknownPictures(id)),
  path: () => '/v1/chat/completions',
  body: chatBody,
  read: chatReply,
} as const;

const llamaChat: ReaderShape = {
  ...chat,
  id: 'llama-chat',
  name: 'llama.cpp server, chat route',
  alias: 'exact',
  body: (...asked) => ({
    ...chatBody(...asked),
    cache_prompt: false,
    chat_template_kwargs: { enable_thinking: false },
  }),
};

const vllm: ReaderShape = {
  ...chat,
  id: 'vllm',
  name: 'vLLM',
  alias: 'exact',
  body: (...asked) => ({ ...chatBody(...asked), chat_template_kwargs: { enable_thinking: false } }),
};

const openAi: ReaderShape = { ...chat, id: 'openai', name: 'OpenAI-compatible server', alias: 'openai' };

/** Only routes that know every field are asked: a field that is dropped on the way would be another experiment. */
const openRouter: ReaderShape = {
  ...chat,
  id: 'openrouter',
  name: 'OpenRouter',
  alias: 'openrouter',
  models: (root) =>
    list(root.data).map(({ id, architecture }) => {
      const modalities: unknown = object(architecture).input_modalities;
      return {
        ...unknownPictures(id),
        images: Array.isArray(modalities) ? modalities.includes('image') : null,
      };
    }),
  body: (...asked) => ({ ...chatBody(...asked), provider: { require_parameters: true } }),
};

function responsesBody(model: string, question: AskedPicture): JsonObject {
  const { schema, temperature, tokens } = wanted(question);
  return {
    model,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: dataUri(question) },
          { type: 'input_text', text: question.prompt },
        ],
      },
    ],
    max_output_tokens: tokens,
    ...given('temperature', temperature),
    ...given(
      'text',
      schema === null ? null : { format: { type: 'json_schema', name: SCHEMA_NAME, strict: true, schema } },
    ),
  };
}

/** The reasons of an incomplete response that are the model's or the service's answer: too long, or filtered. */
const CUTS: readonly unknown[] = ['max_output_tokens', 'content_filter'];

function responsesReply(root: Root): ReaderReply {
  if (!Array.isArray(root.output)) throw wrongShape('a list “output”', root);
  const parts = list(root.output).flatMap(({ content }) => list(content));
  const texts = parts.flatMap(({ type, text }) => (type === 'output_text' ? (textOr(text) ?? []) : []));
  const refusal = parts.flatMap(({ refusal }) => textOr(refusal) ?? [])[0] ?? null;
  const reason = textOr(object(root.incomplete_details).reason);
  const whole =
    !present(root.status) ||
    root.status === 'completed' ||
    (root.status === 'incomplete' && CUTS.includes(reason));
  const usage = object(root.usage);
  return {
    text: texts.length > 0 ? texts.join('') : null,
    ended: refusal ?? reason ?? textOr(root.status),
    unfinished: whole ? null : (reason ?? String(root.status)),
    model: root.model,
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
  };
}

const responses = { ...chat, seedless: true, path: () => '/v1/responses', read: responsesReply } as const;

/** The route that its scores come from as well. */
const lmStudio: ReaderShape = {
  ...responses,
  id: 'lm-studio',
  name: 'LM Studio',
  alias: 'exact',
  body: (model, _seed, question) => responsesBody(model, question),
};

/** Stateless: nothing of a question is kept at the service for later. The route takes no seed. */
const openAiResponses: ReaderShape = {
  ...responses,
  id: 'openai-responses',
  name: 'OpenAI responses',
  alias: 'openai',
  body: (model, _seed, question) => ({ ...responsesBody(model, question), store: false }),
};

/** The same question as the chat route's, by the route that takes a prompt instead of messages. */
const ollamaGenerate: ReaderShape = {
  id: 'ollama-generate',
  name: 'Ollama, generate route',
  auth: 'bearer',
  alias: 'ollama',
  modelsPath: '/api/tags',
  listsDigests: true,
  models: (root) =>
    list(root.models).map(({ name, model, digest, capabilities }) => ({
      name: String(name ?? model),
      digest: textOr(digest),
      images: Array.isArray(capabilities) ? (capabilities as readonly unknown[]).includes('vision') : null,
    })),
  path: () => '/api/generate',
  body: (model, seed, question) => {
    const { schema, temperature, tokens } = wanted(question);
    return {
      model,
      prompt: question.prompt,
      images: [toBase64(question.image)],
      think: false,
      stream: false,
      ...given('format', schema),
      options: { ...given('temperature', temperature), seed, num_predict: tokens },
    };
  },
  read: (root) => {
    if (typeof root.response !== 'string') throw wrongShape('a text “response”', root);
    return {
      text: root.response,
      ended: textOr(root.done_reason),
      unfinished: root.done === false ? 'done: false' : null,
      model: root.model,
      prompt: root.prompt_eval_count,
      completion: root.eval_count,
    };
  },
};

/** The interface takes no seed. Without the last header a page's call is refused. */
const anthropic: ReaderShape = {
  id: 'anthropic',
  name: 'Anthropic messages',
  seedless: true,
  auth: 'x-api-key',
  alias: 'anthropic',
  headers: { 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true' },
  modelsPath: '/v1/models?limit=1000',
  listsDigests: false,
  models: (root) => list(root.data).map(({ id }) => unknownPictures(id)),
  path: () => '/v1/messages',
  body: (model, _seed, question) => {
    const { schema, temperature, tokens } = wanted(question);
    const source = { type: 'base64', media_type: question.mediaType, data: toBase64(question.image) };
    return {
      model,
      max_tokens: tokens,
      ...given('temperature', temperature),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source },
            { type: 'text', text: question.prompt },
          ],
        },
      ],
      ...given('output_config', schema === null ? null : { format: { type: 'json_schema', schema } }),
    };
  },
  read: (root) => {
    if (!Array.isArray(root.content)) throw wrongShape('a list “content”', root);
    const texts = list(root.content).flatMap(({ type, text }) =>
      type === 'text' ? (textOr(text) ?? []) : [],
    );
    const usage = object(root.usage);
    return {
      text: texts.length > 0 ? texts.join('') : null,
      ended: textOr(root.stop_reason),
      unfinished: texts.length === 0 && !present(root.stop_reason) ? 'no stop_reason and no text' : null,
      model: root.model,
      prompt: usage.input_tokens,
      completion: usage.output_tokens,
    };
  },
};

/** Ends that are neither the model's nor a refusal: "unknown", and calls of tools that nobody offered. */
const GEMINI_FAILURES: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'OTHER',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
];

const gemini: ReaderShape = {
  id: 'gemini',
  name: 'Google Gemini',
  auth: 'x-goog-api-key',
  alias: 'gemini',
  modelsPath: '/v1beta/models?pageSize=1000',
  listsDigests: false,
  models: (root) =>
    list(root.models).map(({ name }) => unknownPictures(String(name).replace(/^models\//, ''))),
  path: (model) => `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
  body: (_model, seed, question) => {
    const { schema, temperature, tokens } = wanted(question);
    const inlineData = { mimeType: question.mediaType, data: toBase64(question.image) };
    return {
      contents: [{ role: 'user', parts: [{ inlineData }, { text: question.prompt }] }],
      generationConfig: {
        ...given('temperature', temperature),
        maxOutputTokens: tokens,
        seed,
        ...(schema === null ? {} : { responseMimeType: 'application/json', responseJsonSchema: schema }),
      },
    };
  },
  read: (root) => {
    const [first] = list(root.candidates);
    const blocked = textOr(object(root.promptFeedback).blockReason);
    if (first === undefined && blocked === null) throw wrongShape('a first candidate', root);
    const parts = list(object(first?.content).parts).filter(({ thought }) => thought !== true);
    const texts = parts.flatMap(({ text }) => textOr(text) ?? []);
    const reason = textOr(first?.finishReason);
    const broken =
      blocked === null && (reason === null ? texts.length === 0 : GEMINI_FAILURES.includes(reason));
    const usage = object(root.usageMetadata);
    return {
      text: texts.length > 0 ? texts.join('') : null,
      ended: blocked ?? reason,
      unfinished: broken ? (reason ?? 'no finishReason and no text') : null,
      model: root.modelVersion,
      prompt: usage.promptTokenCount,
      completion: usage.candidatesTokenCount,
    };
  },
};

const READER_SHAPES: readonly ReaderShape[] = [
  llamaChat,
  vllm,
  openAi,
  openRouter,
  lmStudio,
  openAiResponses,
  ollamaGenerate,
  anthropic,
  gemini,
];

/** Null for a provider that is asked in another way. */
export function readerShape(id: string): ReaderShape | null {
  return READER_SHAPES.find((shape) => shape.id === id) ?? null;
}
