import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import { sha256 } from '../../evidence/identity/sha256';
import { CLASSIFIERS } from '../../providers/audit/classifier-protocol';
import { OCR } from '../../providers/audit/here-audit';
import { type AnswerChoice, PUBLISHED_CHOICE } from './parameters';
import { PROMPT_DIGEST } from './prompt';
import { CONFIGURATION_VERSION, PROMPT_MODE, PROTOCOL_VERSION } from './protocol';
import { STATE_SCHEMA_ID } from './state-schema';

/**
 * Who was asked, as an identity. Its weakness is the reference's own: `model_digest` hashes the model's NAME, so two
 * different weights under one tag compare as the same; the true weights digest is runtime evidence, outside it.
 */
export type ProviderConfiguration = PyObject & {
  readonly provider_kind: string;
  readonly model_name: string;
  readonly model_digest: Sha256Id;
  readonly runtime_name: string;
  readonly protocol_version: string;
  readonly prompt_digest: Sha256Id;
  readonly seed: number;
  readonly provider_configuration_id: Sha256Id;
};

/** The configuration of the scripted provider, which the reference calls `fake`. */
export function scriptedConfiguration(seed: number): ProviderConfiguration {
  return configuration('fake', 'fake', 'in-process-fake', seed, {});
}

/**
 * The configuration of a provider that is really asked; `kind` is its id, `ollama` for the reference's. A classifier
 * or a text reader writes no tokens and draws nothing, so it has no options.
 */
export function liveConfiguration(
  kind: string,
  model: string,
  seed: number,
  answer: AnswerChoice = PUBLISHED_CHOICE,
): ProviderConfiguration {
  if (kind === OCR || CLASSIFIERS.includes(kind))
    return configuration(kind, model, 'onnxruntime-web', seed, {});
  return configuration(kind, model, kind, seed, {
    ...(answer.server_temperature ? {} : { temperature: pyFloat(0) }),
    num_predict: answer.max_tokens,
    ...(answer.structured ? { structured_output: STATE_SCHEMA_ID } : {}),
  });
}

function configuration(
  kind: string,
  model: string,
  runtime: string,
  seed: number,
  inference_options: PyObject,
): ProviderConfiguration {
  const content = {
    version: CONFIGURATION_VERSION,
    provider_kind: kind,
    provider_version: null,
    model_name: model,
    model_digest: sha256(model),
    runtime_name: runtime,
    runtime_version: null,
    protocol_version: PROTOCOL_VERSION,
    prompt_digest: PROMPT_DIGEST,
    context_length: null,
    seed,
    inference_options,
    metadata: { backend: kind, fixed_predict_render_mode: PROMPT_MODE },
  };
  refuseSecrets(content.inference_options);
  refuseSecrets(content.metadata);
  return { ...content, provider_configuration_id: pythonCanonicalId(content) };
}

const SECRET = /apikey|token|password|secret|bearer|authorization|credential/;

/**
 * An identity is published, so nothing in it may look like a credential: throws `configuration_secret` for a key whose
 * letters and digits, lower-cased, contain apikey, token, password, secret, bearer, authorization or credential.
 */
export function refuseSecrets(value: PyValue): void {
  if (Array.isArray(value)) {
    for (const item of value) refuseSecrets(item as PyValue);
  } else if (isPyObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (SECRET.test(key.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase())) {
        throw new PixelproofError(
          'configuration_secret',
          `The key ${JSON.stringify(key)} looks like a credential and may not enter an identity.`,
          { got: key },
        );
      }
      refuseSecrets(member);
    }
  }
}

/** Reads a stored configuration. Throws `configuration_id_mismatch` when its id is not that of its content. */
export function loadConfiguration(value: PyValue | undefined): ProviderConfiguration {
  const { provider_configuration_id, ...content } = isPyObject(value) ? value : {};
  const id = pythonCanonicalId(content);
  if (provider_configuration_id !== id) {
    throw new PixelproofError(
      'configuration_id_mismatch',
      'The provider configuration is not what its id says.',
      { expected: id, got: String(provider_configuration_id) },
    );
  }
  refuseSecrets(content.inference_options ?? null);
  refuseSecrets(content.metadata ?? null);
  return value as ProviderConfiguration;
}
