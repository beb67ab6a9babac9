import { isPyObject, type PyObject, type PyValue, pyFloat } from '../evidence/identity/python-json';
import { parsePythonJson } from '../evidence/identity/python-json-parse';
import type {
  DecisionAttempt,
  DecisionCall,
  DecisionQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from './provider';

export const SCRIPTED_DECISIONS: ProviderDescription = {
  id: 'scripted',
  kind: 'wiring',
  label: 'Scripted decisions (wiring check)',
  model: 'scripted-decisions-1',
  seed: 0,
  base_url: null,
};

/**
 * A model that is a few lines: it reads the state of a request as a model would, prefers the option whose effect brings
 * the player towards the ball, and hedges by how far they are apart. It sends nothing and takes no time. A run with it
 * proves the wiring and says nothing about any model.
 */
export class ScriptedDecisions implements Provider {
  readonly capabilities = ['state-to-choices'] as const;
  readonly description = SCRIPTED_DECISIONS;

  async start(): Promise<RuntimeEvidence> {
    return { runtime_name: 'in-process-script', runtime_version: null, model_digest: null, details: {} };
  }

  async decide({ body }: DecisionQuestion, call: DecisionCall): Promise<DecisionAttempt> {
    call.signal.throwIfAborted();
    call.reserve();
    const request = parsePythonJson(body);
    const attempt: DecisionAttempt = {
      status: 200,
      seconds: 0,
      response: isPyObject(request) ? answerTo(request, body.length) : {},
      cause: null,
    };
    await call.record(attempt);
    return attempt;
  }
}

const NOOP = 'NOOP';

function answerTo(request: PyObject, length: number): PyObject {
  const gap = gapIn(at(request, 'state', 'observation', 'objects'));
  const choice = gap === null || Math.abs(gap) <= 3 ? NOOP : gap < 0 ? 'RIGHT' : 'LEFT';
  // Hundredths, so that the sum is exact: 55 to 95 for the choice, the rest for doing nothing (or for the two moves).
  const sure = gap === null ? 60 : Math.min(95, 55 + Math.round(Math.abs(gap)));
  const options = Object.keys(asObject(at(request, 'questions', 'next_action', 'criteria')));
  const share = (option: string): number => {
    if (option === choice) return sure;
    if (choice !== NOOP) return option === NOOP ? 100 - sure : 0;
    return option === 'RIGHT' ? 100 - sure : 0;
  };
  return {
    model: request.model ?? null,
    answers: {
      next_action: {
        type: 'choice',
        choice,
        confidence: pyFloat((sure - 50) / 50),
        probabilities: Object.fromEntries(options.map((option) => [option, pyFloat(share(option) / 100)])),
      },
    },
    usage: { input_tokens: Math.ceil(length / 4), output_tokens: 0 },
  };
}

function gapIn(objects: PyValue | undefined): number | null {
  const list: readonly PyValue[] = Array.isArray(objects) ? objects : [];
  const centre = (id: string): number | null => {
    const found = list.find((object) => isPyObject(object) && object.id === id);
    const box: PyValue | undefined = isPyObject(found) ? found.bbox : undefined;
    const [, y, , height]: readonly PyValue[] = Array.isArray(box) ? box : [];
    return typeof y === 'number' && typeof height === 'number' ? y + height / 2 : null;
  };
  const [ball, player] = [centre('ball'), centre('player')];
  return ball === null || player === null ? null : ball - player;
}

const asObject = (value: PyValue | undefined): PyObject => (isPyObject(value) ? value : {});

function at(value: PyValue | undefined, ...path: readonly string[]): PyValue | undefined {
  return path.reduce<PyValue | undefined>((inner, key) => asObject(inner)[key], value);
}
