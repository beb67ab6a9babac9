import type { ChoiceQuestion, ExchangeRecord } from '../../providers/provider';
import type { Ask, CaseKey } from '../../runner/experiment';
import type { Material } from './materialise';
import type { VisionPlan } from './plan';

/** The last attempt of each question of a case, in order. */
export type Answer = readonly ExchangeRecord[];

/** One question after the other: results must not depend on what else a server works on. */
export async function askCase(
  _plan: VisionPlan,
  _key: CaseKey,
  material: Material,
  ask: Ask<ChoiceQuestion>,
): Promise<Answer> {
  const answers: ExchangeRecord[] = [];
  for (const [index, { question }] of material.questions.entries()) answers.push(await ask(index, question));
  return answers;
}
