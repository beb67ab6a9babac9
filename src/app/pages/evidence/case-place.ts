import type { JsonObject } from '../../../evidence/identity/json';
import { CONDITIONS } from '../../../experiments/vision-controls/protocol';
import { isObject, listAt, numberAt, objectAt, textAt } from '../../json-read';

/** A section of an experiment's page with the keys of its view that show one case. */
export interface CasePlace {
  readonly section: string;
  readonly view: Readonly<Record<string, string>>;
}

/**
 * Where the page of an experiment shows a case of a run: its picture and the reply, or the episode. `plan` is as the runner
 * gives it. Null where the plan names no such case.
 */
export function casePlace(
  experiment: string,
  plan: JsonObject,
  { arm, ordinal }: { readonly arm: string; readonly ordinal: number },
): CasePlace | null {
  const frozen = objectAt(plan, 'frozen');
  if (experiment === 'png-representation') return { section: 'judge', view: { case: `${arm}:${ordinal}` } };
  if (experiment === 'vision-controls') {
    const condition = CONDITIONS[ordinal];
    return condition === undefined ? null : { section: 'look', view: { cell: `${arm}:${condition}` } };
  }
  if (experiment === 'pong-controls') {
    // The evidence's arm is the seed; the ordinal is the place among that seed's episodes.
    const seed = arm.replace('seed-', '');
    const own = listAt(objectAt(frozen ?? {}, 'plan'), 'schedule').filter(
      (each) => isObject(each) && numberAt(each, 'seed') === Number(seed),
    );
    const policy = textAt(objectAt(own[ordinal]), 'arm');
    return policy === null ? null : { section: 'look', view: { seed, arm: policy } };
  }
  if (experiment === 'image-signals') {
    const picture = listAt(frozen, 'pictures').find(
      (each) => isObject(each) && each.arm === arm && each.ordinal === ordinal,
    );
    const digest = textAt(objectAt(picture), 'sha256')?.replace('sha256:', '');
    return digest === undefined ? null : { section: 'look', view: { picture: digest.slice(0, 16) } };
  }
  return null;
}
