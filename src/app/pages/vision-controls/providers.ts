/** Who can be asked, and what a score of theirs may count for. */
export const PROVIDERS = [
  {
    id: 'scripted',
    label: 'Scripted',
    server: false,
    credit: 'no credit: wiring',
    text: 'Answers made from the truth, by picture and prompt. No network.',
  },
  {
    id: 'replay',
    label: 'Published receipt',
    server: false,
    credit: 'no credit: replayed',
    text: 'Four rows that Gemma 4 answered, with the gate computed again here. It has a fixture of its own. No network.',
  },
  {
    id: 'blind',
    label: 'Blind harness',
    server: false,
    credit: 'no credit: wiring',
    text: 'Every answer is 0.7545, whatever is shown: what not looking looks like. No network.',
  },
  {
    id: 'llama-server',
    label: 'llama.cpp server',
    server: true,
    credit: 'A with Gemma 3 turns, B with Gemma 4',
    text: 'The exact prompt, candidates by token id.',
  },
  {
    id: 'llama-chat',
    label: 'llama.cpp chat route',
    server: true,
    credit: 'B, or C where a control is not listed',
    text: 'The server’s own template.',
  },
  {
    id: 'ollama',
    label: 'Ollama',
    server: true,
    credit: 'B, or C where a control is not listed',
    text: 'Its token counts may leave out what a cache held.',
  },
  {
    id: 'lm-studio',
    label: 'LM Studio',
    server: true,
    credit: 'B, or C where a control is not listed',
    text: 'By /v1/responses.',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    server: true,
    credit: 'B, or C where a control is not listed',
    text: 'Candidates by exact ids.',
  },
  {
    id: 'openai',
    label: 'OpenAI-compatible',
    server: true,
    credit: 'B, or C where a control is not listed',
    text: 'Any server with log-probabilities.',
  },
  {
    id: 'openai-sampled',
    label: 'OpenAI-compatible, sampled',
    server: true,
    credit: 'D: never a pass',
    text: 'Sixteen answers drawn for each question: a demonstration.',
  },
] as const;
export type ProviderId = (typeof PROVIDERS)[number]['id'];
