import { PixelproofError } from '../../errors';
import type { PyObject } from '../../evidence/identity/python-json';
import { digestOf } from './json';

const SCHEMA = 'action-choice-program-v1';

/** The question of a model arm: what makes two model arms differ, and nothing else of them does. */
export interface Program {
  /** 1 to 100 characters. */
  readonly name: string;
  /** 1 to 2000 characters. */
  readonly guidance: string;
}

/** The program's record, keys in the published order. */
export function programJson({ name, guidance }: Program): PyObject {
  return { name, guidance, schema_version: SCHEMA };
}

export function programHash(program: Program): string {
  return digestOf(programJson(program));
}

/** Reads a program's record. Throws `pong_program` with what is wrong: a missing, unknown or too long field. */
export function parseProgram(value: unknown): Program {
  const refuse = (expected: string, got: unknown) =>
    new PixelproofError('pong_program', 'This is not an action-choice program.', { expected, got });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('a JSON object', value);
  const record = value as Record<string, unknown>;
  const unknown = Object.keys(record).find((key) => !['name', 'guidance', 'schema_version'].includes(key));
  if (unknown !== undefined) throw refuse('only name, guidance and schema_version', unknown);
  const { name, guidance, schema_version } = record;
  if (typeof name !== 'string' || !within(name, 100)) throw refuse('a name of 1 to 100 characters', name);
  if (typeof guidance !== 'string' || !within(guidance, 2000))
    throw refuse('a guidance of 1 to 2000 characters', guidance);
  if (schema_version !== SCHEMA) throw refuse(SCHEMA, schema_version);
  return { name, guidance };
}

/** Python counts code points. */
function within(text: string, most: number): boolean {
  const length = [...text].length;
  return length >= 1 && length <= most && text.isWellFormed();
}

const READ =
  'Which action should vertically align the player paddle with the ball now? Read the objects with id player and ball ' +
  'in `observation.objects`. A bbox is [x, y, width, height]; its vertical center is y plus half its height. Larger y ' +
  'means LOWER on the screen. If the ball center is more than four pixels BELOW the player center, choose LEFT, which ' +
  'moves the paddle DOWN. If the ball center is more than four pixels ABOVE the player center, choose RIGHT, which ' +
  'moves the paddle UP. If the centers are within four pixels, choose NOOP to avoid moving past alignment. If the ball ' +
  'or player is absent, choose NOOP. The player being on the RIGHT side of the screen is not a reason to choose RIGHT. ' +
  'Likewise, a ball moving horizontally right does not imply that the paddle should move up. Judge the vertical gap, ' +
  'not the horizontal direction. ';
const ACT = 'Act for only the next requested duration, then reconsider using the next observation.';

/** The three published programs. */
export const ORIGINAL: Program = {
  name: 'pong-action-choice-v1',
  guidance:
    'Which available action should the RIGHT paddle take now to return the ball? Choose for the next requested action ' +
    'duration using current positions and recent motion.',
};
export const VERTICAL: Program = {
  name: 'pong-vertical-control-v2',
  guidance: `${READ}Prefer the non-FIRE option when a FIRE alias would produce the same vertical movement. ${ACT}`,
};
export const VERTICAL_NO_FIRE: Program = {
  name: 'pong-vertical-control-no-fire-v3',
  guidance:
    `${READ}FIRE means pressing the controller's action button; RIGHTFIRE and LEFTFIRE combine that button with a ` +
    'direction. For this Pong policy, choose the non-FIRE action: RIGHT to request upward movement, LEFT to request ' +
    'downward movement, or NOOP to request no vertical movement. Do not choose FIRE, RIGHTFIRE, or LEFTFIRE. ' +
    ACT,
};
