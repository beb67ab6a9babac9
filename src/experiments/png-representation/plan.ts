import { PixelproofError } from '../../errors';
import { canonicalId } from '../../evidence/identity/canonical';
import type { JsonObject } from '../../evidence/identity/json';
import { pyToJson } from '../../evidence/identity/python-json';
import type { AnswerOptions, ProviderDescription, ResultKind } from '../../providers/provider';
import type { CaseKey, Plan } from '../../runner/experiment';
import { type AnswerChoice, type Parameters, PUBLISHED_CHOICE, readParameters, refuse } from './parameters';
import { POLICY_ARTIFACT_ID, policyAction } from './policy';
import { PROMPT, PROMPT_DIGEST } from './prompt';
import {
  DEFAULT_MODEL,
  EXPERIMENT_ID,
  FIXTURES,
  FROZEN_STAMP,
  PROMPT_MODE,
  PROTOCOL_VERSION,
} from './protocol';
import {
  liveConfiguration,
  type ProviderConfiguration,
  scriptedConfiguration,
} from './provider-configuration';
import { type Recipe, recipeOf } from './recipes';
import { STATE_SCHEMA } from './state-schema';
import { fixtureStates, rowId, stateOfRow } from './states';
import { type CombinedParts, combinedParts, type VariantId, variantOf } from './variants';

export type Frozen = JsonObject & {
  readonly protocol_version: string;
  readonly fixture: { readonly name: string; readonly identity: string; readonly case_mode: string };
  readonly states: readonly { readonly ordinal: number; readonly row_id: string; readonly action: string }[];
  readonly recipes: readonly (JsonObject & { readonly variant_id: string; readonly recipe_id: string })[];
  readonly combined: CombinedParts | null;
  readonly provider: {
    readonly id: string;
    readonly model: string;
    readonly seed: number;
    readonly backend: string;
    readonly run_model: string;
    readonly provider_configuration_id: string;
    readonly configuration: JsonObject;
  };
  readonly confidence_threshold: number;
  readonly max_cases: number | null;
};
export type PngPlan = Plan<Frozen>;

/** Recorded Stage 2E evidence: its model argument, seed and fixture are fixed. */
const REPLAY_MODEL = 'qwen3.5:latest';

export function replayDescription(): ProviderDescription {
  return {
    id: 'replay',
    kind: 'replayed',
    label: 'Published Stage 2E evidence (qwen3.5:latest)',
    model: REPLAY_MODEL,
    seed: 0,
    base_url: null,
  };
}

/** Freezes a run: everything that identifies it, and apart from that the circumstances. Throws `plan_*`. */
export function makePlan(given: JsonObject, provider: ProviderDescription): PngPlan {
  const parameters = readParameters(given);
  const who = askedProvider(parameters, provider);
  if (who.id === 'replay') requireReplayable(parameters);
  const frozen = freeze(parameters, who);
  const live = provider.kind === 'measured';
  return {
    experiment: EXPERIMENT_ID,
    plan_id: canonicalId(frozen),
    frozen,
    circumstances: circumstancesOf(
      {
        ...parameters,
        stamp: parameters.stamp ?? (live ? utcStamp(new Date()) : FROZEN_STAMP),
        base_url: parameters.base_url ?? provider.base_url,
      },
      given.variants !== undefined && given.variants !== null,
    ),
    kind: provider.kind,
    case_count: frozen.states.length * frozen.recipes.length,
  };
}

function circumstancesOf(parameters: Parameters, variants_given: boolean): JsonObject {
  const { stamp, timeout, base_url, compile_reports, write_pngs, combined_cooldown, combined_lane, resume } =
    parameters;
  const { max_in_flight, min_interval_ms } = parameters;
  return {
    stamp,
    timeout,
    base_url,
    compile_reports,
    write_pngs,
    combined_cooldown,
    combined_lane,
    variants_given,
    resume,
    // Only where somebody chose them, so that plans from before they existed stay what they are.
    ...(max_in_flight === null ? {} : { max_in_flight }),
    ...(min_interval_ms === null ? {} : { min_interval_ms }),
  };
}

