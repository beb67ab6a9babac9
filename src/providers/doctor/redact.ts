import { redact } from '../secret';

/** Fields that hold words of ours: a key as short as one letter must not change them. */
const OURS = new Set(['code', 'id', 'state', 'method', 'provider', 'title']);

/** A copy of a value whose every text is free of the key, however the server echoed it. */
export function redacted<T>(value: T, key: string | null): T {
  const sent = key?.trim() ?? '';
  return sent === '' ? value : (clean(value, sent) as T);
}

function clean(value: unknown, key: string): unknown {
  if (typeof value === 'string') return redact(value, key);
  if (Array.isArray(value)) return value.map((each) => clean(each, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, OURS.has(name) ? each : clean(each, key)]),
  );
}
