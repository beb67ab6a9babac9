import { PixelproofError } from '../../errors';
import type { PyObject } from '../../evidence/identity/python-json';
import { type Arm, CANDIDATE, PUBLISHED_ARMS } from './arms';
import { digestOf } from './json';
import { programHash, programJson } from './programs';
import {
  type EngineVersions,
  FRAMES_PER_EPISODE,
  HOLD_FRAMES,
  INFERENCE_RULE,
  MAX_HTTP_ATTEMPTS,
  PRIMARY_METRIC,
  protocolFields,
  SEEDS,
  SELECTION_RULE,
  splitOf,
  TERMINATION_RULE,
} from './protocol';
import { rulePolicyName } from './rule';

/** The most frames of one episode: half an hour of play. */
const MOST_FRAMES = 108_000;

/** What a person asks for. */
export interface PlanRequest {
  readonly arms: readonly Arm[];
  readonly seeds?: readonly number[];
  readonly frames?: number;
  /** SHA-256 of the cartridge's image, hex. */
  readonly romSha256: string;
  readonly versions: EngineVersions;
  /** Needed where there is a model arm. */
  readonly model?: ModelRequest;
  readonly sourceRevision?: string | null;
}

export interface ModelRequest {
  /** `jev`, `openrouter`, `openai-chat` or `scripted`. */
  readonly backend: string;
  readonly model: string;
  /** The model that responses must name where `model` is an alias; else null. */
  readonly expectedModel: string | null;
  readonly maxApiCalls?: number;
}

export interface Scheduled {
  readonly seed: number;
  readonly arm: string;
}

/** A frozen comparison. `json` is the record of `plan.json`, `hash` its digest. */
export interface ComparisonPlan {
  readonly json: PyObject;
  readonly hash: string;
  readonly protocol: PyObject;
  readonly arms: readonly Arm[];
  readonly seeds: readonly number[];
  readonly frames: number;
  readonly maxDecisions: number;
  readonly schedule: readonly Scheduled[];
  readonly model: (ModelRequest & { readonly maxApiCalls: number }) | null;
  /** The policy name of each arm. */
  readonly policies: ReadonlyMap<string, string>;
}

/** The protocol record with its hash. */
export function protocolJson(romSha256: string, versions: EngineVersions): PyObject {
  const fields = protocolFields(romSha256, versions);
  return { ...fields, protocol_hash: digestOf(fields) };
}

/**
 * Freezes a comparison before anything runs. Throws `plan_seeds` (none, repeated, not development), `plan_frames` (not
 * a positive multiple of the hold), `plan_budget`, `plan_arms` and `plan_model`.
 */
export function makePlan(request: PlanRequest): ComparisonPlan {
  const seeds = checkSeeds(request.seeds ?? SEEDS);
  const frames = checkFrames(request.frames ?? FRAMES_PER_EPISODE);
  const { arms } = request;
  const models = arms.filter(({ kind }) => kind === 'model');
  const model = models.length === 0 ? null : modelOf(request.model);
  const maxDecisions = frames / HOLD_FRAMES;
  const schedule = scheduleOf(arms, seeds);
  const protocol = protocolJson(request.romSha256, request.versions);
  const candidateOnly = arms.length === 1 && arms[0]?.id === CANDIDATE;
  // The candidate-only variant names all four arms and schedules one.
  const listed = candidateOnly
    ? PUBLISHED_ARMS.map((arm) => (arm.id === CANDIDATE ? (arms[0] ?? arm) : arm))
    : arms;
  const published = arms.every(({ id }) => PUBLISHED_ARMS.some((arm) => arm.id === id));
  const json: PyObject = {
    // Arms of one's own make another comparison than the published kind.
    kind: published ? 'pong-control-plan-v1' : 'pixelproof-pong-plan-v1',
    source_revision: request.sourceRevision ?? null,
    ...(candidateOnly ? { candidate_only: true } : {}),
    split: 'development',
    seeds,
    protocol,
    frames_per_episode: frames,
    max_decisions: maxDecisions,
    point_limit: null,
    requested_model: model?.model ?? null,
    ...(model === null || model.expectedModel === null
      ? {}
      : { expected_response_model: model.expectedModel }),
    max_http_attempts: model?.maxApiCalls ?? 0,
    max_decision_calls: models.length * seeds.length * maxDecisions,
    schedule: schedule.map(({ seed, arm }) => ({ seed, arm })),
    arms: Object.fromEntries(listed.map((arm) => [arm.id, armJson(arm, model?.backend ?? '')])),
    selection_rule: SELECTION_RULE,
    primary_metric: PRIMARY_METRIC,
    termination_rule: TERMINATION_RULE,
    inference_rule: INFERENCE_RULE,
  };
  const policies = new Map(arms.map((arm) => [arm.id, policyName(arm, model?.backend ?? '')]));
  const hash = digestOf(json);
  return { json, hash, protocol, arms, seeds, frames, maxDecisions, schedule, model, policies };
}