interface Asked {
  readonly id: string;
  readonly model: string;
  readonly seed: number;
  /** The raw model argument, which run metadata keeps even where the provider ignores it. */
  readonly run_model: string;
  readonly kind: ResultKind;
}

function askedProvider(parameters: Parameters, provider: ProviderDescription): Asked {
  if (provider.kind === 'wiring' || provider.id === 'scripted') {
    return {
      id: 'scripted',
      kind: provider.kind,
      model: 'fake',
      seed: parameters.seed ?? provider.seed,
      run_model: parameters.model ?? DEFAULT_MODEL,
    };
  }
  if (parameters.model !== null && parameters.model !== provider.model) {
    refuse(
      'plan_model',
      'The plan names another model than the provider asks.',
      provider.model,
      parameters.model,
    );
  }
  if (parameters.seed !== null && parameters.seed !== provider.seed) {
    refuse(
      'plan_seed',
      'The plan names another seed than the provider sends.',
      String(provider.seed),
      parameters.seed,
    );
  }
  const { id, kind, model, seed } = provider;
  return { id, kind, model, seed, run_model: model };
}

/** The published runs cover the six Stage 2E variants on the whole smoke fixture, with threshold 0. */
function requireReplayable(parameters: Parameters): void {
  const { fixture, variants, max_cases, confidence_threshold } = parameters;
  const recorded = [
    'labelled-v1',
    'unlabelled-v1',
    'cooldown-shape-v1',
    'cooldown-dual-v1',
    'cooldown-redundant-v1',
    'lane-enhanced-v1',
  ];
  const fits =
    fixture === 'smoke' &&
    (max_cases === null || max_cases >= 8) &&
    confidence_threshold === 0 &&
    variants.every((variant) => recorded.includes(variant));
  if (!fits) {
    refuse(
      'plan_replay',
      'The published evidence covers the whole smoke fixture, threshold 0 and the six Stage 2E variants only.',
      `smoke, ${recorded.join(', ')}`,
      `${fixture}, ${variants.join(', ')}`,
    );
  }
}

function freeze(parameters: Parameters, who: Asked): Frozen {
  const { identity, case_mode } = FIXTURES[parameters.fixture];
  const states = fixtureStates(parameters.fixture).slice(0, parameters.max_cases ?? undefined);
  const configuration = configurationOf(who.id, who.model, who.seed, parameters.answer);
  return {
    experiment: EXPERIMENT_ID,
    protocol_version: PROTOCOL_VERSION,
    fixture: { name: parameters.fixture, identity, case_mode },
    states: states.map((state, ordinal) => ({ ordinal, row_id: rowId(state), action: policyAction(state) })),
    recipes: parameters.variants.map((variant) => recipeJson(recipeOf(variant, parameters.combined))),
    combined: parameters.combined,
    prompt: { mode: PROMPT_MODE, sha256: PROMPT_DIGEST, text: PROMPT },
    policy_artifact_id: POLICY_ARTIFACT_ID,
    provider: {
      id: who.id,
      model: who.model,
      seed: who.seed,
      backend: configuration.provider_kind,
      run_model: who.run_model,
      provider_configuration_id: configuration.provider_configuration_id,
      configuration: pyToJson(configuration) as JsonObject,
    },
    confidence_threshold: parameters.confidence_threshold,
    max_cases: parameters.max_cases,
  };
}

function recipeJson(recipe: Recipe) {
  const { variant_id, recipe_id } = recipe;
  return { ...(pyToJson(recipe) as JsonObject), variant_id, recipe_id };
}

function configurationOf(
  id: string,
  model: string,
  seed: number,
  answer: AnswerChoice,
): ProviderConfiguration {
  if (id === 'scripted') return scriptedConfiguration(seed);
  if (id === 'replay') return liveConfiguration('ollama', model, seed);
  return liveConfiguration(id, model, seed, answer);
}

