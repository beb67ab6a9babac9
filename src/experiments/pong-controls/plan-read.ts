import { PixelproofError } from '../../errors';
import { isPyObject, type PyObject, type PyValue } from '../../evidence/identity/python-json';
import { type Arm, PUBLISHED_ARMS } from './arms';
import { type ComparisonPlan, type ModelRequest, makePlan } from './plan';
import { parseProgram } from './programs';
import { ruleOfArmName } from './rule';

/**
 * The plan that a record of `plan.json` says, frozen again from its choices; whoever compares the two records finds every
 * field that does not follow. Throws `pong_record` and the codes of `makePlan`.
 */
export function planFromJson(json: PyObject): ComparisonPlan {
  const { protocol, seeds, frames_per_episode: frames, schedule } = json;
  if (!isPyObject(protocol) || !isPyObject(protocol.versions)) throw invalid('a protocol', protocol);
  const scheduled = new Set(
    listOf(schedule).map((entry) => (isPyObject(entry) ? String(entry.arm) : 'none')),
  );
  const arms = armsIn(json.arms).filter(({ arm }) => json.candidate_only !== true || scheduled.has(arm.id));
  const models = arms.filter(({ arm }) => arm.kind === 'model');
  return makePlan({
    arms: arms.map(({ arm }) => arm),
    seeds: listOf(seeds).map(Number),
    frames: Number(frames),
    romSha256: String(protocol.rom_sha256),
    versions: Object.fromEntries(
      Object.entries(protocol.versions).map(([name, version]) => [name, String(version)]),
    ),
    sourceRevision: json.source_revision === null ? null : String(json.source_revision),
    ...(models.length === 0 ? {} : { model: modelIn(json, models[0]?.policy ?? '') }),
  });
}

function armsIn(value: PyValue | undefined): { readonly arm: Arm; readonly policy: string }[] {
  if (!isPyObject(value)) throw invalid('arms', value);
  return Object.entries(value).map(([id, entry]) => {
    if (!isPyObject(entry)) throw invalid(`the arm ${id}`, entry);
    const policy = String(entry.policy);
    const published = PUBLISHED_ARMS.find((arm) => arm.id === id);
    if (published?.kind === 'model') {
      return { arm: { ...published, program: parseProgram(entry.program) }, policy };
    }
    const rule = published?.kind === 'rule' ? published.rule : ruleOfArmName(id);
    if (rule === null) throw invalid(`an arm of ${PUBLISHED_ARMS.map((arm) => arm.id).join(', ')}`, id);
    return { arm: { id, kind: 'rule', rule }, policy };
  });
}

function modelIn(json: PyObject, policy: string): ModelRequest {
  const expected = json.expected_response_model;
  return {
    backend: policy.split(':', 1)[0] ?? '',
    model: String(json.requested_model),
    expectedModel: expected === undefined ? null : String(expected),
    maxApiCalls: Number(json.max_http_attempts),
  };
}

function listOf(value: PyValue | undefined): readonly PyValue[] {
  return Array.isArray(value) ? value : [];
}

function invalid(expected: string, got: unknown): PixelproofError {
  return new PixelproofError('pong_record', 'plan.json is no plan of this experiment.', { expected, got });
}
