import { expect, it } from 'vitest';
import { cartridgeOf, fixture } from '../../fixtures/atari/read';
import { Console } from './console';
import { Rewind } from './rewind';

it('console switches can be taken back like actions, across saved states', async () => {
  const console = await Console.load(cartridgeOf(fixture('selftest-cpu-1.json')), { sticky: 0.25 });
  console.seed(37);
  const rewind = new Rewind(console, 10, 8);
  const states: Buffer[] = [];
  for (let frame = 0; frame < 40; frame += 1) {
    states.push(Buffer.from(console.snapshot()));
    if (frame % 7 === 3) rewind.hold('reset');
    else if (frame % 11 === 5) rewind.hold('select');
    else rewind.step(frame % 18);
  }
  expect(rewind.length).toBe(40);
  for (const [frame, undo] of [
    [37, 3],
    [36, 1],
    [20, 16],
    [0, 99],
  ] as const) {
    rewind.back(undo);
    expect(states[frame]?.equals(console.snapshot()), `frame ${frame}`).toBe(true);
  }
  expect(rewind.length).toBe(0);
});
