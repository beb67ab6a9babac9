import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../evidence/identity/json';
import { prepareRun } from '../../../lab/lab';
import { SMOKE_RUNS } from '../../../lab/smoke-runs';
import { casePlace } from './case-place';

/** Place of the first and of the last case of a smoke run, and of one that it has not. */
async function placesOf(experiment: string) {
  const smoke = SMOKE_RUNS.find(({ request }) => request.experiment === experiment);
  if (smoke === undefined) throw new Error(experiment);
  const { experiment: of, plan } = await prepareRun(smoke.request);
  const keys = [...of.cases(plan)];
  const given = { frozen: plan.frozen } as JsonObject;
  const at = (index: number) => casePlace(experiment, given, keys.at(index) ?? { arm: '', ordinal: 0 });
  return {
    first: at(0),
    last: at(-1),
    none: casePlace(experiment, given, { arm: 'seed-1', ordinal: 99 }),
    plan,
  };
}

describe('a case of a smoke run has its place on its page', () => {
  it('PNG representation: variant and number of the case', async () => {
    const { first } = await placesOf('png-representation');
    expect(first).toEqual({ section: 'judge', view: { case: 'labelled-v1:0' } });
    expect(casePlace('somebody-else', {}, { arm: 'a', ordinal: 0 })).toBeNull();
  });

  it('Pong controls: seed and policy, in the order of the schedule', async () => {
    const { first, last, none } = await placesOf('pong-controls');
    expect(first).toEqual({ section: 'look', view: { seed: '36', arm: 'python-2px' } });
    expect(last).toMatchObject({ section: 'look', view: { seed: '37' } });
    expect(none).toBeNull();
  });

  it('Vision controls: row and condition', async () => {
    const { first, last, none } = await placesOf('vision-controls');
    expect(first?.view.cell).toMatch(/^[a-z-]+:present$/);
    expect(last?.view.cell).toMatch(/^[a-z-]+:swapped$/);
    expect(none).toBeNull();
  });

  it('Image signals: the beginning of the picture’s digest', async () => {
    const { first, none, plan } = await placesOf('image-signals');
    const [picture] = plan.frozen.pictures as readonly { readonly sha256: string }[];
    expect(first).toEqual({ section: 'look', view: { picture: picture?.sha256.slice(7, 23) } });
    expect(none).toBeNull();
  });
});
