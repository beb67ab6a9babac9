import { PixelproofError } from '../../errors';
import { isObject } from '../../evidence/bundle/safe-json';
import type { Json, JsonObject } from '../../evidence/identity/json';
import { CONDITIONS, type Condition } from './protocol';

/** A field of a receipt that cannot be used. Throws `receipt_field` with the place, what must stand there and what does. */
export function refuseField(where: string, expected: string, got: Json | undefined): never {
  throw new PixelproofError('receipt_field', `The receipt cannot be judged: ${where} must be ${expected}.`, {
    expected,
    got: got === undefined ? 'nothing' : got,
  });
}

export function objectAt(where: string, value: Json | undefined): JsonObject {
  return isObject(value) ? value : refuseField(where, 'an object', value);
}

export function listAt(where: string, value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : refuseField(where, 'a list', value);
}

export function textAt(where: string, value: Json | undefined): string {
  return typeof value === 'string' && value !== '' ? value : refuseField(where, 'a text', value);
}

export function booleanAt(where: string, value: Json | undefined): boolean {
  return typeof value === 'boolean' ? value : refuseField(where, 'true or false', value);
}

export function conditionAt(where: string, value: Json | undefined): Condition {
  const known = CONDITIONS.find((condition) => condition === value);
  return known ?? refuseField(where, CONDITIONS.join(', '), value);
}

export function probabilityAt(where: string, value: Json | undefined): number {
  const right = typeof value === 'number' && value >= 0 && value <= 1;
  return right ? value : refuseField(where, 'a finite number from 0 to 1', value);
}

/** A whole count or null. The later form of a receipt has it as `usage.input_tokens`; both may stand, and agree then. */
export function tokensAt(where: string, control: JsonObject): number | null {
  const usage =
    control.usage === undefined ? undefined : objectAt(`${where} usage`, control.usage).input_tokens;
  const given = [control.tokens_evaluated, usage].filter((value) => value !== undefined);
  const [first = undefined, second = first] = given;
  const right =
    first === second &&
    (first === null || (typeof first === 'number' && Number.isSafeInteger(first) && first >= 0));
  return right
    ? (first as number | null)
    : refuseField(`${where} tokens_evaluated`, 'a whole number or null', first);
}
