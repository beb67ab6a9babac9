import type { JsonObject } from '../../evidence/identity/json';
import type { ChoiceQuestion } from '../../providers/provider';
import type { Experiment } from '../../runner/experiment';
import { type Answer, askCase } from './ask';
import { outputFiles } from './files';
import type { VisionHost } from './host';
import { judgeCase } from './judge';
import { type Material, materialiseCase } from './materialise';
import { makePlan, planCases, type VisionPlan } from './plan';
import { EXPERIMENT_ID } from './protocol';
import { reportOf } from './report';
import { verifyBundle } from './verify';

/** Does the picture, and not the text, move a model's yes/no answer? */
export function visionControls(
  host: VisionHost,
): Experiment<VisionPlan, Material, Answer, JsonObject, ChoiceQuestion> {
  return {
    id: EXPERIMENT_ID,
    title: 'Vision controls',
    plan: async (parameters, provider) => makePlan(parameters, provider),
    cases: planCases,
    materialise: (plan, key) => materialiseCase(plan, key, host),
    ask: askCase,
    judge: async (plan, key, material, answer) => judgeCase(plan, key, material, answer),
    report: reportOf,
    files: outputFiles,
    verify: verifyBundle,
  };
}
