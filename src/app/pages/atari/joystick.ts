/** What is held, from whatever device. */
export interface Held {
  readonly up: boolean;
  readonly down: boolean;
  readonly left: boolean;
  readonly right: boolean;
  readonly fire: boolean;
}
export type Control = keyof Held;

export const CONTROLS: readonly Control[] = ['up', 'down', 'left', 'right', 'fire'];
export const RELEASED: Held = { up: false, down: false, left: false, right: false, fire: false };

/** Action numbers by vertical (up, none, down) and horizontal (left, none, right) direction, without the button. */
const PLAIN = [
  [7, 2, 6],
  [4, 0, 3],
  [9, 5, 8],
] as const;

/**
 * The number of the action that is held. Opposite directions cancel. A paddle turns only left and right: up counts as
 * right and down as left, so that a paddle that moves up and down on the screen is played with the keys one expects.
 */
export function actionOf(held: Held, paddles: boolean): number {
  let across = Number(held.right) - Number(held.left);
  let along = Number(held.down) - Number(held.up);
  if (paddles) {
    across = Math.sign(across - along);
    along = 0;
  }
  const plain = PLAIN[along + 1]?.[across + 1] ?? 0;
  if (!held.fire) return plain;
  return plain === 0 ? 1 : plain + 8;
}

export function either(a: Held, b: Held): Held {
  return {
    up: a.up || b.up,
    down: a.down || b.down,
    left: a.left || b.left,
    right: a.right || b.right,
    fire: a.fire || b.fire,
  };
}

/** Directions of a vector from a stick or a thumb, eight ways; nothing inside the dead zone. */
export function directions(x: number, y: number, dead: number): Omit<Held, 'fire'> {
  const far = Math.hypot(x, y) > dead;
  // 22.5 degrees each side of an axis belong to that axis alone.
  const share = Math.hypot(x, y) * Math.sin(Math.PI / 8);
  return { up: far && y < -share, down: far && y > share, left: far && x < -share, right: far && x > share };
}
