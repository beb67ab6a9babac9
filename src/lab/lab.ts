import { PixelproofError } from '../errors';
import type { Plan } from '../evidence/run';
import type { BundleVerifier } from '../evidence/verify';
import type { ProviderDescription } from '../providers/provider';
import type { AnswerSource } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';
import { imageSignalsLab } from './image-signals';
import { pngRepresentationLab } from './png-representation';
import { pongControlsLab } from './pong-controls';
import type { RunRequest } from './request';
import { visionControlsLab } from './vision-controls';

const ENTRIES: readonly LabEntry[] = [
  pngRepresentationLab,
  imageSignalsLab,
  pongControlsLab,
  visionControlsLab,
];

const experiments: readonly Experiment[] = ENTRIES.map((entry) => entry.experiment);

/** The experiments as a verifier uses them: each knows who may be asked. */
export const verifiers: readonly BundleVerifier[] = ENTRIES.map(({ experiment, asked, described }) => ({
  ...experiment,
  described: described ?? ((provider) => asked(provider.id, settingsOf(provider))),
}));

function settingsOf({ base_url, model, seed }: ProviderDescription) {
  return { base_url, model, seed };
}

/** Throws `experiment_unknown`. */
export function labEntry(id: string): LabEntry {
  const found = ENTRIES.find((entry) => entry.experiment.id === id);
  if (found !== undefined) return found;
  throw new PixelproofError('experiment_unknown', `There is no experiment ${JSON.stringify(id)} here.`, {
    expected: experiments.map((experiment) => experiment.id).join(', '),
    got: id,
  });
}

export interface PreparedRun {
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly answers: AnswerSource;
}

/** A request made ready for the runner: the plan frozen, the provider made, nothing asked yet. */
export async function prepareRun(request: RunRequest): Promise<PreparedRun> {
  const { experiment, asked } = labEntry(request.experiment);
  const parameters = { ...request.parameters, ...request.provider.settings };
  const provider = asked(request.provider.id, parameters);
  return prepareResume(await experiment.plan(parameters, provider), provider);
}

/** A stored run made ready to go on. */
export async function prepareResume(plan: Plan, provider: ProviderDescription): Promise<PreparedRun> {
  const { experiment, answers } = labEntry(plan.experiment);
  return { experiment, plan, answers: await answers(plan, provider) };
}
