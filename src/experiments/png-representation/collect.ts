import { PixelproofError } from '../../errors';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { type CaseDto, loadCase } from './case';
import { type Comparison, compareRuns } from './comparison';
import { caseOfRecord } from './judge';
import { type PngPlan, planConfiguration, planRecipe, planVariants } from './plan';
import { type PublishedVariant, published } from './published';
import type { Recipe } from './recipes';
import { loadRun, makeRun, type RunDto } from './run';
import type { VariantId } from './variants';

/** One variant of a run as far as it has come. */
export interface VariantResult {
  readonly variant: VariantId;
  readonly recipe: Recipe;
  readonly records: readonly CaseRecord[];
  /** Empty for replayed evidence, whose cases were not published whole. */
  readonly cases: readonly CaseDto[];
  /** Null until all its cases are there. For replayed evidence the published run. */
  readonly run: RunDto | null;
  readonly published: PublishedVariant | null;
}

export interface Collected {
  readonly variants: readonly VariantResult[];
  /** Over the finished variants, null without any. */
  readonly comparison: Comparison | null;
}

/** Gathers a run's cases into runs and compares them. At most 11 x 112 cases are held. */
export async function collect(source: RunSource<PngPlan>): Promise<Collected> {
  const variants: VariantResult[] = [];
  for (const variant of planVariants(source.plan)) variants.push(await collectVariant(source, variant));
  const runs = variants.map((each) => each.run).filter((run) => run !== null);
  return { variants, comparison: runs.length === 0 ? null : compareRuns(runs) };
}

async function collectVariant(source: RunSource<PngPlan>, variant: VariantId): Promise<VariantResult> {
  const { plan } = source;
  const recipe = planRecipe(plan, variant);
  const records: CaseRecord[] = [];
  for await (const record of source.cases(variant)) records.push(record);
  const finished = records.length === plan.frozen.states.length;
  if (plan.frozen.provider.id === 'replay') {
    const entry = (await published()).variants.get(variant) ?? null;
    return {
      variant,
      recipe,
      records,
      cases: [],
      run: finished ? (entry?.run ?? null) : null,
      published: entry,
    };
  }
  const cases = records.map((record) => caseOrThrow(record));
  return {
    variant,
    recipe,
    records,
    cases,
    run: finished ? closeRun(plan, recipe, cases) : null,
    published: null,
  };
}

function caseOrThrow(record: CaseRecord): CaseDto {
  const dto = caseOfRecord(record);
  if (dto !== null) return loadCase(dto);
  throw new PixelproofError('case_shape', 'A stored case lacks its record.', {
    expected: 'detail.case',
    got: 'nothing',
  });
}

/** Closes a run and loads it again, as the reference does after saving: what does not survive that is refused. */
function closeRun(plan: PngPlan, recipe: Recipe, cases: readonly CaseDto[]): RunDto {
  const { fixture, provider } = plan.frozen;
  const run = makeRun(
    {
      fixture_identity: fixture.identity,
      case_mode: fixture.case_mode,
      configuration: planConfiguration(plan),
      variant: recipe.variant_id,
      metadata: { model: provider.run_model, backend: provider.backend, recipe_id: recipe.recipe_id },
    },
    cases,
  );
  return loadRun(run, cases);
}
