import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CATALOGUE } from './catalogue';
import { fileOf, idOf } from './entry';
import { withTable } from './table';
import { schemaOf, validatorOf } from './testing/validators';
import { schemaText } from './write';

it('the site serves exactly the schemas of the catalogue', () => {
  expect(readdirSync('public/schemas').sort()).toEqual(CATALOGUE.map(fileOf).sort());
  expect(new Set(CATALOGUE.map(idOf)).size).toBe(CATALOGUE.length);
});

it('the table of docs/schemas.md is made from the catalogue', () => {
  const page = readFileSync('docs/schemas.md', 'utf8');
  expect(withTable(page)).toBe(page);
  expect(() => withTable('no place')).toThrow('no place');
});

it.each(CATALOGUE.map((each) => [each.name, each] as const))(
  '%s is written from its form, and compiles',
  (_, each) => {
    const text = schemaText(each);
    if (text !== null) expect(readFileSync(`public/schemas/${fileOf(each)}`, 'utf8')).toBe(text);
    const schema = schemaOf(each);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe(idOf(each));
    expect(schema.title).toMatch(/\w/);
    expect(schema.description).toMatch(/\w/);
    // Refers to nothing outside of itself.
    expect(JSON.stringify(schema).match(/"\$ref":"(?!#)/)).toBeNull();
    expect(validatorOf(each)({ never: 'so' })).toBe(false);
  },
);
