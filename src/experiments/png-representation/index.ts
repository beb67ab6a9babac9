import type { JsonObject } from '../../evidence/identity/json';
import type { Experiment } from '../../runner/experiment';
import { type Answer, askCase } from './ask';
import { outputFiles } from './files';
import { judgeCase } from './judge';
import { type Material, materialiseCase } from './materialise';
import { makePlan, type PngPlan, planCases } from './plan';
import { EXPERIMENT_ID } from './protocol';
import { reportOf } from './report';
import { verifyBundle } from './verify';

/** Does changing only an identified PNG representation change how reliably an unchanged provider reads a state? */
export const pngRepresentation: Experiment<PngPlan, Material, Answer, JsonObject> = {
  id: EXPERIMENT_ID,
  title: 'PNG representation',
  plan: async (parameters, provider) => makePlan(parameters, provider),
  cases: planCases,
  materialise: materialiseCase,
  ask: askCase,
  judge: async (plan, key, material, answer) => judgeCase(plan, key, material, answer),
  report: (source) => reportOf(source, { inspected: false, reviewed: false }),
  files: outputFiles,
  verify: verifyBundle,
};

export { createScriptedReplies } from './ask';
export { caseOfRecord } from './judge';
export { type PngPlan, replayDescription } from './plan';
export { POLICY_ARTIFACT_ID } from './policy';
export { predictionPayload, readReply } from './prediction';
export { PROMPT_DIGEST } from './prompt';
export { DEFAULT_MODEL } from './protocol';
export { published } from './published';
export { recipeOf } from './recipes';
export { reportOf } from './report';
export { CANONICAL_STATES, stateOfRow } from './states';
export { forgetPictures, materialiseSteps, materialiseStepsWithPixels, type Step } from './steps';
export { combinedParts, VARIANTS, variantOf } from './variants';
