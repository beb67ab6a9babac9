import type { JsonObject } from '../../evidence/identity/json';
import type { Experiment } from '../../runner/experiment';
import { askCase } from './ask';
import { outputFiles } from './files';
import type { SignalsHost } from './host';
import { judgeCase } from './judge';
import { type Material, materialiseCase } from './materialise';
import { EXPERIMENT_ID, makePlan, planCases, type SignalsPlan } from './plan';
import { reportOf } from './report';
import { verifyBundle } from './verify';

/** What can a fixed rule say about the pixels of a generated picture, exactly, and what can it not? */
export function imageSignals(host: SignalsHost): Experiment<SignalsPlan, Material, Material, JsonObject> {
  return {
    id: EXPERIMENT_ID,
    title: 'Image signals',
    plan: makePlan,
    cases: planCases,
    materialise: (plan, key) => materialiseCase(plan, key, host),
    ask: askCase,
    judge: (plan, key, _material, answer) => judgeCase(plan, key, answer, host),
    report: reportOf,
    files: outputFiles,
    verify: verifyBundle,
  };
}
