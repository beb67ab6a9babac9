import * as v from 'valibot';
import { RECORDS } from '../src/evidence/bundle/records';
import { elsewhere, entry, inBundle } from './entry';
import {
  anything,
  count,
  digits,
  flag,
  is,
  kind,
  list,
  map,
  maybe,
  object,
  open,
  or,
  orNull,
  sha256,
  text,
  time,
} from './forms';

const crateFile = object({
  '@id': text,
  '@type': is('File'),
  contentSize: v.pipe(v.string(), v.regex(/^\d+$/)),
  description: text,
  encodingFormat: text,
  name: text,
  sha256: digits,
});
const reference = object({ '@id': text });
const crate = object({
  '@context': is('https://w3id.org/ro/crate/1.2/context'),
  '@graph': list(
    or(
      object({
        '@id': is('ro-crate-metadata.json'),
        '@type': is('CreativeWork'),
        conformsTo: object({ '@id': is('https://w3id.org/ro/crate/1.2') }),
        about: object({ '@id': is('./') }),
      }),
      object({
        '@id': is('#run'),
        '@type': is('CreateAction'),
        name: text,
        endTime: time,
        instrument: reference,
        result: reference,
      }),
      object({
        '@id': is('#program'),
        '@type': is('SoftwareApplication'),
        name: text,
        softwareVersion: maybe(text),
      }),
      object({
        '@id': is('./'),
        '@type': is('Dataset'),
        datePublished: time,
        description: text,
        hasPart: list(reference),
        identifier: sha256,
        license: text,
        mentions: reference,
        name: text,
      }),
      crateFile,
    ),
  ),
});

const statement = object({
  _type: is('https://in-toto.io/Statement/v1'),
  subject: v.pipe(
    list(object({ name: is('pixelproof.json'), digest: object({ sha256: digits }) })),
    v.minLength(1),
    v.maxLength(1),
  ),
  predicateType: is('urn:pixelproof:run:1'),
  predicate: object({
    experiment: text,
    kind,
    plan_id: sha256,
    root_digest: sha256,
    record_digest: sha256,
    case_count: count,
    complete: flag,
    provider: object({ id: text, model: text }),
    run: text,
    created_at: time,
  }),
});

const ours = (name: string) => [inBundle(null, name)];

/** What every bundle has, whatever its experiment. */
export const BUNDLE = [
  entry(
    'bundle',
    [inBundle(null, 'pixelproof.json')],
    'Manifest of a bundle',
    'Written by hand; see the file.',
    null,
  ),
  entry(
    'json-bundle',
    [elsewhere('a bundle as one JSON document')],
    'A bundle as one JSON document',
    'The container json/1. `manifest` has the schema urn:pixelproof:schema:bundle:1; `contents` has an entry for each file that the manifest lists as inlined, in its order.',
    object({
      contents: list(
        or(
          object({ path: text, text }),
          object({ path: text, base64: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]*={0,2}$/)) }),
        ),
      ),
      manifest: open({ format: is('pixelproof-bundle/1') }),
    }),
  ),
  entry(
    'exchange',
    ours('exchanges.jsonl'),
    'An attempt to ask a provider',
    'A line of exchanges.jsonl, failed attempts included. `response_metadata_text` is JSON in the dialect of Python, as text.',
    RECORDS.exchange,
  ),
  entry(
    'runtime',
    ours('runtime.json'),
    'What answered',
    'The content of runtime.json; null where nothing was asked yet. `details` is the provider’s own.',
    orNull(RECORDS.runtime),
  ),
  entry(
    'artifact',
    ours('artifacts.jsonl'),
    'An artifact',
    'A line of artifacts.jsonl: digest, media type and size of bytes that the run kept.',
    RECORDS.artifact,
  ),
  entry(
    'statement',
    ours('statement.intoto.json'),
    'in-toto statement about a run',
    'An in-toto Statement v1 with the predicate type urn:pixelproof:run:1. Its subject is pixelproof.json by SHA-256.',
    statement,
  ),
  entry(
    'ro-crate',
    ours('ro-crate-metadata.json'),
    'RO-Crate metadata of a bundle',
    'RO-Crate 1.2 as this program writes it: a data set whose parts are the files of the bundle.',
    crate,
  ),
];

/** A line of cases.jsonl, with the experiment's evidence. */
export function caseLine(outcome: v.GenericSchema, evidence: v.GenericSchema) {
  return object({ ...RECORDS.case.entries, outcome, evidence });
}

/** A line of details.jsonl, with what the experiment's report needs beside the evidence. */
export function detailLine(detail: v.GenericSchema) {
  return object({ ...RECORDS.detail.entries, detail });
}

/** environment.json, with the experiment's choices that enter no identity. What is said of the machine is open. */
export function environmentFile(circumstances: v.GenericSchema) {
  return object({
    ...RECORDS.environment.entries,
    created_at: time,
    circumstances,
    environment: open({ program: maybe(text), platform: maybe(text) }),
  });
}

/** Any JSON object. */
export const anyObject = map(anything);
