import { directions, type Held, RELEASED } from './joystick';

/** Half way out of the middle, so that a worn stick is quiet. */
const DEAD_ZONE = 0.5;
// Buttons of the standard layout.
const [UP, DOWN, LEFT, RIGHT] = [12, 13, 14, 15];
const FIRE = [0, 1, 2, 3, 4, 5, 6, 7];

/** What a gamepad holds: its first stick or its cross, and any face or shoulder button to fire. */
function heldOf(pad: Gamepad): Held {
  const down = (button: number) => pad.buttons[button]?.pressed === true;
  const stick = directions(pad.axes[0] ?? 0, pad.axes[1] ?? 0, DEAD_ZONE);
  return {
    up: stick.up || down(UP),
    down: stick.down || down(DOWN),
    left: stick.left || down(LEFT),
    right: stick.right || down(RIGHT),
    fire: FIRE.some(down),
  };
}

/** Reads the first gamepad once a frame of the screen, as long as one is there. Returns how to stop. */
export function watchGamepad(onHeld: (held: Held, name: string | null) => void): () => void {
  let request = 0;
  const read = (): void => {
    const pad = navigator.getGamepads().find((found) => found !== null) ?? null;
    onHeld(pad === null ? RELEASED : heldOf(pad), pad?.id ?? null);
    request = pad === null ? 0 : requestAnimationFrame(read);
  };
  const connected = (): void => {
    if (request === 0) request = requestAnimationFrame(read);
  };
  addEventListener('gamepadconnected', connected);
  connected();
  return () => {
    removeEventListener('gamepadconnected', connected);
    cancelAnimationFrame(request);
  };
}