/** Seed by seed: rules, then the model arms, whose order alternates with the seed's place. */
function scheduleOf(arms: readonly Arm[], seeds: readonly number[]): Scheduled[] {
  const rules = arms.filter(({ kind }) => kind === 'rule');
  const models = arms.filter(({ kind }) => kind === 'model');
  return seeds.flatMap((seed, index) =>
    [...rules, ...(index % 2 === 0 ? models : models.toReversed())].map(({ id }) => ({ seed, arm: id })),
  );
}

function policyName(arm: Arm, backend: string): string {
  return arm.kind === 'rule' ? rulePolicyName(arm.rule) : `${backend}:${arm.program.name}`;
}

function armJson(arm: Arm, backend: string): PyObject {
  const policy = policyName(arm, backend);
  if (arm.kind === 'model') {
    return {
      policy,
      program: programJson(arm.program),
      program_hash: programHash(arm.program),
      deadband_pixels: null,
    };
  }
  const { deadband, offset, prefer } = arm.rule;
  const own =
    offset === 0 && prefer === 'plain' ? {} : { target_offset_pixels: offset, action_preference: prefer };
  return { policy, program: null, program_hash: null, deadband_pixels: deadband, ...own };
}

function checkSeeds(seeds: readonly number[]): readonly number[] {
  const refuse = (got: unknown) =>
    new PixelproofError('plan_seeds', 'The comparison takes development seeds, each once.', {
      expected: 'one or more different whole numbers that end in 6 or 7',
      got,
    });
  if (seeds.length === 0) throw refuse('none');
  if (new Set(seeds).size !== seeds.length) throw refuse(seeds.join(', '));
  const wrong = seeds.find((seed) => !isSeed(seed) || splitOf(seed) !== 'development');
  if (wrong !== undefined) throw refuse(isSeed(wrong) ? `${wrong}, a ${splitOf(wrong)} seed` : wrong);
  return seeds;
}

export const isSeed = (seed: number): boolean => Number.isSafeInteger(seed) && seed >= 0;

/** Throws `plan_frames`. */
export function checkFrames(frames: number): number {
  if (Number.isInteger(frames) && frames > 0 && frames % HOLD_FRAMES === 0 && frames <= MOST_FRAMES)
    return frames;
  throw new PixelproofError('plan_frames', 'An episode runs whole decisions.', {
    expected: `a positive multiple of ${HOLD_FRAMES}, at most ${MOST_FRAMES}`,
    got: frames,
  });
}

function modelOf(model: ModelRequest | undefined): ModelRequest & { readonly maxApiCalls: number } {
  if (model === undefined || model.model === '') {
    throw new PixelproofError('plan_model', 'A model arm needs a backend and a model.', {
      got: model ?? 'none',
    });
  }
  const maxApiCalls = model.maxApiCalls ?? MAX_HTTP_ATTEMPTS;
  if (!Number.isSafeInteger(maxApiCalls) || maxApiCalls < 1) {
    throw new PixelproofError(
      'plan_budget',
      'The number of calls that may be made is a positive whole number.',
      {
        got: maxApiCalls,
      },
    );
  }
  return { ...model, maxApiCalls };
}
