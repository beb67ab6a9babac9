import type { Json, JsonObject } from '../evidence/identity/json';

/** Typed looks into JSON that came from a worker or a file: what is not there reads as null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function objectAt(from: Json | undefined, ...path: readonly string[]): JsonObject | null {
  let here: Json | undefined = from;
  for (const key of path) here = isObject(here) ? here[key] : undefined;
  return isObject(here) ? here : null;
}
export function listAt(from: JsonObject | null, key: string): readonly Json[] {
  const value = from?.[key];
  return Array.isArray(value) ? value : [];
}
export function textAt(from: JsonObject | null, key: string): string | null {
  const value = from?.[key];
  return typeof value === 'string' ? value : null;
}
export function numberAt(from: JsonObject | null, key: string): number | null {
  const value = from?.[key];
  return typeof value === 'number' ? value : null;
}
export function flagAt(from: JsonObject | null, key: string): boolean | null {
  const value = from?.[key];
  return typeof value === 'boolean' ? value : null;
}
