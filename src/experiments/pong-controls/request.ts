import type { PyObject, PyValue } from '../../evidence/identity/python-json';
import type { Program } from './programs';
import { ACTIONS, HOLD_FRAMES } from './protocol';

/** The one question that is asked. */
export const QUESTION = 'next_action';

const READ = '`observation.objects`, `observation.history` and `observation.candidate_actions`';
const COORDINATES =
  'x increases right; y increases down. Follow the action effect descriptions, not the direction implied by joystick ' +
  'names.';

/** What each option does, in the order of the actions. */
function criteria(): PyObject {
  return Object.fromEntries(
    ACTIONS.map(({ id, meaning, effect }) => [
      meaning,
      `${effect} movement of the RIGHT paddle for ${HOLD_FRAMES} raw frames (action ${id}).`,
    ]),
  );
}

/** The body of a decision request, keys in the published order. The state holds the observation and nothing else. */
export function decisionRequest(model: string, program: Program, observation: PyValue): PyObject {
  return {
    model,
    state: { observation },
    questions: {
      [QUESTION]: {
        type: 'choice',
        instructions: { question: program.guidance, read: READ, coordinates: COORDINATES },
        criteria: criteria(),
      },
    },
  };
}
