import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import type { ExchangeRecord, RuntimeEvidence } from '../../providers/provider';
import type { Json, JsonObject } from '../identity/json';
import { isSha256Id } from '../identity/sha256';
import type { CaseRecord, JournalledExchange, Plan, RunSource } from '../run';
import { OURS } from './contents';
import type { Bundle } from './reader';
import { isObject, parseJson, parseObject } from './safe-json';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const object = v.custom<JsonObject>(isObject, 'not an object');
const sha256Id = v.custom<`sha256:${string}`>(isSha256Id, 'not sha256: and 64 lowercase hexadecimal digits');
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const key = { arm: name, ordinal: count };

const caseSchema = v.strictObject({ ...key, outcome: name, evidence: object });
const detailSchema = v.strictObject({ ...key, detail: object });
const exchangeSchema = v.strictObject({
  ...key,
  index: count,
  exchange: v.strictObject({
    request_sha256: v.nullable(sha256Id),
    image_sha256: v.nullable(sha256Id),
    attempt: v.pipe(count, v.minValue(1)),
    status: v.nullable(count),
    cause: v.nullable(v.strictObject({ code: v.string(), message: v.string() })),
    reply_text: v.nullable(v.string()),
    model_in_reply: v.nullable(v.string()),
    latency_us: v.nullable(count),
    tokens: v.nullable(v.strictObject({ prompt: v.nullable(count), completion: v.nullable(count) })),
    response_metadata_text: v.string(),
    reply_error: v.nullable(v.string()),
  }),
});
const environmentSchema = v.strictObject({
  run: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  circumstances: object,
  environment: object,
});
const runtimeSchema = v.strictObject({
  runtime_name: v.string(),
  runtime_version: v.nullable(v.string()),
  model_digest: v.nullable(v.string()),
  details: v.custom<Json>((value) => value !== undefined, 'any JSON'),
});
const artifactSchema = v.strictObject({
  sha256: sha256Id,
  media_type: v.pipe(v.string(), v.regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/)),
  bytes: count,
});

/** Lines and documents of ours as they are read; public/schemas/ says the same to other programs. */
export const RECORDS = {
  case: caseSchema,
  detail: detailSchema,
  exchange: exchangeSchema,
  environment: environmentSchema,
  runtime: runtimeSchema,
  artifact: artifactSchema,
} as const;

/** Throws `bundle_record` naming the first fault of a record. */
function checked<T>(schema: v.GenericSchema<unknown, T>, value: unknown, where: string): T {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  throw new PixelproofError(
    'bundle_record',
    `${where} is not valid at ${v.getDotPath(issue) ?? 'its top'}.`,
    {
      expected: issue.expected ?? issue.message,
      got: issue.received,
    },
  );
}

/** Cases whole, in file order, streaming. Throws `bundle_record`, `bundle_details` and as `Bundle.lines`. */
export async function* bundleCases(bundle: Bundle): AsyncIterable<CaseRecord> {
  const details = bundle.lines(OURS.details)[Symbol.asyncIterator]();
  let number = 0;
  for await (const line of bundle.lines(OURS.cases)) {
    number += 1;
    const record = checked(caseSchema, line, `${OURS.cases} line ${number}`);
    const next = await details.next();
    const beside = next.done ? null : checked(detailSchema, next.value, `${OURS.details} line ${number}`);
    if (beside?.arm !== record.arm || beside.ordinal !== record.ordinal) {
      throw new PixelproofError(
        'bundle_details',
        `${OURS.details} line ${number} is not about the same case.`,
        {
          expected: `${record.arm} ${record.ordinal}`,
          got: beside === null ? 'no line' : `${beside.arm} ${beside.ordinal}`,
        },
      );
    }
    yield { ...record, detail: beside.detail };
  }
  if (!(await details.next()).done) {
    throw new PixelproofError('bundle_details', `${OURS.details} has more lines than ${OURS.cases}.`);
  }
}

/** Attempts in file order, streaming. Throws `bundle_record` and as `Bundle.lines`. */
export async function* bundleExchanges(bundle: Bundle): AsyncIterable<JournalledExchange> {
  let number = 0;
  for await (const line of bundle.lines(OURS.exchanges)) {
    number += 1;
    const { arm, ordinal, index, exchange } = checked(
      exchangeSchema,
      line,
      `${OURS.exchanges} line ${number}`,
    );
    const record: ExchangeRecord = exchange;
    yield { key: { arm, ordinal }, index, exchange: record };
  }
}

export async function* bundleArtifacts(bundle: Bundle): AsyncIterable<v.InferOutput<typeof artifactSchema>> {
  let number = 0;
  for await (const line of bundle.lines(OURS.artifacts)) {
    number += 1;
    yield checked(artifactSchema, line, `${OURS.artifacts} line ${number}`);
  }
}

export async function bundleEnvironment(bundle: Bundle): Promise<v.InferOutput<typeof environmentSchema>> {
  const text = await bundle.text(OURS.environment);
  return checked(environmentSchema, parseObject(text, OURS.environment), OURS.environment);
}

export async function bundleRuntime(bundle: Bundle): Promise<RuntimeEvidence | null> {
  const value = parseJson(await bundle.text(OURS.runtime), OURS.runtime);
  return value === null ? null : checked(runtimeSchema, value, OURS.runtime);
}

/** The plan as the manifest and `environment.json` hold it. */
export function bundlePlan(bundle: Bundle, circumstances: JsonObject): Plan {
  const { experiment, plan_id, plan, kind, case_count } = bundle.manifest;
  return { experiment, plan_id, frozen: plan, circumstances, kind, case_count };
}

/** A bundle as a run source, so that a report can be recomputed from the bundle alone. */
export async function bundleRun(bundle: Bundle): Promise<RunSource> {
  const { circumstances, environment } = await bundleEnvironment(bundle);
  const paths = new Map<string, string>();
  for (const { sha256, path, inlined } of bundle.manifest.files) if (inlined) paths.set(sha256, path);
  return {
    plan: bundlePlan(bundle, circumstances),
    runtime: await bundleRuntime(bundle),
    environment,
    cases: async function* (arm) {
      for await (const record of bundleCases(bundle))
        if (arm === undefined || record.arm === arm) yield record;
    },
    exchanges: () => bundleExchanges(bundle),
    artifact: async (sha256) => {
      const path = paths.get(sha256);
      return path === undefined ? null : bundle.read(path);
    },
  };
}

/** Whether a bundle of any experiment may have this file, so that it is no part of an experiment's own tree. */
export function isBundleFile(path: string): boolean {
  return (
    path === 'pixelproof.json' ||
    path.startsWith('artifacts/') ||
    Object.values(OURS).some((name) => name === path)
  );
}
