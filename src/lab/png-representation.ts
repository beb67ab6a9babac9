import { PixelproofError } from '../errors';
import type { JsonObject } from '../evidence/identity/json';
import type { RunSource } from '../evidence/run';
import {
  createScriptedReplies,
  DEFAULT_MODEL,
  type PngPlan,
  pngRepresentation,
  published,
  replayDescription,
  reportOf,
} from '../experiments/png-representation';
import { OllamaProvider } from '../providers/ollama';
import type { ProviderDescription } from '../providers/provider';
import { SCRIPTED_DESCRIPTION, ScriptedProvider } from '../providers/scripted';
import { type AnswerSource, liveAnswers, recordedAnswers } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';

const DEFAULT_BASE_URL = 'http://localhost:11434';
const DEFAULT_TIMEOUT_SECONDS = 180;

function asked(provider: string, parameters: JsonObject): ProviderDescription {
  switch (provider) {
    case 'scripted':
      return { ...SCRIPTED_DESCRIPTION, seed: Number(parameters.seed ?? 0) };
    case 'replay':
      return replayDescription();
    case 'ollama':
      return ollama(parameters).description;
    default:
      throw new PixelproofError(
        'provider_unknown',
        `This experiment has no provider ${JSON.stringify(provider)}.`,
        {
          expected: 'scripted, replay or ollama',
          got: provider,
        },
      );
  }
}

function ollama(settings: JsonObject): OllamaProvider {
  return new OllamaProvider({
    baseUrl: String(settings.base_url ?? DEFAULT_BASE_URL),
    model: String(settings.model ?? DEFAULT_MODEL),
    seed: Number(settings.seed ?? 0),
    timeoutSeconds: Number(settings.timeout ?? DEFAULT_TIMEOUT_SECONDS),
  });
}

async function answersOf(plan: PngPlan, description: ProviderDescription): Promise<AnswerSource> {
  if (description.id === 'scripted') {
    return liveAnswers(new ScriptedProvider((signal) => createScriptedReplies(plan, signal), description));
  }
  if (description.id === 'replay') {
    const { runtime } = await published();
    return recordedAnswers({ description, runtime, lookup: () => null });
  }
  const { base_url, model, seed } = description;
  return liveAnswers(ollama({ base_url, model, seed, timeout: plan.circumstances.timeout ?? null }));
}

/** What a person confirmed, as the page keeps it in the run's note. */
function confirmations(note: JsonObject) {
  return { inspected: note.inspected === true, reviewed: note.reviewed === true };
}

export const pngRepresentationLab: LabEntry = {
  experiment: pngRepresentation as Experiment,
  asked,
  answers: (plan, provider) => answersOf(plan as PngPlan, provider),
  report: (source, note) => reportOf(source as RunSource<PngPlan>, confirmations(note)),
};
