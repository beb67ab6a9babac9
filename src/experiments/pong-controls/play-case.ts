import { PixelproofError } from '../../errors';
import type { Json } from '../../evidence/identity/json';
import type { Artifact, CaseKey, Judged, Plan } from '../../runner/experiment';
import { backendOf } from './backends';
import { Budget } from './budget';
import { errorType, playEpisode } from './episode';
import { evaluationJson, horizonRule } from './evaluation';
import { caseOf } from './evidence';
import type { PongHost } from './host';
import { jsonDocument } from './json';
import { insertCartridge, type PongCartridge } from './machine';
import { modelPolicy, type Policy, rulePolicy } from './policy';
import { comparisonOf, scheduledAt } from './run-plan';
import { episodeFolder, MemoryFiles, type RunFiles } from './tree';

let inserted: Promise<PongCartridge> | null = null;
let insertedSha = '';

/** The console with the plan's cartridge. Throws `pong_rom_missing` and the codes of `insertCartridge`. */
export async function materialiseCase(plan: Plan, host: PongHost): Promise<PongCartridge> {
  const sha = String(comparisonOf(plan).protocol.rom_sha256);
  if (inserted === null || insertedSha !== sha) {
    const rom = await host.rom(sha);
    if (rom === null) {
      throw new PixelproofError(
        'pong_rom_missing',
        'The cartridge of this run is not here; choose the ROM file again and the run can go on.',
        { expected: `SHA-256 ${sha}`, got: 'none' },
      );
    }
    inserted = insertCartridge(rom);
    insertedSha = sha;
  }
  return inserted;
}

/** Files of an episode that is being played: attempts of a model arm are kept as they end. */
function keeping(
  files: MemoryFiles,
  folder: string,
  attempt: (decision: number, line: string) => Promise<void>,
): RunFiles {
  let decision = 0;
  return {
    document: (path, text) => files.document(`${folder}/${path}`, text),
    bytes: (path, bytes) => files.bytes(`${folder}/${path}`, bytes),
    append(path, text) {
      files.append(`${folder}/${path}`, text);
      if (path === 'transitions.jsonl') decision += 1;
      if (path === 'model-exchanges.jsonl') return attempt(decision, text);
    },
  };
}

/**
 * Plays the episode of a case; its files come back. A cancel rejects. An episode that its model arm did not let end
 * leaves its files with the host and throws what stopped it: by the protocol the comparison ends there.
 */
export async function playCase(
  plan: Plan,
  key: CaseKey,
  cartridge: PongCartridge,
  host: PongHost,
): Promise<MemoryFiles> {
  const comparison = comparisonOf(plan);
  const at = scheduledAt(plan, key);
  const files = new MemoryFiles();
  const folder = episodeFolder(at.arm, at.seed);
  const { onFrame, onDecision } = host;
  const { summary, ledger, counts, error } = await playEpisode({
    machine: cartridge.machine,
    sha256: host.sha256,
    policy: await policyOf(plan, key, host),
    seed: at.seed,
    split: 'development',
    protocol: comparison.protocol,
    maxDecisions: comparison.maxDecisions,
    files: keeping(files, folder, (decision, line) => host.attempt(key, decision, line)),
    clock: () => host.clock(),
    signal: host.signal,
    ...(onFrame === undefined ? {} : { onFrame: (machine, frame) => onFrame(at, machine, frame) }),
    ...(onDecision === undefined ? {} : { onDecision: (decision) => onDecision(at, decision) }),
  });
  host.signal.throwIfAborted();
  const horizon = comparison.frames;
  if (horizonRule(summary, horizon).evaluation_complete !== true) {
    await host.left(files, at);
    throw error instanceof Error
      ? error
      : new PixelproofError(errorType(error), 'The episode is incomplete.', { got: summary.end_reason });
  }
  const evaluation = evaluationJson({ ...at, summary, horizon, ledger, counts });
  await files.document(`${folder}/evaluation.json`, jsonDocument(evaluation));
  return files;
}

async function policyOf(plan: Plan, key: CaseKey, host: PongHost): Promise<Policy> {
  const comparison = comparisonOf(plan);
  const at = scheduledAt(plan, key);
  const arm = comparison.arms.find(({ id }) => id === at.arm);
  if (arm?.kind === 'rule') return rulePolicy(arm.rule);
  const provider = await host.provider(key);
  const backend = backendOf(comparison.model?.backend ?? '');
  if (arm === undefined || provider === null || backend === null || comparison.model === null) {
    throw new PixelproofError('plan_model', 'A model arm needs a backend and a model.', {
      got: comparison.model?.backend ?? 'none',
    });
  }
  const { model, expectedModel, maxApiCalls } = comparison.model;
  const budget = new Budget(maxApiCalls);
  const used = await host.callsBefore();
  for (let call = 0; call < used; call += 1) budget.reserve();
  return modelPolicy({ backend, provider, program: arm.program, model, expectedModel, budget });
}

/** The record of a finished episode, with the files that only it has. */
export async function judgeCase(plan: Plan, key: CaseKey, files: MemoryFiles): Promise<Judged> {
  const at = scheduledAt(plan, key);
  const record = await caseOf(files, comparisonOf(plan), at);
  const artifacts: Artifact[] = [];
  for (const [name, kept] of Object.entries(record.detail.files as { readonly [name: string]: Json })) {
    const { sha256, media_type } = kept as unknown as Pick<Artifact, 'sha256' | 'media_type'>;
    const bytes = await files.read(`${episodeFolder(at.arm, at.seed)}/${name}`);
    if (bytes !== null) artifacts.push({ sha256, media_type, bytes });
  }
  return { record, artifacts };
}
