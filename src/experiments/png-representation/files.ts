import { PixelproofError } from '../../errors';
import type { BundleFile } from '../../evidence/bundle/file';
import {
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonical,
  pythonLine,
  pythonPresentation,
} from '../../evidence/identity/python-json';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { benchmarkIdentity, episodePlan } from './bookkeeping';
import { collect, type VariantResult } from './collect';
import { comparisonCsv, comparisonJson, comparisonMarkdown } from './comparison';
import { caseOfRecord, replyForm } from './judge';
import { type PngPlan, planStamp, planVariants } from './plan';
import { policyAction } from './policy';
import { predictionPayload, readReply } from './prediction';
import { PROTOCOL_VERSION } from './protocol';
import { presentSummary, type RunDto } from './run';
import { payloadOf, stateOfRow } from './states';
import { compileReport } from './vpm-report';

const utf8 = new TextEncoder();

/** The reference's output tree of a complete run, in a fixed order, and beside it the full case records. */
export async function* outputFiles(source: RunSource<PngPlan>): AsyncIterable<BundleFile> {
  const { plan } = source;
  const { variants, comparison } = await collect(source);
  yield text('experiment.json', 'application/json', () => pythonPresentation(experimentJson(plan)));
  if (comparison !== null) {
    yield text('comparison.json', 'application/json', () => comparisonJson(comparison));
    yield text('comparison.csv', 'text/csv', () => comparisonCsv(comparison));
    yield text('comparison.md', 'text/markdown', () => comparisonMarkdown(comparison));
  }
  for (const result of variants) {
    if (result.run !== null) yield* variantFiles(source, result, result.run);
  }
}

async function* variantFiles(
  source: RunSource<PngPlan>,
  result: VariantResult,
  run: RunDto,
): AsyncIterable<BundleFile> {
  const { variant, recipe, records, cases } = result;
  const { circumstances } = source.plan;
  yield text(`${variant}/run.json`, 'application/json', () => pythonPresentation(run));
  yield text(`${variant}/recipe.json`, 'application/json', () => pythonPresentation(recipe), 'evidence');
  yield text(`${variant}/summary.json`, 'application/json', () =>
    pythonPresentation(presentSummary(run, recipe)),
  );
  yield lines(`${variant}/cases.jsonl`, records, (record) =>
    pythonLine(caseLine(source.plan, result, record)),
  );
  if (circumstances.compile_reports === true) {
    const report = result.published?.report ?? compileReport(run, cases);
    yield text(`${variant}/report.json`, 'application/json', () => pythonPresentation(report));
  }
  // The published runs had two stamps, and their identities were not published.
  if (result.published === null) {
    yield text(`${variant}/bookkeeping.json`, 'application/json', () =>
      pythonPresentation(bookkeeping(source.plan, variant)),
    );
  }
  yield lines(`${variant}/case-records.jsonl`, records, fullRecord);
  if (circumstances.write_pngs === false) return;
  for (const record of records) yield image(source, variant, record);
}

/** The benchmark identity and the episode plan that the reference makes for every variant. */
function bookkeeping(plan: PngPlan, variant: string): PyObject {
  const { provider, states } = plan.frozen;
  const stamp = planStamp(plan);
  return {
    benchmark_identity: benchmarkIdentity(provider.run_model, stamp, variant),
    episode_plan: episodePlan(provider.run_model, stamp, variant, states.length),
  };
}

/** One line of `cases.jsonl` in the reference's form. */
function caseLine(plan: PngPlan, result: VariantResult, record: CaseRecord): PyObject {
  const { evidence, detail } = record;
  const row = String(evidence.row_id);
  const entry = result.published?.cases[record.ordinal];
  const dto = caseOfRecord(record);
  const prediction = entry === undefined ? predicted(plan, record) : entry.prediction_payload;
  const reason = evidence.rejection_reason;
  // A rejection for low confidence is no exception: the reference then writes the prediction and no error.
  const error =
    typeof reason === 'string' && reason !== 'confidence_below_threshold' ? { error: reason } : {};
  return {
    case_ordinal: record.ordinal,
    frame_id: String(detail.frame_id),
    truth: payloadOf(stateOfRow(row)),
    truth_action: policyAction(stateOfRow(row)),
    ...(prediction === null ? {} : { prediction }),
    ...error,
    outcome: record.outcome,
    case_id: dto?.case_id ?? String(detail.case_id),
    final_image_sha256: entry?.published_final_image_sha256 ?? String(evidence.image_sha256),
    step_image_sha256: entry?.published_step_image_sha256 ?? (evidence.step_png_sha256 as readonly string[]),
  };
}

