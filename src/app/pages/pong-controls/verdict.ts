import type { JsonObject } from '../../../evidence/identity/json';
import type { ResultKind } from '../../../providers/provider';
import { plural } from '../../format';
import { listAt, numberAt, objectAt, textAt } from '../../json-read';
import { signed } from './words';

/** One sentence about a run, from its report: totals by arm, never which policy is better. */
export function verdict(report: JsonObject, kind: ResultKind): string {
  const episodes = listAt(report, 'episodes').length;
  const seeds = listAt(report, 'seeds').length;
  const arms = listAt(report, 'arms').flatMap((each) => {
    const id = textAt(objectAt(each), 'id');
    const total = objectAt(report, 'totals', id ?? '');
    return id === null || total === null || (numberAt(total, 'decisions') ?? 0) === 0
      ? []
      : [`${id} ${signed(numberAt(total, 'reward') ?? 0)}`];
  });
  if (episodes === 0) return 'No episode is finished yet.';
  const what = kind === 'wiring' ? 'Wiring check, net reward' : 'Net reward';
  const stopped =
    textAt(report, 'status') === 'complete' ? '' : ' The comparison is incomplete: nothing may be concluded.';
  return `${what} over ${plural(seeds, 'seed')}: ${arms.join(', ')}.${stopped}`;
}
