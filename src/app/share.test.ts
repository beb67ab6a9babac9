import { expect, it } from 'vitest';
import { exportName } from './export-name';
import { besideLink, shareOf } from './share';

const shown = { run: 'mine', experiment: 'png-representation' };
const none = { linked: null, compared: [null, null] };

it('a run that no link led to is named, and is in this browser only', () => {
  const named = { changes: { run: 'mine', bundle: null }, local: true };
  expect(shareOf({ ...none, shown })).toEqual(named);
  // The bundle in the address led to nothing, or to another run.
  expect(shareOf({ ...none, shown, linked: 'other' })).toEqual(named);
});

it('a run that came with the link travels with it', () => {
  expect(shareOf({ ...none, shown, linked: 'mine' })).toEqual({ changes: {}, local: false });
});

it('compared runs are local, save the one that came with the link', () => {
  expect(shareOf({ ...none, shown: null })).toEqual({ changes: {}, local: false });
  expect(shareOf({ shown: null, linked: null, compared: ['a', null] }).local).toBe(true);
  expect(shareOf({ shown: null, linked: 'a', compared: ['a', 'b'] }).local).toBe(true);
  expect(shareOf({ shown: null, linked: 'a', compared: ['a', null] }).local).toBe(false);
});

it('an export has the name that the link to it asks for', () => {
  expect(exportName(shown)).toBe('png-representation-mine');
  expect(exportName({ ...shown, run: 'png-representation-2026' })).toBe('png-representation-2026');
  expect(besideLink(shown, '')).toBe(
    '#/png-representation/report?bundle=runs/png-representation-mine.zip&v=1',
  );
  expect(besideLink({ ...shown, run: 'png-representation a&b' }, 'judge')).toBe(
    '#/png-representation/judge?bundle=runs/png-representation+a%26b.zip&v=1',
  );
});
