import { PixelproofError } from '../../errors';
import { ORIGINAL, type Program, VERTICAL } from './programs';
import { RULE_2PX, RULE_4PX, type Rule, ruleOfArmName } from './rule';

/** One of the policies that are compared: a coded rule, or a model with a question. */
export type Arm =
  | { readonly id: string; readonly kind: 'rule'; readonly rule: Rule }
  | { readonly id: string; readonly kind: 'model'; readonly program: Program };

/** The published four, in their order. */
export const PUBLISHED_ARMS: readonly Arm[] = [
  { id: 'python-2px', kind: 'rule', rule: RULE_2PX },
  { id: 'python-4px', kind: 'rule', rule: RULE_4PX },
  { id: 'jev-original', kind: 'model', program: ORIGINAL },
  { id: 'jev-vertical', kind: 'model', program: VERTICAL },
];
export const LOCAL_ARMS: readonly string[] = ['python-2px', 'python-4px'];
export const CANDIDATE = 'jev-vertical';

/** Programs that take the place of the published ones. */
export interface Programs {
  readonly baseline?: Program;
  readonly candidate?: Program;
}

/**
 * Arms by name, rules first and in the published order: the published four, and rules of one's own (`rule-6px+3-fire`).
 * Throws `plan_arms` for an unknown or repeated name or none, and `pong_rule`.
 */
export function armsNamed(names: readonly string[], programs: Programs = {}): readonly Arm[] {
  const refuse = (got: unknown) =>
    new PixelproofError('plan_arms', 'The arms are a list of known names, each once.', {
      expected: `${PUBLISHED_ARMS.map(({ id }) => id).join(', ')}, or a rule such as rule-6px, rule-6px+3, rule-6px-fire`,
      got,
    });
  if (names.length === 0) throw refuse('none');
  if (new Set(names).size !== names.length) throw refuse(names.join(', '));
  const found = names.map((name): Arm => {
    const published = PUBLISHED_ARMS.find(({ id }) => id === name);
    if (published?.kind === 'model') {
      const own = name === CANDIDATE ? programs.candidate : programs.baseline;
      return { ...published, program: own ?? published.program };
    }
    if (published !== undefined) return published;
    const rule = ruleOfArmName(name);
    if (rule === null) throw refuse(name);
    return { id: name, kind: 'rule', rule };
  });
  const place = ({ id, kind }: Arm): number => {
    const at = PUBLISHED_ARMS.findIndex((arm) => arm.id === id);
    return kind === 'rule' && at === -1 ? 1.5 : at;
  };
  return found.toSorted((a, b) => place(a) - place(b));
}