export function planConfiguration(plan: PngPlan): ProviderConfiguration {
  const { id, model, seed } = plan.frozen.provider;
  return configurationOf(id, model, seed, answerChoice(plan.frozen.provider));
}

/** The answer options as the plan's configuration has them. */
function answerChoice({ configuration }: Frozen['provider']): AnswerChoice {
  const options = configuration.inference_options as JsonObject;
  if (options.num_predict === undefined) return PUBLISHED_CHOICE;
  return {
    structured: options.structured_output !== undefined,
    server_temperature: options.temperature === undefined,
    max_tokens: Number(options.num_predict),
  };
}

/** How every question of the plan wants its answer. */
export function planAnswer(plan: PngPlan): AnswerOptions {
  const { structured, server_temperature, max_tokens } = answerChoice(plan.frozen.provider);
  return {
    schema: structured ? STATE_SCHEMA : null,
    temperature: server_temperature ? null : 0,
    tokens: max_tokens,
  };
}

/** The plan's variants in the order in which they run. */
export function planVariants(plan: PngPlan): VariantId[] {
  return plan.frozen.recipes.map((recipe) => variantOf(recipe.variant_id));
}

export function planRecipe(plan: PngPlan, variant: VariantId): Recipe {
  return recipeOf(variant, plan.frozen.combined);
}

export function planStamp(plan: PngPlan): string {
  const { stamp } = plan.circumstances;
  return typeof stamp === 'string' ? stamp : FROZEN_STAMP;
}

/** Arms in plan order, ordinals from 0 inside each. */
export function* planCases(plan: PngPlan): Iterable<CaseKey> {
  for (const arm of planVariants(plan)) {
    for (let ordinal = 0; ordinal < plan.frozen.states.length; ordinal++) yield { arm, ordinal };
  }
}

/** The variant, recipe and state of a case. Throws `case_unknown` for a key that the plan does not have. */
export function caseOfPlan(plan: PngPlan, key: CaseKey) {
  const row = plan.frozen.states[key.ordinal];
  const variant = planVariants(plan).find((each) => each === key.arm);
  if (row === undefined || variant === undefined) {
    throw new PixelproofError('case_unknown', 'The plan has no such case.', {
      expected: `${planVariants(plan).join(', ')}; 0 to ${plan.frozen.states.length - 1}`,
      got: `${key.arm} ${key.ordinal}`,
    });
  }
  return { variant, recipe: planRecipe(plan, variant), state: stateOfRow(row.row_id) };
}

/**
 * Freezes a stored plan again from the choices it names, for the verifier: a plan that was made by this protocol comes
 * out equal. Throws what reading a foreign structure throws.
 */
export function refreeze(frozen: JsonObject): Frozen {
  const { fixture, recipes, combined, provider, confidence_threshold, max_cases } = frozen as Frozen;
  const parts = combined === null ? null : combinedParts(combined.cooldown, combined.lane);
  const parameters = readParameters({
    fixture: fixture.name,
    variants: recipes.map((recipe) => recipe.variant_id),
    combined_cooldown: parts?.cooldown ?? null,
    combined_lane: parts?.lane ?? null,
    resume: true,
    max_cases,
    confidence_threshold,
    ...answerChoice(provider),
  });
  const { id, model, seed, run_model } = provider;
  return freeze(parameters, { id, model, seed, run_model, kind: 'measured' });
}

/** The circumstances of a stored plan, read again as choices. Throws as `readParameters` does. */
export function recircumstance({ frozen, circumstances }: PngPlan): JsonObject {
  const { variants_given, ...choices } = circumstances;
  const parameters = readParameters({
    ...choices,
    variants: frozen.recipes.map(({ variant_id }) => variant_id),
  });
  return circumstancesOf(parameters, variants_given === true);
}

function utcStamp(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
