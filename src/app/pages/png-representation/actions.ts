import { type Action, policyAction } from '../../../experiments/png-representation/policy';
import { arcade, type StateParts } from './states';

/** What the compiled policy does in a state. */
export function actionOf(state: StateParts): Action {
  return policyAction(arcade(state));
}

export const ACTION_SIGNS: Readonly<Record<Action, string>> = { LEFT: '←', RIGHT: '→', STAY: '·', FIRE: '↑' };
