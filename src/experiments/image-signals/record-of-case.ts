import type { Json, JsonObject } from '../../evidence/identity/json';
import type { CaseRecord } from '../../runner/experiment';
import type { Definition } from './definition';
import type { SignalRecord } from './record';
import { keyOf } from './signals';

/** The record of a case, whoever measured it and wherever it was kept. */
export function recordOfCase({ evidence, detail }: CaseRecord, definition: Definition): SignalRecord {
  const all: JsonObject = { ...(evidence.record as JsonObject), ...detail };
  if (all.error !== undefined) {
    const { file, sha256, error } = all;
    return { file, sha256, error } as unknown as SignalRecord;
  }
  const signals: { [field: string]: Json } = {};
  for (const signal of definition.signals) signals[keyOf(signal)] = all[keyOf(signal)] ?? null;
  const { file, sha256, width, height, decoder, rgb_sha256, gates_passed, decoder_exact, engine } = all;
  const { reasons, rounding_sensitivity, warnings } = all;
  return {
    file,
    sha256,
    width,
    height,
    decoder,
    rgb_sha256,
    signals,
    mask: [definition.mask, all[`${definition.mask}_total`] ?? 0],
    gates_passed,
    decoder_exact,
    definition: all.definition,
    engine,
    reasons,
    rounding_sensitivity,
    warnings,
  } as unknown as SignalRecord;
}
