import type { ThumbView } from '../../../../workers/api';
import type { SignalRecord } from '../../../experiments/image-signals/record';
import type { SceneOptions } from '../../../experiments/image-signals/scene';
import type { MeanValue, ShareValue, SignalValue } from '../../../experiments/image-signals/signals';

/** One picture of the page. Its file is a handle: bytes are read only while it is measured or looked at. */
export interface Entry {
  readonly id: number;
  readonly name: string;
  /** Null for a picture of a stored run, whose bytes the store has. */
  readonly blob: Blob | null;
  readonly record: SignalRecord | null;
  readonly thumb: ThumbView | null;
  readonly scene: SceneOptions | null;
}

/** The SHA-256 of an entry's file once it is known. */
export function digestOf(entry: Entry): string | null {
  return entry.record?.sha256 ?? null;
}

export function measuredOf(entry: Entry) {
  return entry.record === null || 'error' in entry.record ? null : entry.record;
}

export function failureOfEntry(entry: Entry) {
  return entry.record !== null && 'error' in entry.record ? entry.record.error : null;
}

export function isGated(value: SignalValue | undefined): value is MeanValue | ShareValue {
  return value !== undefined && 'pass' in value;
}

/** A value as people read it: shares in per cent, means in levels with their sign. */
export function valueText(value: SignalValue | undefined): string {
  if (value === undefined) return '–';
  if (!isGated(value)) return String(value.count);
  if (value.value === null) return 'undefined';
  return 'total' in value ? `${(value.value * 100).toFixed(2)} %` : signed(value.value);
}

export function signed(value: number): string {
  return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
}

/** A field's name for people: `left_red_dominance` as `left red dominance`. */
export function words(field: string): string {
  return field.replaceAll('_', ' ').replaceAll('-', ' ');
}
