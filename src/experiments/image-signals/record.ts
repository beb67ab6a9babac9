import { PixelproofError } from '../../errors';
import { sha256Large } from '../../evidence/identity/sha256';
import { decodeImage } from '../../pixels/decode/decode';
import type { DecodedImage, DecodeWarning } from '../../pixels/decode/decoded';
import type { EngineIdentity, SignalEngine } from '../../pixels/signals/engine';
import { measureBy } from '../../pixels/signals/fallback';
import type { Definition } from './definition';
import { planSignals, type RoundingSensitivity, type SignalValue } from './signals';

/** Digests here are 64 hexadecimal digits without prefix, as the reference data has them. */
export interface MeasuredRecord {
  readonly file: string;
  /** Of the file's bytes. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly decoder: string;
  /** Of width * height * 3 bytes: same pixels first, then same numbers. */
  readonly rgb_sha256: string;
  readonly signals: { readonly [field: string]: SignalValue };
  /** The mask's name and how many pixels it holds. */
  readonly mask: readonly [string, number];
  readonly gates_passed: number;
  readonly decoder_exact: boolean;
  readonly definition: string;
  /** Who measured, which may be another than was asked (`engine_fallback`). */
  readonly engine: EngineIdentity;
  readonly reasons: { readonly [field: string]: string };
  readonly rounding_sensitivity: RoundingSensitivity;
  readonly warnings: readonly DecodeWarning[];
}
export interface FailedRecord {
  readonly file: string;
  /** Null when not even the bytes could be read. */
  readonly sha256: string | null;
  readonly error: { readonly code: string; readonly message: string };
}
export type SignalRecord = MeasuredRecord | FailedRecord;

/** Measures a file. What is wrong with it becomes its record; nothing is thrown but faults of our own. */
export async function measureFile(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  definition: Definition,
  engine: SignalEngine,
): Promise<SignalRecord> {
  const sha256 = hex(await sha256Large(bytes));
  try {
    return await measureImage(file, sha256, await decodeImage(bytes, file), definition, engine);
  } catch (error) {
    return failedRecord(file, sha256, error);
  }
}

export async function measureImage(
  file: string,
  sha256: string,
  image: DecodedImage,
  definition: Definition,
  engine: SignalEngine,
): Promise<MeasuredRecord> {
  const plan = planSignals(definition, image.width, image.height);
  const by = await measureBy(engine, image, plan.task);
  const signals = plan.signals(by.measured);
  const warnings = [...image.warnings, ...by.warnings];
  for (const field of signals.rounding.verdict_changes) {
    warnings.push({
      code: 'rounding_changes_verdict',
      message: `${field} passes or fails depending on how its bounds are rounded.`,
    });
  }
  return {
    file,
    sha256,
    width: image.width,
    height: image.height,
    decoder: image.decoder,
    rgb_sha256: hex(await sha256Large(image.data)),
    signals: signals.values,
    mask: [definition.mask, signals.mask_total],
    gates_passed: signals.gates_passed,
    decoder_exact: image.exact,
    definition: definition.id,
    engine: by.engine,
    reasons: signals.reasons,
    rounding_sensitivity: signals.rounding,
    warnings,
  };
}

/** The record of a file that could not be measured: one sentence, with what was expected and what came. */
export function failedRecord(file: string, sha256: string | null, error: unknown): FailedRecord {
  if (!(error instanceof PixelproofError)) throw error;
  const parts = [error.message];
  if (error.expected !== undefined) parts.push(`Expected: ${error.expected}.`);
  if (error.got !== undefined) parts.push(`Got: ${error.got}.`);
  return { file, sha256, error: { code: error.code, message: parts.join(' ') } };
}

function hex(id: string): string {
  return id.slice('sha256:'.length);
}
