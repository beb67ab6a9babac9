import type { JsonObject } from '../../evidence/identity/json';
import { pyToPlain } from '../../evidence/identity/python-json';
import type { Experiment, Plan, StoredRun } from '../../runner/experiment';
import { EXPERIMENT_ID, outputFiles } from './evidence';
import type { PongHost } from './host';
import { leftInBundle } from './left-bundle';
import type { PongCartridge } from './machine';
import { judgeCase, materialiseCase, playCase } from './play-case';
import type { EngineVersions } from './protocol';
import { comparisonSoFar, unfinishedFiles } from './run-files';
import { comparisonOf, planEpisodes, planRun } from './run-plan';
import type { MemoryFiles } from './tree';
import { verifyBundle } from './verify';

/** Fixed-frame Pong: what differs between arms that see the same observation? A case is an episode. */
export function pongControls(
  host: () => PongHost,
  versions: EngineVersions,
): Experiment<Plan, PongCartridge, MemoryFiles, JsonObject> {
  return {
    id: EXPERIMENT_ID,
    title: 'Pong controls',
    plan: (parameters, provider) => planRun(parameters, provider, versions),
    *cases(plan) {
      for (const { arm, ordinal } of planEpisodes(plan)) yield { arm, ordinal };
    },
    materialise: (plan) => materialiseCase(plan, host()),
    // The episode keeps its exchanges itself; the runner's questions are about pictures.
    ask: (plan, key, cartridge) => playCase(plan, key, cartridge, host()),
    judge: (plan, key, _cartridge, files) => judgeCase(plan, key, files),
    async report(source) {
      const { comparison } = await comparisonSoFar(source as StoredRun);
      const { arms, seeds, frames, hash, policies, protocol } = comparisonOf(source.plan);
      return {
        ...(pyToPlain(comparison) as JsonObject),
        plan_hash: hash,
        rom_sha256: String(protocol.rom_sha256),
        arms: arms.map(({ id, kind }) => ({ id, kind, policy: policies.get(id) ?? '' })),
        seeds,
        frames,
      };
    },
    files: outputFiles,
    unfinished: unfinishedFiles,
    keepsUnfinishedTree: true,
    left: leftInBundle,
    verify: verifyBundle,
  };
}
