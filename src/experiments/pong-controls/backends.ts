import { isPyObject, type PyObject, type PyValue } from '../../evidence/identity/python-json';
import { chatAnswer, chatRequest } from './chat';
import type { Program } from './programs';
import { decisionRequest } from './request';

/** How a model arm talks: which requests it makes and how a response is read. The name enters every policy name. */
export interface Backend {
  readonly id: string;
  request(model: string, program: Program, observation: PyValue): PyObject;
  /** The response in the decision API's form, for the one set of checks. */
  decision(response: PyObject): PyObject;
}

const decisionApi = (id: string): Backend => ({
  id,
  request: decisionRequest,
  decision: (response) => response,
});

const BACKENDS: readonly Backend[] = [
  decisionApi('jev'),
  decisionApi('openrouter'),
  decisionApi('scripted'),
  { id: 'openai-chat', request: chatRequest, decision: chatAnswer },
];

/** The backend of a policy name (`jev:pong-action-choice-v1`) or of an id; null for a local rule or an unknown one. */
export function backendOf(policyOrId: string): Backend | null {
  const id = policyOrId.split(':', 1)[0];
  return BACKENDS.find((backend) => backend.id === id) ?? null;
}

/** Tokens of a response's usage: the decision API's field names, or the chat API's; 0 where it does not say. */
export function tokensOf(usage: PyValue | undefined): { readonly input: number; readonly output: number } {
  const count = (...names: string[]): number => {
    if (!isPyObject(usage)) return 0;
    const found = names.map((name) => usage[name]).find((value) => typeof value === 'number');
    return typeof found === 'number' ? found : 0;
  };
  return {
    input: count('input_tokens', 'prompt_tokens'),
    output: count('output_tokens', 'completion_tokens'),
  };
}
