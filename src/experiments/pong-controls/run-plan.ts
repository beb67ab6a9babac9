import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ProviderDescription } from '../../providers/provider';
import type { CaseKey, Plan } from '../../runner/experiment';
import { armsNamed, LOCAL_ARMS } from './arms';
import { caseKey, evidencePlan, planOf } from './evidence';
import { CARTRIDGES, type CartridgeName } from './paddle';
import { type ComparisonPlan, makePlan, type Scheduled } from './plan';
import { parseProgram } from './programs';
import { type EngineVersions, PUBLISHED_VERSIONS } from './protocol';

/**
 * Freezes a comparison as a run of the lab. Parameters, all optional: `arms`, `seeds`, `frames`, `cartridge` (`paddle`,
 * `pong`), `published_versions`, `expected_model`, `max_api_calls`, `baseline_program`, `candidate_program`,
 * `source_revision`, `recording` (digest of the recorded exchanges that answer). Throws `plan_parameters` and the codes
 * of `makePlan`, `armsNamed` and `parseProgram`.
 */
export async function planRun(
  parameters: JsonObject,
  provider: ProviderDescription,
  versions: EngineVersions,
): Promise<Plan> {
  const { cartridge = 'paddle', frames, source_revision, baseline_program, candidate_program } = parameters;
  if (typeof cartridge !== 'string' || !(cartridge in CARTRIDGES)) throw unfit('cartridge', cartridge);
  const arms = armsNamed(listOf(parameters, 'arms')?.map(String) ?? LOCAL_ARMS, {
    ...(baseline_program == null ? {} : { baseline: parseProgram(baseline_program) }),
    ...(candidate_program == null ? {} : { candidate: parseProgram(candidate_program) }),
  });
  const seeds = listOf(parameters, 'seeds')?.map(Number);
  const comparison = makePlan({
    arms,
    ...(seeds === undefined ? {} : { seeds }),
    ...(frames == null ? {} : { frames: Number(frames) }),
    romSha256: CARTRIDGES[cartridge as CartridgeName],
    versions: parameters.published_versions === true ? PUBLISHED_VERSIONS : versions,
    ...(source_revision == null ? {} : { sourceRevision: String(source_revision) }),
    ...(arms.some(({ kind }) => kind === 'model') ? { model: modelOf(parameters, provider) } : {}),
  });
  const { recording } = parameters;
  const plan = evidencePlan(comparison, provider.kind);
  return recording == null ? plan : { ...plan, circumstances: { recording } };
}

function modelOf({ expected_model, max_api_calls }: JsonObject, { id, model }: ProviderDescription) {
  const local = id === 'local';
  return {
    backend: local ? '' : id,
    model: local ? '' : model,
    expectedModel: expected_model == null ? null : String(expected_model),
    ...(max_api_calls == null ? {} : { maxApiCalls: Number(max_api_calls) }),
  };
}

const read = new WeakMap<object, ComparisonPlan>();

/** The comparison that a plan of the lab holds. Throws `pong_record` and the codes of `makePlan`. */
export function comparisonOf(plan: Pick<Plan, 'frozen'>): ComparisonPlan {
  const known = read.get(plan.frozen);
  if (known !== undefined) return known;
  const comparison = planOf(plan);
  read.set(plan.frozen, comparison);
  return comparison;
}

/** Episodes in the order in which they are played, with the places of their cases. */
export function* planEpisodes(plan: Plan): Iterable<CaseKey & { readonly at: Scheduled }> {
  const comparison = comparisonOf(plan);
  for (const at of comparison.schedule) yield { ...caseKey(comparison, at), at };
}

export function scheduledAt(plan: Plan, key: CaseKey): Scheduled {
  for (const { arm, ordinal, at } of planEpisodes(plan))
    if (arm === key.arm && ordinal === key.ordinal) return at;
  throw new PixelproofError('plan_arms', 'The schedule names no such episode.', {
    got: `${key.arm} ${key.ordinal}`,
  });
}

function listOf(parameters: JsonObject, name: string): readonly Json[] | undefined {
  const value = parameters[name];
  if (value == null) return undefined;
  if (Array.isArray(value)) return value;
  throw unfit(name, value);
}

function unfit(name: string, got: Json): PixelproofError {
  return new PixelproofError('plan_parameters', `The parameter ${name} is not usable.`, {
    expected: name === 'cartridge' ? Object.keys(CARTRIDGES).join(', ') : 'a list',
    got,
  });
}
