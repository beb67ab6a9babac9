import { PixelproofError } from '../../errors';
import type { PyObject } from '../../evidence/identity/python-json';
import type { Provider } from '../../providers/provider';
import type { Arm } from './arms';
import { backendOf } from './backends';
import { Budget } from './budget';
import { comparisonJson } from './comparison';
import { type DecisionNote, type EpisodeOptions, errorType, playEpisode } from './episode';
import { evaluationJson, horizonRule } from './evaluation';
import { jsonDocument } from './json';
import type { PongMachine, Sha256 } from './machine';
import type { ComparisonPlan, Scheduled } from './plan';
import { modelPolicy, type Policy, rulePolicy } from './policy';
import { episodeFolder, type RunFiles } from './tree';

export interface ComparisonOptions {
  readonly plan: ComparisonPlan;
  readonly machine: PongMachine;
  readonly sha256: Sha256;
  /** Who answers the model arms; null where the plan has none. */
  readonly provider: Provider | null;
  readonly files: RunFiles;
  /** Seconds from any start, monotonic. Its readings are written to files. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ComparisonProgress) => void;
  readonly onFrame?: (at: Scheduled, ...frame: Parameters<NonNullable<EpisodeOptions['onFrame']>>) => void;
  readonly onDecision?: (at: Scheduled, decision: DecisionNote) => void;
  readonly onEpisode?: (at: Scheduled, evaluation: PyObject) => void | Promise<void>;
}

interface ComparisonProgress {
  readonly episode: number;
  readonly episodes: number;
  readonly at: Scheduled;
  readonly decision: number;
  readonly decisions: number;
  readonly calls: number;
}

export interface ComparisonEnd {
  readonly status: 'complete' | 'incomplete';
  /** Evaluation records in schedule order. */
  readonly episodes: readonly PyObject[];
  readonly comparison: PyObject;
  /** What stopped an incomplete comparison. */
  readonly error: unknown;
}

/** The policies of a plan's arms, sharing one budget. Throws `plan_model` where a model arm has nobody to ask. */
function policiesOf(plan: ComparisonPlan, provider: Provider | null): ReadonlyMap<string, Policy> {
  const budget = plan.model === null ? null : new Budget(plan.model.maxApiCalls);
  const policy = (arm: Arm): Policy => {
    if (arm.kind === 'rule') return rulePolicy(arm.rule);
    const backend = backendOf(plan.model?.backend ?? '');
    if (plan.model === null || backend === null || provider === null || budget === null) {
      throw new PixelproofError('plan_model', 'A model arm needs a backend and a model.', {
        got: plan.model?.backend ?? 'none',
      });
    }
    const { model, expectedModel } = plan.model;
    return modelPolicy({ backend, provider, program: arm.program, model, expectedModel, budget });
  };
  return new Map(plan.arms.map((arm) => [arm.id, policy(arm)]));
}

/**
 * Runs a plan, one episode after the other in its schedule, and writes every file as the protocol says: `plan.json`
 * before anything runs, `comparison.json` at the start, around each episode and at the end, `api-ledger.json` on exit.
 * The first incomplete episode stops it. Resolves also then, and after a cancel; rejects only where a file cannot be
 * written or the plan cannot be run at all.
 */
export async function runComparison(options: ComparisonOptions): Promise<ComparisonEnd> {
  const { plan, files, clock, signal } = options;
  const policies = policiesOf(plan, options.provider);
  const episodes: PyObject[] = [];
  const ledger: PyObject[] = [];
  const save = async (state: Pick<Parameters<typeof comparisonJson>[1], 'status' | 'active' | 'failure'>) => {
    const comparison = comparisonJson(plan, { ...state, episodes, ledger });
    await files.document('comparison.json', jsonDocument(comparison));
    return comparison;
  };
  await files.document('plan.json', jsonDocument(plan.json));
  await save({ status: 'incomplete', active: null, failure: null });
  for (const [index, at] of plan.schedule.entries()) {
    const policy = policies.get(at.arm);
    if (policy === undefined)
      throw new PixelproofError('plan_arms', 'The schedule names no arm.', { got: at.arm });
    await save({ status: 'incomplete', active: at, failure: null });
    const folder = within(files, episodeFolder(at.arm, at.seed));
    const { onFrame } = options;
    const tell = (decision: number) =>
      options.onProgress?.({
        episode: index,
        episodes: plan.schedule.length,
        at,
        decision,
        decisions: plan.maxDecisions,
        calls: ledger.length,
      });
    tell(0);
    const result = await playEpisode({
      machine: options.machine,
      sha256: options.sha256,
      policy,
      seed: at.seed,
      split: 'development',
      protocol: plan.protocol,
      maxDecisions: plan.maxDecisions,
      files: folder,
      clock,
      signal,
      ...(onFrame === undefined ? {} : { onFrame: (machine, frame) => onFrame(at, machine, frame) }),
      onDecision: (decision) => {
        options.onDecision?.(at, decision);
        tell(decision.decision + 1);
      },
    });
    ledger.push(...result.ledger);
    const horizon = horizonRule(result.summary, plan.frames);
    if (horizon.evaluation_complete !== true) {
      const interrupted = { seed: at.seed, arm: at.arm, ...result.summary, ...horizon };
      const failure = { errorType: stopReason(result.error, result.summary), interrupted };
      await files.document('api-ledger.json', jsonDocument(ledger));
      const comparison = await save({ status: 'incomplete', active: at, failure });
      return { status: 'incomplete', episodes, comparison, error: result.error ?? truncation() };
    }
    const { summary, counts } = result;
    const evaluation = evaluationJson({
      seed: at.seed,
      arm: at.arm,
      summary,
      horizon: plan.frames,
      ledger: result.ledger,
      counts,
    });
    await folder.document('evaluation.json', jsonDocument(evaluation));
    episodes.push(evaluation);
    await save({ status: 'incomplete', active: null, failure: null });
    await options.onEpisode?.(at, evaluation);
  }
  await files.document('api-ledger.json', jsonDocument(ledger));
  const comparison = await save({ status: 'complete', active: null, failure: null });
  return { status: 'complete', episodes, comparison, error: null };
}

function truncation(): PixelproofError {
  return new PixelproofError(
    'pong_truncated',
    'The environment gave up on an episode, which leaves the comparison incomplete.',
  );
}

function stopReason(error: unknown, summary: PyObject): string {
  return error === null ? `incomplete_${String(summary.end_reason)}` : errorType(error);
}

/** The files of a folder. */
function within(files: RunFiles, folder: string): RunFiles {
  return {
    document: (path, text) => files.document(`${folder}/${path}`, text),
    append: (path, text) => files.append(`${folder}/${path}`, text),
    bytes: (path, bytes) => files.bytes(`${folder}/${path}`, bytes),
  };
}
