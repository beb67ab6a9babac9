import type { JsonObject } from '../../../evidence/identity/json';
import type { ResultKind } from '../../../providers/provider';
import { plural } from '../../format';
import { isObject, listAt, numberAt, textAt } from '../../json-read';

/** A probability or margin as people read it; the exact double stands in the receipt. */
export function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(4).replace('-', '−');
}

/** One sentence about a run, from its report: the verdict and the reason, never more than it shows. */
export function verdict(report: JsonObject, kind: ResultKind): string {
  const cause = textAt(report, 'cause');
  const pairs = listAt(report, 'paired_ordering').filter(isObject);
  if (report.verdict === 'fail') return `Fail: ${cause}.`;
  if (report.verdict !== 'pass') return `No verdict: ${cause ?? 'not finished'}.`;
  const least = Math.min(...pairs.map((pair) => numberAt(pair, 'margin') ?? Number.NaN));
  const rows = `all ${plural(pairs.length, 'row')} are ordered, the least margin is ${figure(least)}, and every picture was attached`;
  if (kind === 'wiring') return `The wiring holds: ${rows}.`;
  return `Pass: the picture moved the judgment. ${rows.replace('all', 'All')}.`;
}
