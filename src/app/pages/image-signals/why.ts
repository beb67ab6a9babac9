import type { Definition, Signal, Threshold } from '../../../experiments/image-signals/definition';
import type { MeasuredRecord } from '../../../experiments/image-signals/record';
import { count } from '../../format';
import { isGated, signed, words } from './entry';

function limit(threshold: Threshold | null): number | null {
  return threshold === null ? null : threshold.value.num / threshold.value.den;
}

/** Why a signal passes or fails, from its own numbers. */
export function why(record: MeasuredRecord, signal: Signal): string {
  const key = signal.id.replaceAll('-', '_');
  const value = record.signals[key];
  if (value === undefined) return '';
  if (!isGated(value)) {
    return `${count(value.count)} of ${count(value.components_total)} components have at least ${count(value.min_area)} pixels. No threshold: shadows can join objects.`;
  }
  if (value.value === null)
    return `No value: ${record.reasons[key] ?? 'undefined'}. An undefined value never passes.`;
  if (signal.statistic === 'components') return '';
  const bound = limit(signal.threshold);
  const side = signal.threshold?.side === 'at_most' ? 'at most' : 'at least';
  if (signal.statistic === 'share' || 'total' in value) {
    const found = Number(Reflect.get(value, signal.where));
    const total = Number(Reflect.get(value, 'total'));
    const need = bound === null ? null : Math.ceil(bound * total);
    return `${count(found)} of ${count(total)} pixels are ${signal.where}${need === null ? '' : `; ${side} ${count(need)} are needed`}.`;
  }
  const opposite = value.value < 0 ? ' It is negative: another colour rules there.' : '';
  return `The mean of ${words(signal.of)} over ${count(Number(value.n))} ${signal.where} pixels is ${signed(value.value)}${bound === null ? '' : `; ${side} ${bound} is needed`}.${opposite}`;
}

/** What the other readings of the regions' bounds would give, in one sentence. */
export function roundingSentence(record: MeasuredRecord, definition: Definition): string {
  const { double_mask, truncation, verdict_changes } = record.rounding_sensitivity;
  const differing = [...new Set([...Object.keys(double_mask), ...Object.keys(truncation)])];
  if (differing.length === 0) {
    return 'Rounding: floating-point and truncated bounds give the same numbers here.';
  }
  const parts = definition.signals.flatMap((signal) => {
    const key = signal.id.replaceAll('-', '_');
    const readings = (
      [
        ['floating-point mask', double_mask[key]],
        ['truncation', truncation[key]],
      ] as const
    ).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`${name} ${value.value === null ? 'undefined' : value.value.toFixed('total' in value ? 5 : 3)}`],
    );
    return readings.length === 0 ? [] : [`${words(key)}: ${readings.join(', ')}`];
  });
  const verdict =
    verdict_changes.length === 0
      ? 'No verdict changes.'
      : `The verdict of ${verdict_changes.map(words).join(' and ')} depends on it.`;
  return `Rounding: under other readings of the bounds, ${parts.join('; ')}. ${verdict}`;
}
