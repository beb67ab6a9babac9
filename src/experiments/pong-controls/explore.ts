import { PixelproofError } from '../../errors';
import type { PyObject } from '../../evidence/identity/python-json';
import { type EnvironmentSnapshot, type Frame, PongEnvironment } from './environment';
import type { PongMachine } from './machine';
import { seenIn } from './observation';
import { HOLD_FRAMES } from './protocol';
import { Recorded } from './recorded';
import { type Rule, ruleAction } from './rule';
import type { RunTree } from './tree';

/** An episode stopped before a decision: what was done up to there was done, what follows is anybody's. */
export interface BranchPoint {
  readonly decision: number;
  readonly observation: PyObject;
  /** What the recording did here. */
  readonly recordedAction: number;
  readonly snapshot: EnvironmentSnapshot;
}

/**
 * Plays a recorded episode up to a decision. Throws `pong_decision` where it has no such decision,
 * and `pong_record` where its files cannot be read.
 */
export async function branchPoint(
  machine: PongMachine,
  tree: RunTree,
  decision: number,
): Promise<BranchPoint> {
  const recorded = new Recorded(tree);
  const { seed } = await recorded.document('manifest.json');
  const environment = new PongEnvironment(machine);
  let { observation } = environment.reset(Number(seed));
  let at = 0;
  for await (const line of recorded.lines('transitions.jsonl')) {
    const action = Number(line.plain.action);
    if (at === decision)
      return {
        decision,
        observation: observation.json,
        recordedAction: action,
        snapshot: environment.save(),
      };
    ({ observation } = environment.step(action, Number(line.plain.raw_frames)));
    at += 1;
  }
  throw new PixelproofError('pong_decision', 'The episode has no such decision.', {
    expected: at === 0 ? 'none was recorded' : `0 to ${at - 1}`,
    got: decision,
  });
}

interface ExploredStep {
  readonly action: number;
  readonly rewards: readonly number[];
  readonly observation: PyObject;
  readonly terminated: boolean;
}

/** What would have happened. Marked as what it is: nobody's evidence, in no file of a run. */
export interface Exploration {
  readonly kind: 'exploration';
  readonly decision: number;
  readonly first_action: number;
  readonly follow: Rule | 'noop';
  readonly reward: number;
  readonly steps: readonly ExploredStep[];
}

/**
 * From a branch point: another action for one decision, then a rule or nothing, for at least `frames` frames or to the
 * end of the game. The sticky draws are those that the recording would have met. Throws `pong_action`.
 */
export function explore(
  machine: PongMachine,
  point: BranchPoint,
  {
    action,
    follow,
    frames,
  }: { readonly action: number; readonly follow: Rule | 'noop'; readonly frames: number },
  onFrame?: (machine: PongMachine, frame: Frame) => void,
): Exploration {
  const environment = new PongEnvironment(machine);
  environment.load(point.snapshot);
  const steps: ExploredStep[] = [];
  let [next, reward] = [action, 0];
  for (let done = 0; done < frames; done += HOLD_FRAMES) {
    const step = environment.step(next, HOLD_FRAMES, (frame) => onFrame?.(machine, frame));
    reward += step.rewards.reduce((sum, one) => sum + one, 0);
    const observation = step.observation.json;
    steps.push({ action: next, rewards: step.rewards, observation, terminated: step.terminated });
    if (step.terminated || step.truncated) break;
    next = follow === 'noop' ? 0 : ruleAction(follow, seenIn(observation).boxes);
  }
  return { kind: 'exploration', decision: point.decision, first_action: action, follow, reward, steps };
}
