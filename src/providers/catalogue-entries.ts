import { OCR_MODEL } from './audit/ocr-protocol';
import type { CatalogueEntry } from './catalogue-entry';
import { DEFAULT_VLM } from './in-page/vlm/known-models';

/** The model of the author's own llama.cpp router. */
const LOCAL_MODEL = 'gemma-3-4b-it-q4km-mm';

const WITHOUT_MODEL: readonly CatalogueEntry[] = [
  {
    id: 'replay',
    name: 'Published replies',
    runs: 'recorded',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'Answers from published evidence. No network.',
    notes: {
      'image-text-to-text':
        'The recorded Stage 2E answers of qwen3.5. Everything else is recomputed here. No network.',
      'image-text-to-choices':
        'Four rows that Gemma 4 answered, with the gate computed again here. It has a fixture of its own. No network.',
    },
    baseUrl: null,
    key: 'none',
    model: null,
  },
  {
    id: 'scripted',
    name: 'Scripted',
    runs: 'wiring',
    capabilities: ['image-text-to-text', 'image-text-to-choices', 'state-to-choices'],
    summary: 'Answers made from the truth: a wiring check, never a result. No network.',
    notes: {
      'image-text-to-text':
        'Answers made from the truth, by image digest: a wiring check, never a result. No network.',
      'image-text-to-choices': 'Answers made from the truth, by picture and prompt. No network.',
      'state-to-choices': 'A few lines stand in for the model: a wiring check, never a result. No network.',
    },
    baseUrl: null,
    key: 'none',
    model: null,
  },
  {
    id: 'blind',
    name: 'Blind harness',
    runs: 'wiring',
    capabilities: ['image-text-to-choices'],
    summary: 'Every answer is 0.7545, whatever is shown: what not looking looks like. No network.',
    baseUrl: null,
    key: 'none',
    model: null,
  },
  {
    id: 'recorded',
    name: 'Recorded exchanges',
    runs: 'recorded',
    capabilities: ['state-to-choices'],
    summary: 'Answers from a recorded run, by request. No network.',
    baseUrl: null,
    key: 'none',
    model: null,
  },
];

const IN_PAGE: readonly CatalogueEntry[] = [
  {
    id: 'arcade-reader',
    name: 'arcade-reader',
    runs: 'in-page',
    capabilities: ['image-text-to-text'],
    summary:
      'A small network that ships with this site. It was trained on two of the eleven representations and misreads others. Nothing leaves this page.',
    baseUrl: null,
    key: 'none',
    model: 'arcade-reader-1',
  },
  {
    id: 'classifier',
    name: 'A classifier of your own',
    runs: 'in-page',
    capabilities: ['image-text-to-text'],
    summary:
      'An ONNX file of yours, with a small card that says what goes in and out. Nothing leaves this page.',
    baseUrl: null,
    key: 'none',
    model: null,
  },
  {
    id: 'ocr',
    name: 'Text recognition',
    runs: 'in-page',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'Reads the text in the pixels with two networks of this site (16 MB). Nothing leaves this page.',
    notes: {
      'image-text-to-text':
        'Two networks of this site (16 MB) read the text in the pixels. A tank and a target are no text, so every case is a rejection; what it reads of the cooldown stands in each reply. Nothing leaves this page.',
      'image-text-to-choices':
        'Two networks of this site (16 MB) read the text in the pixels; the answer is how many names of the question were read. Nothing leaves this page.',
    },
    baseUrl: null,
    key: 'none',
    model: OCR_MODEL,
  },
  {
    id: 'transformers',
    name: 'SmolVLM',
    runs: 'in-page',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary:
      'A vision-language model by transformers.js, from a folder of yours, or downloaded once after you agree. No picture leaves this page.',
    baseUrl: null,
    key: 'none',
    model: DEFAULT_VLM,
  },
];

