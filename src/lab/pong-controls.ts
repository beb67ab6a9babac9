import { PixelproofError } from '../errors';
import type { JsonObject } from '../evidence/identity/json';
import type { Plan } from '../evidence/run';
import {
  bareHost,
  comparisonOf,
  ENGINE_VERSIONS,
  LOCAL_PLAYERS,
  type PongHost,
  pongControls,
  runtimeOf,
} from '../experiments/pong-controls';
import { DECISION_BACKENDS, decisionBackend } from '../providers/decision-backends';
import type { Provider, ProviderDescription } from '../providers/provider';
import { SCRIPTED_DECISIONS } from '../providers/scripted-decisions';
import { type AnswerSource, recordedAnswers } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';

let host: PongHost = bareHost;

/** Called by whoever has a cartridge, a provider or somebody who looks to lend; null takes it back. */
export function lendPong(lent: PongHost | null): void {
  host = lent ?? bareHost;
}

const experiment = pongControls(() => host, ENGINE_VERSIONS);

/** Who answers, without a key: the words that enter the plan. */
function asked(provider: string, parameters: JsonObject): ProviderDescription {
  if (provider === 'local') return LOCAL_PLAYERS;
  if (provider === 'scripted') return SCRIPTED_DECISIONS;
  if (provider === 'recorded') {
    return {
      id: String(parameters.backend ?? 'jev'),
      kind: 'replayed',
      label: 'Recorded exchanges, replayed',
      model: String(parameters.model ?? ''),
      seed: 0,
      base_url: null,
    };
  }
  if (!DECISION_BACKENDS.includes(provider)) {
    throw new PixelproofError(
      'provider_unknown',
      `This experiment has no provider ${JSON.stringify(provider)}.`,
      { expected: ['local', 'scripted', 'recorded', ...DECISION_BACKENDS].join(', '), got: provider },
    );
  }
  return liveDecisions(provider, parameters, String(parameters.base_url ?? '') === '' ? 'no-key-yet' : null)
    .description;
}

/** A backend with its key, which stays in the provider. Throws as `decisionBackend`. */
export function liveDecisions(provider: string, settings: JsonObject, key: string | null): Provider {
  return decisionBackend(provider, {
    baseUrl: settings.base_url == null || settings.base_url === '' ? null : String(settings.base_url),
    model: String(settings.model ?? ''),
    key,
  });
}

/** The runner's side of a run whose episodes ask for themselves: nothing is asked through it. */
export function answersFor(description: ProviderDescription, plan: Plan): AnswerSource {
  const runtime = runtimeOf(description, comparisonOf(plan));
  return recordedAnswers({ description, runtime, lookup: () => null });
}

export const pongControlsLab: LabEntry = {
  experiment: experiment as Experiment,
  asked,
  // A recording keeps the name of the backend that was recorded.
  described: ({ id, kind, model, base_url }) =>
    kind === 'replayed' ? asked('recorded', { backend: id, model }) : asked(id, { model, base_url }),
  async answers(plan: Plan, description) {
    if (description.id === 'local') return answersFor(description, plan);
    throw new PixelproofError('provider_settings', 'A run with model arms goes on from its own page.', {
      expected: 'local',
      got: description.id,
    });
  },
  report: async (source) =>
    (await experiment.report(source as never)) as Awaited<ReturnType<LabEntry['report']>>,
};
