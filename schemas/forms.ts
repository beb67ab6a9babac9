import * as v from 'valibot';

// Forms that more than one schema uses. A form here is only ever turned into JSON Schema, or compared with JSON in a
// test: it is no part of the site and reads nothing that comes from outside.

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const integer = v.pipe(v.number(), v.integer());
export const number = v.number();
export const text = v.string();
/** `sha256:` and 64 lowercase hexadecimal digits. */
export const sha256 = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/));
/** 64 lowercase hexadecimal digits alone, where a publisher's own format has them so. */
export const digits = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** 16 lowercase hexadecimal digits: the first of a SHA-256. */
export const digits16 = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));
export const probability = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
export const kind = v.picklist(['measured', 'replayed', 'wiring']);
export const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/));
/** Any JSON. */
export const anything = v.unknown();
export const nothing = v.null();
export const texts = v.array(v.string());

/** Said of a value in the schema itself. */
export function said<const S extends v.GenericSchema>(what: string, schema: S) {
  return v.pipe(schema, v.description(what));
}

/** Short names: a schema is read more often than valibot's documentation. */
export const object = v.strictObject;
/** Has these members, and may have others. */
export const open = v.looseObject;
export const list = v.array;
export const map = <S extends v.GenericSchema>(value: S) => v.record(v.string(), value);
export const or = <const S extends v.GenericSchema[]>(...options: S) => v.union(options);
export const maybe = v.optional;
export const orNull = v.nullable;
export const is = v.literal;
export const oneOf = <const T extends readonly (string | number)[]>(options: T) => v.picklist(options);
export const flag = v.boolean();

/** Who was asked, as plans and manifests name it. */
export const provider = object({
  id: text,
  kind,
  label: text,
  model: text,
  seed: integer,
  base_url: orNull(text),
});

/** An error as the program says it everywhere; docs/errors.md lists the codes. */
export const error = object({
  code: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  message: text,
  expected: orNull(text),
  got: orNull(text),
});
