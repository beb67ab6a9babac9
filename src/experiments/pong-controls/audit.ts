import type { PyObject } from '../../evidence/identity/python-json';
import { type Finding, failure, pass, unreadable } from '../../evidence/verify/finding';
import { auditEpisode, parted } from './audit-episode';
import { comparisonJson } from './comparison';
import { horizonRule } from './evaluation';
import { digestOf, jsonDocument } from './json';
import type { PongCartridge, Sha256 } from './machine';
import type { ComparisonPlan } from './plan';
import { planFromJson } from './plan-read';
import type { EngineVersions } from './protocol';
import { Recorded } from './recorded';
import { replayEpisode } from './replay';
import { episodeFolder, type RunTree, subtree } from './tree';

export interface AuditOptions {
  /** With the cartridge every episode is executed again, and pictures are compared too. */
  readonly replay: {
    readonly cartridge: PongCartridge;
    readonly sha256: Sha256;
    readonly versions: EngineVersions;
  } | null;
  readonly signal?: AbortSignal;
  readonly onEpisode?: (done: number, total: number) => void;
}

/**
 * Audits the files of a run, published or ours: the plan's digest and that it follows from its choices; the order of the
 * episodes; every episode recomputed from its own records; ledgers and exchange ids over the whole run; the comparison;
 * and with the cartridge a replay of every episode. One finding for each difference, naming file and line. Throws for
 * nothing that is in the files; rejects when the signal is aborted.
 */
export async function* auditRun(tree: RunTree, options: AuditOptions): AsyncGenerator<Finding> {
  const recorded = new Recorded(tree);
  let plan: ComparisonPlan;
  let comparison: PyObject;
  try {
    const json = await recorded.document('plan.json');
    plan = planFromJson(json);
    comparison = await recorded.document('comparison.json');
    const text = await recorded.text('plan.json');
    if (text !== jsonDocument(plan.json)) {
      yield mismatch(
        'plan.json',
        'The plan does not follow from its choices.',
        ...parted(jsonDocument(plan.json), text),
      );
      return;
    }
    if (comparison.plan_hash !== digestOf(json)) {
      const message = 'The comparison is of another plan.';
      yield mismatch('comparison.json plan_hash', message, digestOf(json), String(comparison.plan_hash));
      return;
    }
  } catch (error) {
    yield fromError('plan.json', error);
    return;
  }
  yield pass('pong_plan', 'plan.json', `The plan has its digest ${plan.hash} and follows from its choices.`);
  yield* auditEpisodes(tree, plan, comparison, options);
}

async function* auditEpisodes(
  tree: RunTree,
  plan: ComparisonPlan,
  comparison: PyObject,
  options: AuditOptions,
): AsyncGenerator<Finding> {
  const complete = comparison.status === 'complete';
  const evaluations: PyObject[] = [];
  const ledger: PyObject[] = [];
  let interrupted: PyObject | null = null;
  let [played, faults] = [0, 0];
  for (const at of plan.schedule) {
    options.signal?.throwIfAborted();
    const folder = episodeFolder(at.arm, at.seed);
    const there = tree.paths.includes(`${folder}/manifest.json`);
    if (!there) {
      if (complete) {
        faults += 1;
        yield mismatch(
          `${folder}/manifest.json`,
          'The comparison is complete without an episode of its plan.',
          'the episode',
          'none',
        );
      }
      break;
    }
    if (interrupted !== null) {
      faults += 1;
      yield mismatch(folder, 'An episode was played after one that stopped the run.', 'none', 'one');
      break;
    }
    played += 1;
    try {
      const {
        findings,
        summary,
        ledger: entries,
        evaluation,
      } = await auditEpisode(tree, plan, at, ledger.length + 1);
      faults += findings.length;
      yield* findings;
      ledger.push(...entries);
      if (evaluation !== null) evaluations.push(evaluation);
      else if (summary !== null)
        interrupted = { seed: at.seed, arm: at.arm, ...summary, ...horizonRule(summary, plan.frames) };
      if (options.replay !== null && findings.length === 0) {
        for (const finding of await replayed(subtree(tree, folder), folder, options.replay)) {
          faults += finding.level === 'failure' ? 1 : 0;
          yield finding;
        }
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      faults += 1;
      yield fromError(folder, error);
    }
    options.onEpisode?.(played, plan.schedule.length);
  }
  if (faults > 0) return;
  yield pass('pong_episodes', 'episodes', `${played} episodes recomputed from their records.`);
  yield* auditDocuments(tree, plan, comparison, { evaluations, ledger, interrupted });
}

async function replayed(
  tree: RunTree,
  folder: string,
  replay: NonNullable<AuditOptions['replay']>,
): Promise<Finding[]> {
  const { report, difference } = await replayEpisode(tree, { ...replay, source: folder });
  if (difference !== null) {
    const { where, expected, got } = difference;
    return [
      mismatch(
        `${folder}/${where}`,
        'Executed again, the episode goes another way.',
        expected,
        got,
        'replay_mismatch',
      ),
    ];
  }
  return [
    pass('pong_replay', folder, `${report.raw_frames} frames executed again: RAM and pictures are equal.`),
  ];
}

/** What was recomputed of the episodes. */
interface Recomputed {
  readonly evaluations: readonly PyObject[];
  readonly ledger: readonly PyObject[];
  readonly interrupted: PyObject | null;
}

async function* auditDocuments(
  tree: RunTree,
  plan: ComparisonPlan,
  comparison: PyObject,
  { evaluations, ledger, interrupted }: Recomputed,
): AsyncGenerator<Finding> {
  const files = new Recorded(tree);
  const status = comparison.status === 'complete' ? 'complete' : 'incomplete';
  const stopped =
    interrupted === null ? null : { seed: Number(interrupted.seed), arm: String(interrupted.arm) };
  const again = comparisonJson(plan, {
    status,
    episodes: evaluations,
    ledger,
    active: stopped,
    failure: interrupted === null ? null : { errorType: String(comparison.error_type ?? ''), interrupted },
  });
  const documents: [string, string][] = [
    ['comparison.json', jsonDocument(again)],
    ['api-ledger.json', jsonDocument(ledger)],
  ];
  let faults = 0;
  for (const [path, should] of documents) {
    try {
      const is = await files.text(path);
      if (is === should) continue;
      faults += 1;
      yield mismatch(path, 'The file does not follow from the episodes.', ...parted(should, is));
    } catch (error) {
      faults += 1;
      yield fromError(path, error);
    }
  }
  if (faults > 0) return;
  yield pass(
    'pong_comparison',
    'comparison.json',
    'Totals, paired differences and costs follow from the episodes.',
  );
  if (status === 'incomplete')
    yield {
      level: 'warning',
      code: 'pong_incomplete',
      where: 'comparison.json',
      message: 'The comparison was stopped: there is nothing to conclude from it.',
    };
}

function mismatch(
  where: string,
  message: string,
  expected: string,
  got: string,
  code = 'record_mismatch',
): Finding {
  return failure(code, where, message, { expected, got });
}

function fromError(where: string, error: unknown): Finding {
  const { code, message, expected, got } = unreadable(error);
  return failure(code, where, message, {
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? {} : { got }),
  });
}
