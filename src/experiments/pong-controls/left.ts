import type { Json, JsonObject } from '../../evidence/identity/json';

/** A file that a stopped episode left, as the run's note names it. */
interface LeftFile {
  readonly path: string;
  readonly sha256: string;
  readonly media_type: string;
}

/** What a run's note says of an episode that the protocol did not let end; null where there is none. */
export function leftIn(
  note: Json,
): { readonly arm: string; readonly seed: number; readonly files: readonly LeftFile[] } | null {
  const left = isObject(note) ? note.left : undefined;
  if (!isObject(left) || !Array.isArray(left.files)) return null;
  const files = left.files as unknown as readonly LeftFile[];
  return { arm: String(left.arm), seed: Number(left.seed), files };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
