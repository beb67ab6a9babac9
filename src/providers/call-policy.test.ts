import { describe, expect, it } from 'vitest';
import { gated } from './call-policy';

const never = new AbortController().signal;

describe('limits bind calls to one origin', () => {
  const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

  it('at most so many at once, in the order in which they came', async () => {
    let [now, most] = [0, 0];
    const order: number[] = [];
    const work = (at: number) => async () => {
      order.push(at);
      now += 1;
      most = Math.max(most, now);
      await sleep(10);
      now -= 1;
    };
    const limits = { maxInFlight: 2, minIntervalMs: 0 };
    await Promise.all([0, 1, 2, 3, 4, 5].map((at) => gated('http://a.test/x', limits, never, work(at))));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('starts at least so far apart; another origin does not wait', async () => {
    const starts: number[] = [];
    const limits = { maxInFlight: 9, minIntervalMs: 60 };
    const begun = performance.now();
    const go = (url: string) =>
      gated(url, limits, never, async () => void starts.push(performance.now() - begun));
    await go('http://b.test/');
    const elsewhere = go('http://c.test/').then(() => performance.now() - begun);
    await Promise.all([go('http://b.test/1'), go('http://b.test/2')]);
    expect(await elsewhere).toBeLessThan(55);
    const sorted = starts.sort((a, b) => a - b);
    expect(sorted.at(-1)).toBeGreaterThanOrEqual(115);
  });

  it('a wait in the line ends with its signal, and the line goes on', async () => {
    const limits = { maxInFlight: 1, minIntervalMs: 0 };
    const cancel = new AbortController();
    const first = gated('http://d.test/', limits, never, () => sleep(40));
    const second = gated('http://d.test/', limits, cancel.signal, async () => 'second');
    const third = gated('http://d.test/', limits, never, async () => 'third');
    cancel.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    expect(await third).toBe('third');
  });
});
