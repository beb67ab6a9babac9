import type { Bundle } from '../../../evidence/bundle/reader';
import { canonicalJson } from '../../../evidence/identity/canonical';
import type { Json } from '../../../evidence/identity/json';
import { isPyObject, type PyObject } from '../../../evidence/identity/python-json';
import { parsePythonJson } from '../../../evidence/identity/python-json-parse';
import { brief } from '../../../evidence/verify/compared';
import { type Finding, failure } from '../../../evidence/verify/finding';
import { classifierRuntime } from '../../../providers/audit/classifier-audit';
import { CLASSIFIERS } from '../../../providers/audit/classifier-protocol';
import { HERE, hereRuntime } from '../../../providers/audit/here-audit';
import { isModel } from '../../../providers/audit/model-name';
import type { ReaderShape } from '../../../providers/audit/reader-shape';
import { readerShape } from '../../../providers/audit/reader-shapes';
import { scriptedRuntime } from '../../../providers/audit/scripted-protocol';
import type { RuntimeEvidence } from '../../../providers/provider';
import { createScriptedReplies } from '../ask';
import type { PngPlan } from '../plan';
import { published } from '../published';

/**
 * What was running, as far as it follows from something else: all of it where nobody or a script was asked; for a
 * classifier the digest of the shipped file, or the identity of a person's own; for
 * Ollama the name, the address of the manifest, and the weights' digest of the model record beside it.
 */
export async function* verifyRuntime(
  { manifest }: Bundle,
  plan: PngPlan,
  runtime: RuntimeEvidence | null,
): AsyncIterable<Finding> {
  // A missing record is the container's to name.
  if (runtime === null) return;
  const expected = await expectedRuntime(plan, runtime, manifest.provider.base_url);
  if (expected === null) return;
  for (const field of ['runtime_name', 'runtime_version', 'model_digest', 'details'] as const) {
    const [should, is]: [Json, Json] = [expected[field], runtime[field]];
    if (canonicalJson(should) === canonicalJson(is)) continue;
    yield failure(
      'runtime_mismatch',
      `runtime.json ${field}`,
      'The runtime record contradicts the plan or itself.',
      { expected: brief(should), got: brief(is) },
    );
  }
}

async function expectedRuntime(
  plan: PngPlan,
  runtime: RuntimeEvidence,
  base_url: string | null,
): Promise<RuntimeEvidence | null> {
  const { id, model } = plan.frozen.provider;
  if (id === 'scripted') return scriptedRuntime((await createScriptedReplies(plan)).size);
  if (id === 'replay') return (await published()).runtime;
  if (CLASSIFIERS.includes(id)) return classifierRuntime(id, model, runtime);
  if (HERE.includes(id)) return hereRuntime({ id, model }, runtime);
  const shape = readerShape(id);
  if (shape !== null) return readerRuntime(shape, model, runtime);
  if (id !== 'ollama') return null;
  const record = modelRecordOf(runtime);
  const names = record === null ? [] : [record.name, record.model];
  const { details } = runtime;
  return {
    runtime_name: 'ollama',
    runtime_version: runtime.runtime_version,
    model_digest: typeof record?.digest === 'string' ? record.digest : null,
    details: { base_url, model_record: names.includes(model) ? textIn(details) : `the record of ${model}` },
  };
}

/** The name is the shape's, the model is listed under a name that stands for the one that was asked, with a digest or none. */
function readerRuntime(
  { name, alias, listsDigests }: ReaderShape,
  model: string,
  runtime: RuntimeEvidence,
): RuntimeEvidence {
  const { listed_as } = (runtime.details ?? {}) as { readonly listed_as?: Json };
  const named = typeof listed_as === 'string' && isModel(alias, model, listed_as);
  return {
    runtime_name: name,
    runtime_version: null,
    model_digest: listsDigests ? runtime.model_digest : null,
    details: { listed_as: named ? listed_as : `a name of ${model}` },
  };
}

function textIn(details: Json): Json {
  return (details as { readonly model_record?: Json }).model_record ?? null;
}

/** The record of the model among the installed ones, as `start` kept it. */
function modelRecordOf({ details }: RuntimeEvidence): PyObject | null {
  if (typeof details !== 'object' || details === null) return null;
  const text = textIn(details);
  try {
    const record = parsePythonJson(typeof text === 'string' ? text : '');
    return isPyObject(record) ? record : null;
  } catch {
    return null;
  }
}
