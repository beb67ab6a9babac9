import type * as v from 'valibot';
import { SELF_CHECK_FORMAT } from '../../src/lab/self-check/report';
import { CODES } from '../../src/providers/doctor/diagnosis';
import {
  anything,
  count,
  flag,
  is,
  kind,
  list,
  map,
  maybe,
  number,
  object,
  oneOf,
  orNull,
  said,
  sha256,
  text,
} from '../forms';
import { finding } from './asked';

// What the commands about evidence print with --json: verify, compare, smoke, self-check.

const digestPair = object({ expected: orNull(sha256), got: orNull(sha256) });
export const verified = object({
  ok: flag,
  container: orNull(text),
  experiment: orNull(text),
  kind: orNull(kind),
  complete: orNull(flag),
  counts: object({
    files: count,
    not_inlined: count,
    cases: count,
    exchanges: count,
    artifacts: count,
    pass: count,
    warning: count,
    failure: count,
  }),
  root_digest: digestPair,
  record_digest: digestPair,
  findings: list(finding),
});

export const doctor = object({
  ok: flag,
  code: oneOf(CODES),
  sentence: text,
  meaning: text,
  facts: said('What the diagnosis rests on; members differ by code', map(anything)),
  next: list(object({ text, copy: maybe(text) })),
  provider: text,
  base_url: orNull(text),
  model: orNull(text),
  checks: list(
    object({
      id: oneOf(['address', 'page', 'reach', 'service', 'model', 'sees', 'answer', 'logprobs', 'origin']),
      title: text,
      state: oneOf(['ok', 'failed', 'unknown']),
      says: text,
    }),
  ),
  requests: list(
    object({
      method: oneOf(['GET', 'POST', 'OPTIONS']),
      url: text,
      why: text,
      status: orNull(count),
      milliseconds: number,
    }),
  ),
});

export const smoke = object({
  ok: flag,
  equal: count,
  total: count,
  overall_digest: orNull(sha256),
  checks: list(object({ what: text, expected: text, got: text, equal: flag })),
});

const sides = { a: orNull(text), b: orNull(text) };
/** At most so many of a list; `total` counts them all. */
const bounded = (items: v.GenericSchema) => object({ total: count, items: list(items) });
const place = object({ path: text, ...sides });
const cases = bounded(object({ arm: text, ordinal: count, ...sides, first: orNull(place) }));
const equality = oneOf(['equal', 'different', 'unfinished']);
export const compared = object({
  a: text,
  b: text,
  sentence: text,
  findings: equality,
  records: equality,
  identities: list(object({ what: text, ...sides, equal: flag })),
  plan: bounded(place),
  cases: object({
    a: count,
    b: count,
    both: count,
    equal: count,
    only_a: cases,
    only_b: cases,
    outcome: cases,
    evidence: cases,
  }),
  tallies: bounded(object({ arm: text, outcome: text, a: count, b: count })),
});

export const selfCheck = object({
  format: is(SELF_CHECK_FORMAT),
  program: text,
  place: text,
  complete: flag,
  facts: list(
    object({
      id: text,
      state: oneOf(['yes', 'partly', 'no', 'measured', 'failed']),
      value: anything,
      says: text,
    }),
  ),
});
