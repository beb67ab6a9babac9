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

export { type Answer, createScriptedReplies } from './ask';
export { type CaseDto, loadCase, OUTCOMES, type Outcome } from './case';
export { classify, DECLARED_TARGETS } from './classification';
export {
  compareRuns,
  comparisonCsv,
  comparisonJson,
  comparisonMarkdown,
  validateComparableRuns,
} from './comparison';
export { type GateCheck, type InterpretationGate, interpretationGate, promotionGate } from './gates';
export { caseOfRecord } from './judge';
export { type PngPlan, replayDescription } from './plan';
export { ACTIONS, decisionTrace, POLICY_ARTIFACT_ID, policyAction, policyValues } from './policy';
export { predictionPayload, readReply } from './prediction';
export { PROMPT, PROMPT_DIGEST } from './prompt';
export { DEFAULT_MODEL } from './protocol';
export { PUBLISHED_EXPLANATIONS, published } from './published';
export { loadRecipe, type Recipe, recipeOf } from './recipes';
export { CONFOUNDS, type Confirmations, LIMITS, reportOf } from './report';
export {
  type ArcadeState,
  CANONICAL_STATES,
  FACTORS,
  fixtureStates,
  rowId,
  SMOKE_STATES,
  stateOfRow,
} from './states';
export {
  forgetPictures,
  type Materialised,
  materialiseSteps,
  materialiseStepsWithPixels,
  type Step,
  type StepWithPixels,
} from './steps';
export {
  type CombinedParts,
  combinedParts,
  DEFAULT_VARIANTS,
  SEMANTIC_VARIANTS,
  VARIANTS,
  type VariantId,
  variantOf,
} from './variants';
