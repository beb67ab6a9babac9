/**
 * Where each server usually listens. The author's llama.cpp router: 8090; newer llama.cpp builds say 9931, older ones 8080.
 */
export const DEFAULT_BASE_URLS: { readonly [provider: string]: string } = {
  'llama-server': 'http://127.0.0.1:8090',
  'llama-chat': 'http://127.0.0.1:8090',
  vllm: 'http://127.0.0.1:8000',
  ollama: 'http://127.0.0.1:11434',
  'lm-studio': 'http://127.0.0.1:1234',
  openai: 'http://127.0.0.1:8080',
};
export const DEFAULT_MODEL = 'gemma-3-4b-it-q4km-mm';
export { SAMPLED } from '../providers/audit/chat-protocol';