/** The reading, also of a reply that was refused for its low confidence only. */
function predicted(plan: PngPlan, { evidence }: CaseRecord): PyObject | null {
  if (evidence.reply_error !== null || typeof evidence.reply_text !== 'string') return null;
  const verdict = readReply(evidence.reply_text, replyForm(plan));
  return verdict.ok ? predictionPayload(verdict.value) : null;
}

/** The whole case as its id covers it; where the publisher did not publish it, what there is and why not more. */
function fullRecord(record: CaseRecord): string {
  const dto = caseOfRecord(record);
  if (dto !== null) return pythonCanonical(dto);
  const { case_id, frame_id } = record.detail;
  return pythonCanonical({
    case_ordinal: record.ordinal,
    case_id: String(case_id),
    frame_id: String(frame_id),
    outcome: record.outcome,
    recomputable: false,
  });
}

/** `images/NNN-<row>.png` with `|` as `__` and `=` as `-`. */
export function imagePath(variant: string, ordinal: number, row: string): string {
  const safe = row.replaceAll('|', '__').replaceAll('=', '-');
  return `${variant}/images/${String(ordinal).padStart(3, '0')}-${safe}.png`;
}

function image(source: RunSource<PngPlan>, variant: string, record: CaseRecord): BundleFile {
  const { image_sha256, row_id } = record.evidence;
  return {
    path: imagePath(variant, record.ordinal, String(row_id)),
    media_type: 'image/png',
    role: 'image',
    content: async function* () {
      const bytes = await source.artifact(String(image_sha256));
      if (bytes === null) {
        throw new PixelproofError('image_missing', 'The run has lost a picture that its case names.', {
          expected: String(image_sha256),
          got: 'nothing',
        });
      }
      yield bytes;
    },
  };
}

/** What runs this; it stands where the reference names its Python. */
const RUNTIME = 'pixelproof';

function experimentJson(plan: PngPlan): PyObject {
  const { frozen, circumstances } = plan;
  const variants = planVariants(plan);
  const optional = (name: string): PyValue => {
    const value = circumstances[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    schema_version: PROTOCOL_VERSION,
    python: RUNTIME,
    created: planStamp(plan),
    fixture_identity: frozen.fixture.identity,
    case_mode: frozen.fixture.case_mode,
    policy_artifact_id: String(frozen.policy_artifact_id),
    provider_configuration_id: frozen.provider.provider_configuration_id,
    variants,
    resumed_variants: [],
    arguments: {
      backend: frozen.provider.backend,
      base_url: optional('base_url'),
      combined_cooldown: optional('combined_cooldown'),
      combined_lane: optional('combined_lane'),
      compile_reports: circumstances.compile_reports === true,
      confidence_threshold: pyFloat(frozen.confidence_threshold),
      fixture: frozen.fixture.name,
      max_cases: frozen.max_cases,
      model: frozen.provider.run_model,
      output_dir: null,
      overwrite_output: false,
      resume: circumstances.resume === true,
      seed: frozen.provider.seed,
      sqlite_path: null,
      store: 'memory',
      timeout: pyFloat(Number(circumstances.timeout)),
      variants: circumstances.variants_given === true ? variants.join(',') : null,
      write_pngs: circumstances.write_pngs !== false,
    },
  };
}

function text(
  path: string,
  media_type: string,
  content: () => string,
  role: BundleFile['role'] = 'circumstance',
): BundleFile {
  return { path, media_type, role, content: () => [utf8.encode(content())] };
}

function lines(
  path: string,
  records: readonly CaseRecord[],
  line: (record: CaseRecord) => string,
): BundleFile {
  return {
    path,
    media_type: 'application/jsonl',
    role: 'circumstance',
    content: function* () {
      for (const record of records) yield utf8.encode(`${line(record)}\n`);
    },
  };
}
