import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { sniffImage } from '../../pixels/decode/sniff';
import type { SignalEngine } from '../../pixels/signals/engine';
import type { CaseKey, CaseRecord, Judged } from '../../runner/experiment';
import type { SignalsHost } from './host';
import type { Material } from './materialise';
import { contentsOf, type SignalsPlan } from './plan';
import { measureFile, type SignalRecord } from './record';
import { recordJson } from './record-json';

/** Fields of a record that say who measured, not what: they may differ between machines that find the same. */
const CIRCUMSTANCES = ['decoder', 'decoder_exact', 'engine', 'warnings'] as const;

/** Measures the file of a case. Throws `engine_missing` where the plan's engine is not to be had here. */
export async function judgeCase(
  plan: SignalsPlan,
  key: CaseKey,
  material: Material,
  host: SignalsHost,
): Promise<Judged> {
  const wanted = String(plan.circumstances.engine ?? 'wasm-simd');
  const engine = await host.engine(wanted);
  if (engine === null) {
    throw new PixelproofError('engine_missing', 'The engine that was chosen is not to be had here.', {
      expected: wanted,
      got: 'none',
    });
  }
  const record = await measured(plan, key, material, engine);
  return {
    record,
    artifacts: [{ sha256: material.sha256, media_type: mediaType(material.bytes), bytes: material.bytes }],
  };
}

/** The case of a file under the plan's definition. */
export async function measured(
  plan: SignalsPlan,
  key: CaseKey,
  { file, sha256, bytes }: Material,
  engine: SignalEngine,
): Promise<CaseRecord> {
  const record = await measureFile(file, bytes, contentsOf(plan).definition, engine);
  const { evidence, detail } = split(record);
  return {
    arm: key.arm,
    ordinal: key.ordinal,
    outcome: 'error' in record ? 'undecodable' : 'measured',
    evidence: {
      image_sha256: sha256,
      pixels_sha256: 'error' in record ? null : `sha256:${record.rgb_sha256}`,
      record: evidence,
    },
    detail,
  };
}

function split(record: SignalRecord): { evidence: JsonObject; detail: JsonObject } {
  const all = JSON.parse(JSON.stringify(recordJson(record))) as { [field: string]: Json };
  const detail: { [field: string]: Json } = {};
  for (const field of CIRCUMSTANCES) {
    const value = all[field];
    if (value === undefined) continue;
    detail[field] = value;
    delete all[field];
  }
  return { evidence: all, detail };
}

const MEDIA = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

export function mediaType(bytes: Uint8Array): string {
  const { format } = sniffImage(bytes);
  return format === null ? 'application/octet-stream' : MEDIA[format];
}
