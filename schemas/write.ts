import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { CATALOGUE } from './catalogue';
import { type Entry, fileOf, idOf } from './entry';

/** Checks by code, in `src/`, that JSON Schema has words for. By the message that they give. */
const CUSTOM: { readonly [message: string]: JsonSchema } = {
  'not sha256: and 64 lowercase hexadecimal digits': { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  'not an object': { type: 'object' },
  'any JSON': {},
};

function converted(form: GenericSchema): JsonSchema {
  const schema = toJsonSchema(form, {
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type !== 'custom') return jsonSchema;
      const { message } = valibotSchema as unknown as { readonly message: string };
      const known = CUSTOM[message];
      if (known === undefined) throw new Error(`JSON Schema has no words for the check “${message}”.`);
      return known;
    },
    // JSON has no infinite number, and what is trimmed before it is looked at may have blanks around it.
    ignoreActions: ['trim', 'finite'],
  });
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** A schema as a file of `public/schemas/`; null for one that is written by hand. */
export function schemaText(entry: Entry): string | null {
  if (entry.form === null) return null;
  const { title, description } = entry;
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: idOf(entry),
    title,
    description,
    ...converted(entry.form),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Names of the files that the site serves under `schemas/`, with their text; null where it is written by hand. */
export function schemaFiles(): ReadonlyMap<string, string | null> {
  return new Map(CATALOGUE.map((each) => [fileOf(each), schemaText(each)]));
}
