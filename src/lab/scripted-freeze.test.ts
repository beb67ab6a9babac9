import { expect, it } from 'vitest';
import { prepareRun } from './lab';

it('the scripted answers of a large plan are written at the start, and a cancel is heard meanwhile', async () => {
  const { answers, plan } = await prepareRun({
    experiment: 'png-representation',
    parameters: { fixture: 'canonical' },
    provider: { id: 'scripted', settings: {} },
  });
  expect(plan.case_count).toBe(672);
  const cancel = new AbortController();
  const reason = new DOMException('Cancelled.', 'AbortError');
  // A timer, as a message to a worker is: it fires only where the thread is given away.
  setTimeout(() => cancel.abort(reason), 0);
  await expect(answers.start(cancel.signal)).rejects.toBe(reason);
});
