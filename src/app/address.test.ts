import { expect, it } from 'vitest';
import { addressOf, isNewer, merge, placeOf } from './address';

const changed = (hash: string, changes: Parameters<typeof merge>[1], section?: string): string => {
  const place = placeOf(hash);
  return addressOf(place.page, section ?? place.section, merge(place.query, changes));
};

it('a view is changed key by key, and what is not known is kept', () => {
  expect(changed('#/png-representation/judge?case=a:1&later-key=kept&v=1', { case: null, run: 'r' })).toBe(
    '#/png-representation/judge?later-key=kept&run=r&v=1',
  );
  expect(changed('#/evidence', { bundle: 'runs/x.zip' })).toBe('#/evidence?bundle=runs/x.zip&v=1');
  expect(changed('#/evidence?a=x&v=1', { a: null })).toBe('#/evidence');
});

it('a newer link stays one, whatever is changed in it', () => {
  expect(changed('#/png-representation?state=3&v=2', { state: '4' })).toBe(
    '#/png-representation?state=4&v=2',
  );
  expect(changed('#/png-representation?v=2', {}, 'judge')).toBe('#/png-representation/judge?v=2');
  expect(isNewer(placeOf(changed('#/a?v=10', { x: '1' })).query)).toBe(true);
});

it.each(['', '?v=1', '?v=0', '?v=word', '?x=1'])('%s is no newer view', (view) => {
  const { query } = placeOf(`#/evidence${view}`);
  expect(isNewer(query)).toBe(false);
  expect(merge(query, { x: '1' }).get('v')).toBe('1');
});
