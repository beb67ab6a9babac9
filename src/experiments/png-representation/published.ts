import { PixelproofError } from '../../errors';
import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import { sha256Hex } from '../../evidence/identity/sha256';
import type { RuntimeEvidence } from '../../providers/provider';
import { compare, makeCase, type Outcome } from './case';
import {
  type Comparison,
  compareRuns,
  comparisonCsv,
  comparisonJson,
  comparisonMarkdown,
} from './comparison';
import { policyAction } from './policy';
import { checkFields, type Prediction } from './prediction';
import { recipeOf } from './recipes';
import { loadRun, type RunDto } from './run';
import { factorsOf, stateOfRow } from './states';
import { countCases } from './summary';
import { type VariantId, variantOf } from './variants';

/** One published case, and what recomputing it here gave. */
export interface PublishedCase {
  readonly variant: VariantId;
  readonly case_ordinal: number;
  readonly case_id: string;
  readonly frame_id: string;
  readonly row_id: string;
  /** Recomputed from the published prediction and the policy. */
  readonly outcome: Outcome;
  readonly accepted: boolean;
  readonly rejection_reason: string | null;
  readonly prediction: Prediction | null;
  /** The prediction as published, with confidence a float. */
  readonly prediction_payload: PyObject | null;
  /** Kept by the publisher only for the rejected case. */
  readonly reply_text: string | null;
  /** A text that parses to the published prediction; not what the model said. */
  readonly synthetic_reply_text: string | null;
  readonly published_final_image_sha256: string;
  readonly published_step_image_sha256: readonly string[];
  /** Whether the published case id follows from what was published. */
  readonly case_id_recomputes: boolean;
}

export interface PublishedVariant {
  readonly variant: VariantId;
  readonly run: RunDto;
  readonly cases: readonly PublishedCase[];
  /** The published `report.json`; its ids depend on unpublished latencies. */
  readonly report: PyObject;
}

/** One figure of the record against what it is recomputed to. */
interface PublishedCheck {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  readonly equal: boolean;
}

export interface Published {
  readonly variants: ReadonlyMap<string, PublishedVariant>;
  readonly comparison: Comparison;
  readonly files: { readonly json: string; readonly csv: string; readonly md: string };
  readonly runtime: RuntimeEvidence;
  readonly executed: string;
  readonly checks: readonly PublishedCheck[];
}

/** What a page must say where it shows the published evidence. */
export const PUBLISHED_EXPLANATIONS = {
  image_digests:
    'Published image digests cover PNG files written by an unrecorded Pillow build; they depend on the compressor and cannot be derived from pixels. They are labels of (variant, case), not a check of the pictures made here.',
  case_ids:
    'Not recomputable: the id of an accepted case covers the raw reply, its latency and the response metadata, which were not published.',
  case_ids_rejected: 'Recomputes: the id of the rejected case covers only what was published.',
  latency: 'Latencies are recorded: only the totals of each run were published, none was measured here.',
  reply_text:
    'The raw reply was published for the rejected case only; a synthetic text that parses to the published prediction stands in for the others and is not what the model said.',
  report_ids: 'Not recomputable: report ids cover the latency of each case, which was not published.',
} as const;

let loading: Promise<Published> | null = null;

/** The published Stage 2E evidence, verified as far as it can be. Throws what loading a changed run throws. */
export function published(): Promise<Published> {
  loading ??= import('../../../fixtures/png-representation/recorded-replies.json').then((module) =>
    verifyPublished(module.default),
  );
  return loading;
}

/** Recorded replies are keyed by variant and ordinal, never by the digest of a picture made here. */
export async function publishedCase(variant: string, ordinal: number): Promise<PublishedCase> {
  const found = (await published()).variants.get(variant)?.cases[ordinal];
  if (found !== undefined) return found;
  throw new PixelproofError('published_case_missing', 'There is no published reply for this case.', {
    expected: 'a Stage 2E variant and a smoke ordinal of 0 to 7',
    got: `${variant} ${ordinal}`,
  });
}

