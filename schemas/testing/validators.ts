import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { type Entry, fileOf, idOf } from '../entry';

// A validator that knows nothing of the forms: it reads the files as a stranger would.

/** Strict: an unknown keyword is a fault. */
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });

export function schemaOf(entry: Entry) {
  return JSON.parse(readFileSync(`public/schemas/${fileOf(entry)}`, 'utf8'));
}

export function validatorOf(entry: Entry): ValidateFunction {
  if (ajv.getSchema(idOf(entry)) === undefined) ajv.addSchema(schemaOf(entry));
  const validate = ajv.getSchema(idOf(entry));
  if (validate === undefined) throw new Error(`${fileOf(entry)} is not ${idOf(entry)}.`);
  return validate;
}
