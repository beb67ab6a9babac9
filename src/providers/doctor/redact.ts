/** Fields that hold words of ours: a key as short as one letter must not change them. */
const OURS = new Set(['code', 'id', 'state', 'method', 'provider', 'title']);

/** A copy of a value whose every text is free of the key, however the server echoed it. */
export function redacted<T>(value: T, key: string | null): T {
  if (key === null || key === '') return value;
  const forms = [...new Set([key, key.trim(), encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])];
  return clean(
    value,
    forms.filter((form) => form !== ''),
  ) as T;
}

function clean(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') {
    return forms.reduce((text, form) => text.replaceAll(form, '[key]'), value);
  }
  if (Array.isArray(value)) return value.map((each) => clean(each, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, OURS.has(name) ? each : clean(each, forms)]),
  );
}