const LOCAL_SERVERS: readonly CatalogueEntry[] = [
  {
    id: 'ollama',
    name: 'Ollama',
    runs: 'local-server',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'Asks a model of an Ollama server by its chat route.',
    notes: {
      'image-text-to-text':
        'Asks a model at the address below, once for each case. It gets the picture and the prompt, nothing else.',
      'image-text-to-choices': 'Its token counts may leave out what a cache held.',
    },
    baseUrl: 'http://localhost:11434',
    key: 'optional',
    model: 'qwen3.5:latest',
  },
  {
    id: 'ollama-generate',
    name: 'Ollama generate',
    runs: 'local-server',
    capabilities: ['image-text-to-text'],
    summary: 'The same server by its other route, which takes a prompt in place of messages.',
    baseUrl: 'http://localhost:11434',
    key: 'optional',
    sharesKeyWith: 'ollama',
    model: 'qwen3.5:latest',
  },
  {
    id: 'llama-server',
    name: 'llama.cpp server',
    runs: 'local-server',
    capabilities: ['image-text-to-choices'],
    summary: 'The exact prompt, candidates by token id.',
    // The author's router; newer llama.cpp builds say 9931, older ones 8080.
    baseUrl: 'http://127.0.0.1:8090',
    key: 'optional',
    model: LOCAL_MODEL,
  },
  {
    id: 'llama-chat',
    name: 'llama.cpp chat route',
    runs: 'local-server',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'The llama.cpp server by its chat route, with the template of the model.',
    notes: { 'image-text-to-choices': 'The server’s own template.' },
    baseUrl: 'http://127.0.0.1:8090',
    key: 'optional',
    sharesKeyWith: 'llama-server',
    model: LOCAL_MODEL,
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    runs: 'local-server',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'By /v1/responses.',
    baseUrl: 'http://127.0.0.1:1234',
    key: 'optional',
    model: LOCAL_MODEL,
  },
  {
    id: 'vllm',
    name: 'vLLM',
    runs: 'local-server',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'By its chat route.',
    notes: { 'image-text-to-choices': 'The chat route; candidates by exact ids.' },
    baseUrl: 'http://127.0.0.1:8000',
    key: 'optional',
    model: LOCAL_MODEL,
  },
  {
    id: 'openai',
    name: 'OpenAI-compatible',
    runs: 'local-server',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'Any server with the chat interface.',
    notes: { 'image-text-to-choices': 'Any server with the chat interface and log-probabilities.' },
    baseUrl: 'http://127.0.0.1:8080',
    key: 'optional',
    model: LOCAL_MODEL,
  },
  {
    id: 'openai-sampled',
    name: 'OpenAI-compatible, sampled',
    runs: 'local-server',
    capabilities: ['image-text-to-choices'],
    summary: 'Sixteen answers drawn for each question: a demonstration.',
    baseUrl: 'http://127.0.0.1:8080',
    key: 'optional',
    sharesKeyWith: 'openai',
    model: LOCAL_MODEL,
  },
  {
    id: 'openai-chat',
    name: 'Chat model',
    runs: 'local-server',
    capabilities: ['state-to-choices'],
    summary: 'Any server with chat completions and structured output. Not the published protocol.',
    baseUrl: null,
    key: 'optional',
    model: null,
  },
  {
    id: 'swarmui',
    name: 'SwarmUI',
    runs: 'local-server',
    capabilities: ['text-to-image'],
    summary: 'Draws one picture of the frozen prompt with a model of yours.',
    baseUrl: 'http://localhost:7801',
    key: 'optional',
    model: null,
  },
];

const HOSTED: readonly CatalogueEntry[] = [
  {
    id: 'openai-responses',
    name: 'OpenAI responses',
    runs: 'hosted',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'OpenAI by its responses route; nothing of a question is kept there for later.',
    baseUrl: 'https://api.openai.com',
    key: 'required',
    model: null,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    runs: 'hosted',
    capabilities: ['image-text-to-text'],
    summary: 'Claude by the messages route. It gives no log-probabilities, so it cannot score choices.',
    baseUrl: 'https://api.anthropic.com',
    key: 'required',
    model: null,
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    runs: 'hosted',
    capabilities: ['image-text-to-text', 'image-text-to-choices'],
    summary: 'Gemini by generateContent; the key goes in a header, never in the address.',
    baseUrl: 'https://generativelanguage.googleapis.com',
    key: 'required',
    model: null,
  },
  {
    id: 'jev',
    name: 'Decision API',
    runs: 'hosted',
    capabilities: ['state-to-choices'],
    summary: 'The published backend of the Pong arms.',
    baseUrl: 'https://api.typesafe.ai/v1/systemone',
    key: 'required',
    model: 'jev-1.13.0',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    runs: 'hosted',
    capabilities: ['image-text-to-text', 'image-text-to-choices', 'state-to-choices'],
    summary: 'A router to many hosted models; only routes that know every field of the question are asked.',
    notes: {
      'state-to-choices': 'The same question over OpenRouter Decisions. Needs the model that replies name.',
    },
    baseUrl: 'https://openrouter.ai/api',
    addresses: { 'state-to-choices': 'https://openrouter.ai/api/alpha/decisions' },
    key: 'required',
    model: null,
  },
  {
    id: 'openai-images',
    name: 'OpenAI-compatible images',
    runs: 'hosted',
    capabilities: ['text-to-image'],
    summary: 'Draws one picture of the frozen prompt.',
    baseUrl: 'https://api.openai.com/v1',
    key: 'required',
    model: 'gpt-image-2',
  },
  {
    id: 'minimax',
    name: 'MiniMax',
    runs: 'hosted',
    capabilities: ['text-to-image'],
    summary: 'Draws one picture of the frozen prompt.',
    baseUrl: 'https://api.minimax.io',
    key: 'required',
    model: 'image-01',
  },
];

/** Everybody who can be asked, in the order in which a page lists them. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...WITHOUT_MODEL,
  ...IN_PAGE,
  ...LOCAL_SERVERS,
  ...HOSTED,
];
