import { PixelproofError } from '../errors';
import {
  type AuditFinding,
  type AuditPicture,
  auditProbes,
  nameSaboteur,
  observationOf,
  type Profile,
} from '../experiments/vision-controls';
import type { Provider } from '../providers/provider';
import { liveAnswers } from '../runner';

export interface AuditRequest {
  readonly provider: Provider;
  readonly profile: Profile;
  readonly template: 'native_gemma3_turn' | 'native_gemma4_turn';
  readonly pictures: readonly AuditPicture[];
  /** The order of the probes follows from it. */
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Audits a provider: every probe in order, one after the other, then what the answers say of it. Throws a `provider_*`
 * error of the first probe that got no answer, and what `auditProbes` and `observationOf` throw.
 */
export async function auditProvider(request: AuditRequest): Promise<AuditFinding> {
  const { provider, profile, template, pictures, seed, signal } = request;
  const probes = auditProbes(profile, template, pictures, seed);
  const answers = liveAnswers(provider);
  await answers.start(signal);
  const observations = [];
  for (const probe of probes) {
    const key = { arm: 'audit', ordinal: probe.index };
    const exchange = await answers.answer(key, 0, probe.question, { signal, record: () => {} });
    if (exchange.cause !== null) throw new PixelproofError(exchange.cause.code, exchange.cause.message);
    observations.push(observationOf(probe, exchange));
    request.onProgress?.(observations.length, probes.length);
  }
  return nameSaboteur(observations, provider.description.model);
}