/** Reads a record of this form and recomputes it. A JSON module has lost the kind of its numbers: it is restored. */
export function verifyPublished(record: unknown): Published {
  const root = object(restoreFloats(record as PyValue, ''));
  const provenance = object(root.provenance);
  const checks: PublishedCheck[] = [];
  const check = (what: string, expected: PyValue | undefined, got: PyValue | undefined) => {
    const [a, b] = [String(expected), String(got)];
    checks.push({ what, expected: a, got: b, equal: a === b });
  };
  const variants = new Map<string, PublishedVariant>();
  for (const [name, value] of Object.entries(object(root.variants))) {
    const entry = object(value);
    const variant = variantOf(name);
    const run = loadRun(entry.run ?? null);
    check(`${name}: recipe id`, entry.recipe_id, recipeOf(variant).recipe_id);
    check(`${name}: run metadata recipe id`, run.metadata.recipe_id, recipeOf(variant).recipe_id);
    const { run_id: _run, ...runContent } = run;
    const { summary_id: _summary, ...summaryContent } = run.summary;
    check(`${name}: summary id`, run.summary.summary_id, pythonCanonicalId(summaryContent));
    check(`${name}: run id`, run.run_id, pythonCanonicalId(runContent));
    check(
      `${name}: configuration id`,
      provenance.provider_configuration_id,
      run.provider_configuration.provider_configuration_id,
    );
    const entries = list(entry.cases).map(object);
    const cases = entries.map((each) => readCase(variant, run, each));
    const counts: PyObject = countCases(
      cases.map((each) => ({
        outcome: each.outcome,
        factor_matches: compareCase(each).factor_matches,
        rejection_reason: each.rejection_reason,
        provider_latency_us: null,
      })),
    );
    for (const [field, got] of Object.entries(counts)) {
      check(`${name}: ${field}`, flat(run.summary[field]), flat(got));
    }
    for (const [ordinal, each] of cases.entries()) {
      check(`${name} case ${ordinal}: case id`, run.case_ids[ordinal], each.case_id);
      const prediction = each.prediction === null ? null : policyAction(each.prediction.state);
      check(`${name} case ${ordinal}: outcome`, entries[ordinal]?.outcome, each.outcome);
      check(`${name} case ${ordinal}: predicted action`, entries[ordinal]?.predicted_action, prediction);
    }
    variants.set(name, { variant, run, cases, report: object(entry.report) });
  }
  const comparison = compareRuns([...variants.values()].map((each) => each.run));
  const files = {
    json: comparisonJson(comparison),
    csv: comparisonCsv(comparison),
    md: comparisonMarkdown(comparison),
  };
  const digests = object(root.files_sha256_lf_and_crlf);
  for (const [name, text] of Object.entries({ json: files.json, csv: files.csv, md: files.md })) {
    const digest = object(digests[`comparison.${name}`]);
    const lf = text.replaceAll('\r\n', '\n');
    check(`comparison.${name}, LF`, digest.lf, sha256Hex(lf));
    check(
      `comparison.${name}, CRLF as in the published manifest`,
      digest.crlf_as_published_in_manifest,
      sha256Hex(lf.replaceAll('\n', '\r\n')),
    );
  }
  const runtime = String(provenance.runtime).split(' ');
  return {
    variants,
    comparison,
    files,
    executed: String(provenance.execution_date_utc),
    runtime: {
      runtime_name: runtime[0] ?? 'Ollama',
      runtime_version: runtime[1] ?? null,
      model_digest: String(provenance.ollama_model_blob_digest),
      details: {
        model: String(provenance.model_name),
        parameter_size: String(provenance.model_parameter_size),
        quantization: String(provenance.model_quantization),
        executed: String(provenance.execution_date_utc),
        source_commit: String(provenance.source_commit),
      },
    },
    checks,
  };
}

