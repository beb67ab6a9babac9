import { PixelproofError } from '../errors';

type Controller = 'JOYSTICK' | 'PADDLES' | 'NONE';
type YesNo = 'YES' | 'NO';
type Difficulty = 'A' | 'B';

/** What the console has to know of a cartridge beside its bytes. The names are those of recorded traces. */
export interface CartridgeProperties {
  readonly controller_left: Controller;
  readonly controller_right: Controller;
  readonly swap_ports: YesNo;
  readonly swap_paddles: YesNo;
  /** Line of the frame that is the picture's first row. */
  readonly ystart: number;
  /** Rows of the picture; 250 instead of 210 when PAL is detected. */
  readonly height: number;
  readonly hmove_blanks: YesNo;
  /** Difficulty switches as the format detection sees them; play begins with both at B. */
  readonly left_difficulty: Difficulty;
  readonly right_difficulty: Difficulty;
  readonly format: 'AUTO-DETECT' | 'NTSC' | 'PAL';
  /** Highest paddle resistance in ohm. */
  readonly paddle_high: number;
}

export const DEFAULT_PROPERTIES: CartridgeProperties = {
  controller_left: 'JOYSTICK',
  controller_right: 'JOYSTICK',
  swap_ports: 'NO',
  swap_paddles: 'NO',
  ystart: 34,
  height: 210,
  hmove_blanks: 'YES',
  left_difficulty: 'B',
  right_difficulty: 'B',
  format: 'AUTO-DETECT',
  paddle_high: 790196,
};

const CHOICES: { readonly [K in keyof CartridgeProperties]?: readonly string[] } = {
  controller_left: ['JOYSTICK', 'PADDLES', 'NONE'],
  controller_right: ['JOYSTICK', 'PADDLES', 'NONE'],
  swap_ports: ['YES', 'NO'],
  swap_paddles: ['YES', 'NO'],
  hmove_blanks: ['YES', 'NO'],
  left_difficulty: ['A', 'B'],
  right_difficulty: ['A', 'B'],
  format: ['AUTO-DETECT', 'NTSC', 'PAL'],
};
const RANGES: { readonly [K in keyof CartridgeProperties]?: readonly [number, number] } = {
  ystart: [0, 64],
  // The core's buffers hold 300 rows, of which an unfinished frame may need `ystart` more.
  height: [1, 256],
  paddle_high: [27451, 2000000],
};

/**
 * The properties among some values from outside; unknown keys are ignored. Throws `atari_properties_invalid` for a
 * value that no console has.
 */
export function checkProperties(given: { readonly [key: string]: unknown }): Partial<CartridgeProperties> {
  const complete: { [key: string]: unknown } = {};
  for (const [key, choices] of Object.entries(CHOICES)) {
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !choices.includes(value)) throw invalid(key, choices.join(', '), value);
    complete[key] = value;
  }
  for (const [key, [low, high]] of Object.entries(RANGES)) {
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
      throw invalid(key, `an integer from ${low} to ${high}`, value);
    }
    complete[key] = value;
  }
  return complete as Partial<CartridgeProperties>;
}

function invalid(key: string, expected: string, got: unknown): PixelproofError {
  return new PixelproofError('atari_properties_invalid', `The console property ${key} is not possible.`, {
    expected,
    got,
  });
}
