import { PixelproofError } from '../../errors';
import { type Boxes, verticalGap } from './boxes';
import type { ActionId } from './protocol';

/**
 * A coded rule: keep the paddle's centre at the ball's. `deadband` and `offset` in pixels. The published arms are the
 * ones with offset 0 and without FIRE; every other rule is a new arm of ours and named as one.
 */
export interface Rule {
  /** Gap up to which nothing is pressed, the bound itself included; 0 to 80. */
  readonly deadband: number;
  /** Where the ball is to meet the paddle: added to the ball's centre, positive is lower; -40 to 40. */
  readonly offset: number;
  /** Which of two actions with the same effect is asked for. */
  readonly prefer: 'plain' | 'fire';
}

/** The rule's action for what is seen: 0 where ball or player is absent, and inside the band. */
export function ruleAction({ deadband, offset, prefer }: Rule, boxes: Boxes): ActionId {
  const gap = verticalGap(boxes);
  const fire = prefer === 'fire';
  if (gap === null) return 0;
  const delta = gap + offset;
  if (delta < -deadband) return fire ? 4 : 2;
  if (delta > deadband) return fire ? 5 : 3;
  return 0;
}

export const RULE_2PX: Rule = { deadband: 2, offset: 0, prefer: 'plain' };
export const RULE_4PX: Rule = { deadband: 4, offset: 0, prefer: 'plain' };

/** The policy name that files carry. */
export function rulePolicyName({ deadband, offset, prefer }: Rule): string {
  const band = deadband === 2 ? '' : `-${deadband}px`;
  const target = offset === 0 ? '' : `-target${offset > 0 ? '+' : ''}${offset}`;
  return `track-ball-center${band}${target}${prefer === 'fire' ? '-fire' : ''}-v1`;
}

/** The arm name of a rule that was not published: `rule-6px`, `rule-6px+3`, `rule-6px-fire`. */
export function ruleArmName({ deadband, offset, prefer }: Rule): string {
  const target = offset === 0 ? '' : `${offset > 0 ? '+' : ''}${offset}`;
  return `rule-${deadband}px${target}${prefer === 'fire' ? '-fire' : ''}`;
}

/** The rule of such an arm name, null for another name. Throws `pong_rule` for numbers out of range. */
export function ruleOfArmName(name: string): Rule | null {
  const match = /^rule-(\d{1,3})px([+-]\d{1,3})?(-fire)?$/.exec(name);
  if (match === null) return null;
  return checkRule({
    deadband: Number(match[1]),
    offset: Number(match[2] ?? 0),
    prefer: match[3] === undefined ? 'plain' : 'fire',
  });
}

/** Throws `pong_rule` unless the numbers are whole and in range. */
function checkRule(rule: Rule): Rule {
  const { deadband, offset } = rule;
  const sane =
    Number.isInteger(deadband) &&
    deadband >= 0 &&
    deadband <= 80 &&
    Number.isInteger(offset) &&
    Math.abs(offset) <= 40;
  if (sane) return { ...rule, offset: offset === 0 ? 0 : offset };
  throw new PixelproofError('pong_rule', 'This rule is not possible.', {
    expected: 'a deadband of 0 to 80 and an offset of -40 to 40, whole pixels',
    got: rule,
  });
}
