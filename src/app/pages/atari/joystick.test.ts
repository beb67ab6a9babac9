import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../atari/actions';
import { actionOf, type Control, directions, either, RELEASED } from './joystick';

const held = (...controls: Control[]) => ({
  ...RELEASED,
  ...Object.fromEntries(controls.map((control) => [control, true])),
});
const name = (paddles: boolean, ...controls: Control[]) => ACTIONS[actionOf(held(...controls), paddles)];

describe('what is held as an action', () => {
  it('a stick has all eighteen', () => {
    expect(name(false)).toBe('NOOP');
    expect(name(false, 'fire')).toBe('FIRE');
    expect(name(false, 'up', 'right')).toBe('UPRIGHT');
    expect(name(false, 'down', 'left', 'fire')).toBe('DOWNLEFTFIRE');
    expect(name(false, 'up', 'fire')).toBe('UPFIRE');
    const seen = new Set<number>();
    for (let bits = 0; bits < 32; bits += 1) {
      const all = (['up', 'down', 'left', 'right', 'fire'] as const).filter((_, i) => bits & (1 << i));
      seen.add(actionOf(held(...all), false));
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(ACTIONS.map((_, i) => i));
  });
  it('opposite directions cancel', () => {
    expect(name(false, 'left', 'right', 'up', 'down')).toBe('NOOP');
    expect(name(true, 'up', 'left')).toBe('NOOP');
  });
  it('a paddle turns right for up and left for down', () => {
    expect(name(true, 'up')).toBe('RIGHT');
    expect(name(true, 'right', 'up')).toBe('RIGHT');
    expect(name(true, 'down', 'fire')).toBe('LEFTFIRE');
  });
});

it('a thumb has eight directions and a dead zone', () => {
  const at = (degrees: number, far = 1) =>
    Object.entries(
      directions(far * Math.cos((degrees * Math.PI) / 180), far * Math.sin((degrees * Math.PI) / 180), 0.3),
    )
      .filter(([, on]) => on)
      .map(([direction]) => direction)
      .join('+');
  expect([0, 45, 90, 135, 180, 225, 270, 315].map((degrees) => at(degrees))).toEqual([
    'right',
    'down+right',
    'down',
    'down+left',
    'left',
    'up+left',
    'up',
    'up+right',
  ]);
  expect(at(20)).toBe('right');
  expect(at(45, 0.2)).toBe('');
});

it('two devices together', () => {
  expect(either(held('up'), held('fire'))).toEqual(held('up', 'fire'));
});
