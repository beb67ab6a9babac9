import type { CaseKey } from '../../runner/experiment';
import { caseOfPlan, type PngPlan } from './plan';
import { type Materialised, materialiseSteps } from './steps';

/** What is known of a case before anybody is asked: pictures and digests, and not the state they show. */
export type Material = Omit<Materialised, 'row_id'>;

export async function materialiseCase(plan: PngPlan, key: CaseKey): Promise<Material> {
  const { recipe, state } = caseOfPlan(plan, key);
  const { row_id: _truth, ...material } = await materialiseSteps(recipe, state);
  return material;
}
