import type { JsonObject } from '../../../evidence/identity/json';
import type { ResultKind } from '../../../providers/provider';
import { plural } from '../../format';
import { listAt, numberAt, objectAt, textAt } from '../../json-read';

/** One sentence about a run, from its report: what was counted, never a judgement of the pictures. */
export function verdict(report: JsonObject, kind: ResultKind): string {
  const measured = numberAt(report, 'measured') ?? 0;
  const unreadable = numberAt(report, 'undecodable') ?? 0;
  if (measured + unreadable === 0) return 'No picture is measured yet.';
  const parts = listAt(report, 'signals').flatMap((each) => {
    const signal = objectAt(each);
    return signal === null
      ? []
      : [`${textAt(signal, 'signal')?.replaceAll('_', ' ') ?? ''} in ${numberAt(signal, 'passes') ?? 0}`];
  });
  const what = kind === 'wiring' ? plural(measured, 'drawn scene') : plural(measured, 'picture');
  const tail = unreadable === 0 ? '' : ` ${plural(unreadable, 'file')} could not be read.`;
  return `Of ${what}, ${parts.join(', ')} ${parts.length === 1 ? 'passes' : 'pass'}.${tail}`;
}
