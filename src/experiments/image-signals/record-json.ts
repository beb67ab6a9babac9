import type { SignalRecord } from './record';

/**
 * The record as it is exported, keys in this order: the fields of the published form first (the mask's total under the
 * mask's name), then what else a reader needs to judge it.
 */
export function recordJson(record: SignalRecord): { readonly [key: string]: unknown } {
  if ('error' in record) return { file: record.file, sha256: record.sha256, error: record.error };
  const { signals, mask, gates_passed, file, sha256, width, height, decoder, rgb_sha256, ...rest } = record;
  return {
    file,
    sha256,
    width,
    height,
    decoder,
    rgb_sha256,
    ...signals,
    [`${mask[0]}_total`]: mask[1],
    gates_passed,
    ...rest,
  };
}