function readCase(variant: VariantId, run: RunDto, entry: PyObject): PublishedCase {
  const row_id = String(entry.row_id);
  const state = stateOfRow(row_id);
  const ordinal = Number(entry.case_ordinal);
  const frame_id = String(entry.frame_id);
  const reason = entry.rejection_reason === null ? null : String(entry.rejection_reason);
  const payload = entry.prediction === null ? null : object(entry.prediction);
  const prediction = payload === null ? null : readPrediction(payload);
  const rebuilt =
    reason === null
      ? null
      : makeCase(
          {
            ordinal,
            frame_id,
            provider_configuration_id: run.provider_configuration.provider_configuration_id,
            truth: state,
          },
          { accepted: false, reason, kept: null },
        );
  return {
    variant,
    case_ordinal: ordinal,
    case_id: String(entry.case_id),
    frame_id,
    row_id,
    outcome: compare(
      factorsOf(state),
      policyAction(state),
      prediction?.factors ?? null,
      prediction === null ? null : policyAction(prediction.state),
    ).outcome,
    accepted: entry.accepted === true,
    rejection_reason: reason,
    prediction,
    prediction_payload: payload,
    reply_text: typeof entry.reply_text === 'string' ? entry.reply_text : null,
    synthetic_reply_text: typeof entry.synthetic_reply_text === 'string' ? entry.synthetic_reply_text : null,
    published_final_image_sha256: String(entry.published_final_image_sha256),
    published_step_image_sha256: list(entry.published_step_image_sha256).map(String),
    case_id_recomputes: rebuilt?.case_id === entry.case_id,
  };
}

function readPrediction(payload: PyObject): Prediction {
  const { row_id: _, ...fields } = payload;
  const checked = checkFields(fields);
  if (checked.ok) return checked.value;
  throw new PixelproofError('published_record', 'A published prediction is no valid prediction.', {
    expected: 'four factors in range and a confidence',
    got: checked.reason,
  });
}

/** The derived fields of a published case, from its prediction and the policy. */
function compareCase(each: PublishedCase) {
  const state = stateOfRow(each.row_id);
  const { prediction } = each;
  return compare(
    factorsOf(state),
    policyAction(state),
    prediction?.factors ?? null,
    prediction === null ? null : policyAction(prediction.state),
  );
}

/** Keys whose numbers are floats in the record (spec: confidence, temperature, all accuracies). */
const FLOAT_KEYS = /^(confidence|temperature|timeout_seconds|confidence_threshold)$|accuracy/;

function restoreFloats(value: PyValue, key: string): PyValue {
  if (typeof value === 'number') {
    return FLOAT_KEYS.test(key) || !Number.isInteger(value) ? pyFloat(value) : value;
  }
  if (Array.isArray(value)) return value.map((item: PyValue) => restoreFloats(item, key));
  if (!isPyObject(value)) return value;
  const inherited = key.startsWith('factor_accuracy') ? key : '';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, restoreFloats(member, inherited || name)]),
  );
}

function object(value: PyValue | undefined): PyObject {
  if (isPyObject(value)) return value;
  throw new PixelproofError('published_record', 'The published record lacks an object it should have.', {
    expected: 'an object',
    got: value instanceof PyFloat ? value.value : String(value),
  });
}

function list(value: PyValue | undefined): readonly PyValue[] {
  if (Array.isArray(value)) return value as readonly PyValue[];
  throw new PixelproofError('published_record', 'The published record lacks a list it should have.', {
    expected: 'a list',
    got: String(value),
  });
}

/** Counts as comparable text, whatever the order of their keys. */
function flat(value: PyValue | undefined): string {
  if (!isPyObject(value)) return String(value);
  const entries = Object.entries(value).map(([name, count]) => `${name}=${String(count)}`);
  return entries.sort().join(', ');
}
