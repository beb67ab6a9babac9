import { PixelproofError } from '../errors';
import type { JsonObject } from '../evidence/identity/json';
import {
  BLIND_PROBABILITY,
  bareVisionHost,
  REPLAY_DESCRIPTION,
  recordedExchange,
  requirePictures,
  scriptedAnswers,
  type VisionHost,
  type VisionPlan,
  visionControls,
} from '../experiments/vision-controls';
import { DRAWN, SAMPLED } from '../providers/audit/chat-protocol';
import type { Limits } from '../providers/call-policy';
import { addressOf, entryOf, keyIdOf } from '../providers/catalogue';
import { ChatScorer } from '../providers/chat-scorer';
import { CHAT_SHAPES } from '../providers/chat-shapes';
import { LlamaServerProvider } from '../providers/llama-server';
import {
  BLIND_SCORER,
  blindScorer,
  SCRIPTED_SCORER,
  scriptedKey,
  scriptedScorer,
} from '../providers/local-scorers';
import type { Provider, ProviderDescription } from '../providers/provider';
import type { TemplateClass } from '../providers/template';
import { type AnswerSource, liveAnswers, recordedAnswers } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';
import { textReader, visionLanguageModel } from './in-page';
import { keyFor } from './keys';
import { limitsOf } from './limits';
import { usualModel } from './vision-servers';

const CAPABILITY = 'image-text-to-choices';

/** Every question here is answered by one of two digits. */
const CONTROLS = ['0', '1'];

let host: VisionHost = bareVisionHost;

/** Called once by whoever has pictures to lend. */
export function lendVision(lent: VisionHost): void {
  host = lent;
}

const experiment = visionControls({ picture: (sha256) => host.picture(sha256) });

interface ServerChoice {
  readonly id: string;
  readonly base_url: string;
  readonly model: string;
  readonly timeout: number;
  readonly template: TemplateClass;
  readonly n_probs: number;
  readonly samples: number;
  readonly limits: Limits;
}

function server(choice: ServerChoice): Provider {
  const entry = entryOf(choice.id, CAPABILITY);
  const shared = {
    baseUrl: choice.base_url,
    model: choice.model,
    timeoutSeconds: choice.timeout,
    apiKey: keyFor(keyIdOf(entry)),
    keyRequired: entry.key === 'required',
    controls: CONTROLS,
    limits: choice.limits,
  };
  if (choice.id === 'llama-server')
    return new LlamaServerProvider({ ...shared, template: choice.template, nProbs: choice.n_probs });
  const shape = CHAT_SHAPES.find(({ id }) => id === choice.id.replace(SAMPLED, ''));
  if (shape !== undefined) return new ChatScorer(shape, { ...shared, samples: choice.samples });
  // The experiment makes these itself, because it knows their answers.
  throw new PixelproofError('provider_unknown', `${entry.name} is no server that can be asked.`, {
    expected: 'a provider that scores choices',
    got: choice.id,
  });
}

function choiceOf(id: string, settings: JsonObject): ServerChoice {
  const entry = entryOf(id, CAPABILITY);
  return {
    id,
    base_url: String(settings.base_url ?? addressOf(entry, CAPABILITY)),
    model: String(settings.model ?? usualModel(entry)),
    timeout: Number(settings.timeout ?? 900),
    template: String(settings.template ?? 'native_gemma3_turn') as TemplateClass,
    n_probs: Number(settings.n_probs ?? 256),
    samples: id.endsWith(SAMPLED) ? DRAWN : 0,
    limits: limitsOf(settings),
  };
}

/** A scorer that runs in this program, null for another provider. Throws `provider_settings`. */
function scorerHere(provider: string, model: string | null): Provider | null {
  if (provider === 'ocr') return textReader();
  return provider === 'transformers' ? visionLanguageModel(model, 0) : null;
}

/** The provider that asks a server, for whoever audits one. Throws `provider_unknown`, `provider_settings`. */
export function visionServer(provider: string, settings: JsonObject): Provider {
  return server(choiceOf(provider, settings));
}

function asked(provider: string, parameters: JsonObject): ProviderDescription {
  if (provider === 'replay') return REPLAY_DESCRIPTION;
  if (provider === 'blind') return BLIND_SCORER;
  if (provider === 'scripted') return SCRIPTED_SCORER;
  const here = scorerHere(provider, parameters.model == null ? null : String(parameters.model));
  return (here ?? visionServer(provider, parameters)).description;
}

async function answersOf(plan: VisionPlan, description: ProviderDescription): Promise<AnswerSource> {
  const { id, base_url, model } = description;
  if (id === 'replay') {
    const runtime = {
      runtime_name: 'llama.cpp server, as published',
      runtime_version: null,
      model_digest: null,
      details: { vision: true },
    };
    return recordedAnswers({ description, runtime, lookup: recordedExchange });
  }
  if (id === 'blind') return liveAnswers(blindScorer(BLIND_PROBABILITY));
  const source = liveAnswers(
    id === 'scripted'
      ? scriptedScorer(
          new Map(
            scriptedAnswers(plan).map(({ image_sha256, prefix, answer }) => [
              scriptedKey(image_sha256, prefix),
              answer,
            ]),
          ),
        )
      : (scorerHere(id, model) ??
          server(
            choiceOf(id, {
              base_url,
              model,
              ...plan.circumstances,
              template: plan.frozen.template,
              n_probs: plan.frozen.n_probs,
            }),
          )),
  );
  return {
    ...source,
    // Nothing is sent before every picture is known to be the one that the plan names.
    start: async (signal) => {
      await requirePictures(plan, host);
      return source.start(signal);
    },
  };
}

export const visionControlsLab: LabEntry = {
  experiment: experiment as unknown as Experiment,
  asked,
  answers: (plan, provider) => answersOf(plan as VisionPlan, provider),
  report: async (source) => (await experiment.report(source as never)) as JsonObject,
};
