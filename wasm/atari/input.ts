// Joysticks, paddles and console switches: from an action number to the bits that a read of a port sees.
import { ACTION_RESET, ACTION_SELECT, CONTROLLER_PADDLES } from './layout';
import { input } from './state';

export const POT_OPEN: i32 = -1;
export const POT_SHORT: i32 = -2;

const PADDLE_LOW: i32 = 27450;
/** Resistance by which one frame of LEFT or RIGHT turns the paddle. */
const PADDLE_STEP: i32 = 23000;

const UP: i32 = 1;
const DOWN: i32 = 2;
const LEFT: i32 = 4;
const RIGHT: i32 = 8;
const FIRE: i32 = 16;

/** The eighteen actions as what is held: noop, fire, the eight directions, and the eight with fire. */
const HELD: usize = memory.data<u8>([0, 16, 1, 8, 4, 2, 9, 5, 10, 6, 17, 24, 20, 18, 25, 21, 26, 22]);

/** CPU cycles until a pot of resistance `r` ohm has charged: 1.6 r C at 10 nF and 1.19 MHz, in this order of factors. */
function charge(r: i32): i32 {
  return r == 0 ? POT_SHORT : <i32>(1.6 * <f64>r * 0.01e-6 * 1.19e6);
}

@inline
function isPaddleGame(): bool {
  return input.controllerLeft == CONTROLLER_PADDLES || input.controllerRight == CONTROLLER_PADDLES;
}

/** Before the first environment reset no pot event has been seen: resistance 0. */
export function unsetPaddles(): void {
  input.paddle = 0;
  input.secondPaddle = 0;
}

export function centrePaddles(): void {
  input.paddle = (PADDLE_LOW + input.paddleHigh) / 2;
  input.secondPaddle = input.paddle;
}

/** Sets the ports for one frame of `action`. Turns the paddle when the game has one. */
export function applyAction(action: i32): void {
  const held: i32 = action < 18 ? load<u8>(HELD + action) : 0;
  input.swchb = input.switches & ~(action == ACTION_RESET ? 1 : action == ACTION_SELECT ? 2 : 0);
  input.inpt4 = 0x80;
  input.inpt5 = 0x80;
  input.pot0 = POT_OPEN;
  input.pot1 = POT_OPEN;
  input.pot2 = POT_OPEN;
  input.pot3 = POT_OPEN;
  if (isPaddleGame()) paddles(held);
  else joystick(held);
}

function joystick(held: i32): void {
  const stick = (held & UP ? 1 : 0) | (held & DOWN ? 2 : 0) | (held & LEFT ? 4 : 0) | (held & RIGHT ? 8 : 0);
  input.swcha = 0xff & ~(input.swapPorts ? stick : stick << 4);
  if (held & FIRE) {
    if (input.swapPorts) input.inpt5 = 0;
    else input.inpt4 = 0;
  }
}

function paddles(held: i32): void {
  if (held & RIGHT) input.paddle = max(input.paddle - PADDLE_STEP, PADDLE_LOW);
  if (held & LEFT) input.paddle = min(input.paddle + PADDLE_STEP, input.paddleHigh);
  input.swcha = 0xff;
  const player = charge(input.paddle);
  const second = charge(input.secondPaddle);
  if (input.controllerLeft == CONTROLLER_PADDLES) {
    input.pot0 = input.swapPaddles ? second : player;
    input.pot1 = input.swapPaddles ? player : second;
    if (held & FIRE) input.swcha &= input.swapPaddles ? ~0x40 : ~0x80;
  }
  if (input.controllerRight == CONTROLLER_PADDLES) {
    // Nobody turns the second pair of paddles.
    input.pot2 = POT_SHORT;
    input.pot3 = POT_SHORT;
  }
}
