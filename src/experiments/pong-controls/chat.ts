import { PixelproofError } from '../../errors';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonLineUnsorted,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import type { Program } from './programs';
import { OPTIONS } from './protocol';
import { decisionRequest, QUESTION } from './request';

const ROLE =
  'Answer with one JSON object: choice (one of the options), confidence (0 to 1) and probabilities (each option, summing ' +
  'to 1). Use only the state and the instructions given.';

const SHARE: PyObject = { type: 'number', minimum: 0, maximum: 1 };
const ANSWER_SCHEMA: PyObject = {
  type: 'object',
  additionalProperties: false,
  required: ['choice', 'confidence', 'probabilities'],
  properties: {
    choice: { type: 'string', enum: OPTIONS },
    confidence: SHARE,
    probabilities: {
      type: 'object',
      additionalProperties: false,
      required: OPTIONS,
      properties: Object.fromEntries(OPTIONS.map((option) => [option, SHARE])),
    },
  },
};

/**
 * The same question as a chat request with a structured answer (the `chat/completions` interface that many servers
 * have). Not the published protocol: probabilities are what the model writes down, so it is a backend of its own name.
 */
export function chatRequest(model: string, program: Program, observation: PyValue): PyObject {
  const { state, questions } = decisionRequest(model, program, observation);
  return {
    model,
    messages: [
      { role: 'system', content: ROLE },
      { role: 'user', content: pythonLineUnsorted({ state: state ?? null, questions: questions ?? null }) },
    ],
    temperature: 0,
    response_format: {
      type: 'json_schema',
      json_schema: { name: QUESTION, strict: true, schema: ANSWER_SCHEMA },
    },
  };
}

/** A chat response in the decision API's form. Throws `provider_decision_invalid` where its content is no answer. */
export function chatAnswer(response: PyObject): PyObject {
  const choices: PyValue = response.choices ?? null;
  const first: PyValue = Array.isArray(choices) ? (choices[0] ?? null) : null;
  const message = isPyObject(first) ? first.message : null;
  const content = isPyObject(message) ? message.content : null;
  let answer: PyValue = null;
  if (typeof content === 'string') {
    try {
      answer = parsePythonJson(content);
    } catch {
      // Left null: told below, without a word of the content.
    }
  }
  if (!isPyObject(answer)) {
    throw new PixelproofError(
      'provider_decision_invalid',
      'The response is no decision that may be acted on.',
      { expected: 'a first choice whose message content is one JSON object', got: 'something else' },
    );
  }
  const { choice = null, confidence = null, probabilities = null } = answer;
  return {
    model: response.model ?? null,
    answers: { [QUESTION]: { type: 'choice', choice, confidence, probabilities } },
    usage: response.usage ?? null,
  };
}
