import type { JsonObject } from '../evidence/identity/json';
import type { RunSource } from '../evidence/run';
import {
  createScriptedReplies,
  type PngPlan,
  pngRepresentation,
  published,
  replayDescription,
  reportOf,
} from '../experiments/png-representation';
import type { ProviderDescription } from '../providers/provider';
import { SCRIPTED_DESCRIPTION, ScriptedProvider } from '../providers/scripted';
import { type AnswerSource, liveAnswers, recordedAnswers } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';
import { imageReader, type ReaderHost, type ReaderSettings } from './image-readers';
import { keyFor } from './keys';
import { limitsOf } from './limits';

const DEFAULT_TIMEOUT_SECONDS = 180;

const host: ReaderHost = { apiKey: keyFor };

function asked(provider: string, parameters: JsonObject): ProviderDescription {
  if (provider === 'scripted') return { ...SCRIPTED_DESCRIPTION, seed: Number(parameters.seed ?? 0) };
  if (provider === 'replay') return replayDescription();
  return imageReader(provider, readerSettings(parameters), host).description;
}

/** What a reader is made from: what a person chose, and the protocol's own words for the rest. */
function readerSettings(chosen: JsonObject): ReaderSettings {
  const { base_url, model, seed, timeout } = chosen;
  return {
    limits: limitsOf(chosen),
    baseUrl: base_url == null ? null : String(base_url),
    model: model == null ? null : String(model),
    seed: Number(seed ?? 0),
    timeoutSeconds: Number(timeout ?? DEFAULT_TIMEOUT_SECONDS),
  };
}

async function answersOf(plan: PngPlan, description: ProviderDescription): Promise<AnswerSource> {
  if (description.id === 'scripted') {
    return liveAnswers(new ScriptedProvider((signal) => createScriptedReplies(plan, signal), description));
  }
  if (description.id === 'replay') {
    const { runtime } = await published();
    return recordedAnswers({ description, runtime, lookup: () => null });
  }
  const { id, base_url, model, seed } = description;
  const settings = readerSettings({ ...plan.circumstances, base_url, model, seed });
  return liveAnswers(imageReader(id, settings, host));
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
