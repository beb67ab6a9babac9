import * as v from 'valibot';
import { SHARD_FORM } from '../cli/shard';
import { SELF_CHECK_FORMAT } from '../src/lab/self-check/report';
import { CODES } from '../src/providers/doctor/diagnosis';
import { type Entry, elsewhere, entry } from './entry';
import {
  anything,
  count,
  digits,
  digits16,
  error,
  flag,
  integer,
  is,
  kind,
  list,
  map,
  maybe,
  number,
  object,
  oneOf,
  open,
  or,
  orNull,
  probability,
  said,
  sha256,
  text,
  texts,
} from './forms';
import { record } from './image-signals';
import { shownComparison } from './png-representation';
import { comparison, frame, transition } from './pong-controls';
import { gateResult, report as visionReport } from './vision-controls';

const failed = object({ code: text, message: text });
const finding = object({
  level: oneOf(['pass', 'warning', 'failure']),
  code: text,
  where: text,
  message: text,
  expected: maybe(text),
  got: maybe(text),
});
const capability = oneOf([
  'image-text-to-text',
  'image-text-to-choices',
  'state-to-choices',
  'text-to-image',
]);
const byCapability = object({
  'image-text-to-text': maybe(text),
  'image-text-to-choices': maybe(text),
  'state-to-choices': maybe(text),
  'text-to-image': maybe(text),
});

const providers = list(
  object({
    id: text,
    name: text,
    runs: oneOf(['in-page', 'local-server', 'hosted', 'recorded', 'wiring']),
    capabilities: list(capability),
    summary: text,
    notes: maybe(byCapability),
    baseUrl: orNull(text),
    addresses: maybe(byCapability),
    key: oneOf(['none', 'optional', 'required']),
    sharesKeyWith: maybe(text),
    model: orNull(text),
  }),
);

const pictureDigests = { pixels_sha256: sha256, png_sha256: sha256, png_bytes: count };
const render = object({
  variant_id: text,
  row_id: text,
  recipe_id: sha256,
  ...pictureDigests,
  operation_chain_digest: sha256,
  matrix_blob_id: digits,
  steps: list(
    object({
      index: count,
      operation: text,
      operation_version: text,
      parameters: map(anything),
      ...pictureDigests,
      thumb_sha256: sha256,
      parameter_digest: sha256,
      operation_digest: sha256,
    }),
  ),
});

const parse = or(
  object({
    ok: is(true),
    prediction: object({
      tank_column: count,
      target_present: flag,
      target_column: integer,
      cooldown: oneOf([0, 1]),
      confidence: probability,
      row_id: text,
    }),
  }),
  object({ ok: is(false), reason: text }),
);

const status = oneOf(['planned', 'running', 'cancelled', 'incomplete', 'complete']);
const ran = {
  out: text,
  status,
  plan_id: sha256,
  root_digest: said('Null until the run is complete', orNull(sha256)),
  done: count,
  total: count,
};
const gateVerdict = oneOf(['pass', 'fail', 'unknown']);
const pngRun = object({
  ...ran,
  calls: count,
  unfinished_calls: count,
  error: orNull(failed),
  kind: orNull(kind),
  comparison: orNull(shownComparison),
  interpretation: orNull(
    object({
      checks: list(object({ id: text, question: text, verdict: gateVerdict, evidence: texts, reason: text })),
      attribution_allowed: flag,
      sentence: text,
    }),
  ),
  published: orNull(
    object({
      executed: text,
      explanations: map(text),
      checks: list(object({ what: text, expected: anything, got: anything, equal: flag })),
    }),
  ),
});
const shardRun = object({
  out: text,
  index: SHARD_FORM.entries.index,
  count: SHARD_FORM.entries.count,
  status,
  plan_id: sha256,
  done: count,
  total: count,
  error: orNull(error),
});

const visionRun = object({
  ...ran,
  ...visionReport,
  result: oneOf(['pass', 'fail', 'incomplete', 'skip', 'error', 'cancelled']),
  cause: orNull(text),
  calls: count,
  error: orNull(error),
  receipt: orNull(is('receipt.json')),
});

const visionCheck = object({
  ok: flag,
  manifest: orNull(
    object({
      sha256,
      bytes: count,
      revision: orNull(text),
      dataset_id: text,
      rows: count,
      families: texts,
      visual_question: text,
    }),
  ),
  pictures: list(
    object({
      unique_data_id: text,
      file_name: text,
      status: oneOf(['ok', 'missing', 'altered']),
      found_as: orNull(text),
      code: orNull(text),
      message: orNull(text),
    }),
  ),
  foreign: list(object({ name: text, sha256 })),
  leak_ban: orNull(
    object({
      ok: flag,
      code: orNull(text),
      terms: texts,
      state: text,
      state_term: orNull(text),
      tasks: list(object({ unique_data_id: text, term: orNull(text) })),
    }),
  ),
  controls: list(
    object({
      unique_data_id: text,
      visual_family: text,
      condition: oneOf(['present', 'omitted', 'swapped']),
      image_unique_data_id: orNull(text),
      expected: orNull(flag),
      counts_as_semantic_hit: flag,
    }),
  ),
  error: orNull(error),
});

const consoleProperty = or(text, count);
const trace = open({
  kind: text,
  name: orNull(text),
  rom_bytes: count,
  rom_md5: text,
  console: map(consoleProperty),
  prelude_events_frames: list(v.strictTuple([or(oneOf(['noop', 'reset', 'select']), count), count])),
  start_ram_hex: maybe(v.pipe(text, v.regex(/^[0-9a-f]{256}$/))),
  start_rgb_sha256: maybe(digits),
  sticky: maybe(probability),
  requested_actions: maybe(list(count)),
  actions: list(v.pipe(count, v.maxValue(17))),
  rewards: maybe(list(number)),
  ram_sha256_16: list(digits16),
  screen_sha256_16: maybe(list(digits16)),
  rgb_sha256_16: maybe(list(digits16)),
});

const replayed = object({
  kind: is('verified-pong-replay-v1'),
  status: oneOf(['verified', 'incomplete']),
  api_attempts: is(0),
  source_episode: text,
  source_status: orNull(text),
  decisions: count,
  raw_frames: count,
  reward: number,
  protocol_hash: orNull(digits),
  protocol_relaxed: maybe(is('versions')),
  raw_frame_evidence: oneOf(['verified-against-original', 'reconstructed-from-recorded-actions']),
  reset_frames: count,
  interpretation: text,
  first_difference: maybe(object({ where: text, expected: text, got: text })),
});
const interval = orNull(object({ mean: number, low: number, high: number }));
const sweep = object({
  kind: is('pixelproof-pong-sweep-v1'),
  protocol: text,
  rom_sha256: digits,
  frames_per_episode: count,
  seeds: count,
  seeds_by_split: object({ train: count, development: count, test: count }),
  interval_method: text,
  arms: list(
    object({
      arm: text,
      policy: text,
      episodes: count,
      mean: number,
      standard_deviation: number,
      minimum: number,
      median: number,
      maximum: number,
      interval,
      counts: list(object({ reward: number, episodes: count })),
    }),
  ),
  paired: list(object({ left: text, right: text, interval, wins: count, ties: count, losses: count })),
  cartridge: text,
  test_seeds_left_out: count,
});

const digestPair = object({ expected: orNull(sha256), got: orNull(sha256) });
const verified = object({
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

const doctor = object({
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

const smoke = object({
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
const compared = object({
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

const selfCheck = object({
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

const prints = (command: string) => [elsewhere(`\`${command}\``)];

/** Everything that a command prints with `--json`, and files of the command line that are no part of a bundle. */
export const COMMAND_LINE: readonly Entry[] = [
  entry(
    'cli-error',
    prints('any command --json, which cannot begin'),
    'A command that could not begin',
    'docs/errors.md lists the codes.',
    object({ ok: is(false), error }),
  ),
  entry(
    'cli-providers',
    prints('providers --json'),
    'Everybody who can be asked',
    'An array, in the order of the list.',
    providers,
  ),
  entry(
    'self-check',
    [elsewhere('`self-check --json`, and what the self-check page exports')],
    'What a browser or Node can do',
    'A fact for each question; `value` is what was found, for programs.',
    selfCheck,
  ),
  entry(
    'cli-png-render',
    prints('png render --json'),
    'A rendered state',
    'Digests of the picture and of every step.',
    render,
  ),
  entry(
    'cli-png-parse',
    prints('png parse'),
    'Verdict of the published parser',
    'The reading, or the reference’s words of rejection.',
    parse,
  ),
  entry(
    'cli-png-run',
    prints('png run --json'),
    'Result of a PNG representation run',
    'Also of one that stopped.',
    pngRun,
  ),
  entry(
    'cli-png-run-part',
    prints('png run --shard i/n --json'),
    'Result of a part of a run',
    'A part has no root digest.',
    shardRun,
  ),
  entry(
    'shard',
    [elsewhere('`shard.json` of a part’s folder')],
    'What marks a folder as a part of a run',
    'Written by `png run --shard`, read by `merge`.',
    SHARD_FORM,
  ),
  entry(
    'cli-merge',
    prints('merge --json'),
    'Result of a merge',
    'The run that one machine would have made.',
    object({ out: text, status, plan_id: sha256, root_digest: sha256, cases: count, parts: count }),
  ),
  entry(
    'cli-table',
    prints('table --json'),
    'Result of writing a table',
    'The Parquet file and what it is of.',
    object({ out: text, bytes: count, experiment: text, root_digest: sha256 }),
  ),
  entry(
    'cli-vision-check',
    prints('vision check --json'),
    'Check of a fixture folder',
    'Manifest, pictures, leak ban, matrix.',
    visionCheck,
  ),
  entry(
    'cli-vision-run',
    prints('vision run --json'),
    'Result of a vision controls run',
    'The report, and what the session came to.',
    visionRun,
  ),
  entry(
    'vision-attempt',
    [elsewhere('`attempt.json` that an attempt leaves which stopped')],
    'An attempt of a vision controls run that stopped',
    'The printed result, and a receipt of what was scored so far. The receipt has the schema urn:pixelproof:schema:vision-receipt:1 once it has a control.',
    object({ ...visionRun.entries, receipt: open({ visual_controls: list(anything) }) }),
  ),
  entry(
    'cli-vision-gate',
    prints('vision gate --json'),
    'A receipt, judged again',
    'Stored figures that contradict are listed.',
    gateResult,
  ),
  entry(
    'cli-vision-audit',
    prints('vision audit --json'),
    'What an audit found',
    'Name of the way in which a provider is broken; null for none.',
    object({ name: orNull(text), evidence: text, noise: number }),
  ),
  entry(
    'cli-atari-info',
    prints('atari info --json'),
    'What a ROM file is',
    'From its bytes.',
    object({ md5: v.pipe(text, v.regex(/^[0-9a-f]{32}$/)), scheme: text, size: count, name: orNull(text) }),
  ),
  entry(
    'cli-atari-compare',
    prints('atari trace --against --json'),
    'A trace, run and compared',
    'Frames with equal RAM and picture, and the first difference.',
    object({
      frames: count,
      ram_equal: count,
      rgb_equal: count,
      first_difference: orNull(
        object({ frame: count, field: oneOf(['ram', 'rgb']), expected: text, got: text }),
      ),
    }),
  ),
  entry(
    'atari-trace',
    [elsewhere('a recorded trace: what `atari trace` prints, what `--against` and the Atari page read')],
    'Trace of an Atari 2600',
    'What the console was, what was pressed, digests of every frame.',
    trace,
  ),
  entry(
    'atari-script',
    [elsewhere('a script of actions: `atari trace --script`')],
    'Script of actions',
    'Numbers 0 to 17, or names; repeated as often as needed.',
    v.pipe(list(or(v.pipe(count, v.maxValue(17)), v.pipe(text, v.regex(/^[A-Z]+$/)))), v.minLength(1)),
  ),
  entry(
    'cli-atari-bench',
    prints('atari bench --json'),
    'Speed of the core',
    'Frames per second.',
    object({
      frames: count,
      frames_per_second_ram: number,
      frames_per_second_sha256: number,
      checksum: integer,
    }),
  ),
  entry(
    'cli-pong-run',
    prints('pong run --json'),
    'Result of a Pong controls run',
    'Also of one that stopped.',
    object({
      out: text,
      status: text,
      plan_hash: digits,
      plan_id: sha256,
      root_digest: sha256,
      kind,
      error: orNull(error),
      non_claims: texts,
      comparison,
    }),
  ),
  entry(
    'cli-pong-replay',
    [elsewhere('`pong replay --json`, and `verification.json` of `pong replay --out`')],
    'A replay',
    'One report for one episode; an array for several.',
    or(replayed, list(replayed)),
  ),
  entry(
    'cli-pong-inspect',
    prints('pong inspect --json'),
    'One decision',
    'With request, reply, the 4 px rule’s choice and the frames that followed.',
    object({
      decision: transition,
      request: anything,
      response: anything,
      input_origin: oneOf([
        'recorded-json-exchange',
        'reconstructed-from-recorded-program-and-observation',
        'unavailable',
      ]),
      rule_4px_action: integer,
      follows_rule_4px: flag,
      frames: list(frame),
    }),
  ),
  entry(
    'cli-pong-audit',
    prints('pong audit --json'),
    'Audit of a Pong controls run',
    'A finding for each check and each difference.',
    object({ kind: is('pong-controls-audit-v1'), status: text, replayed: flag, findings: list(finding) }),
  ),
  entry(
    'archive-manifest',
    [elsewhere('`pong audit --archive-manifest`')],
    'Manifest of a published archive',
    'The ZIP’s digest and that of every file.',
    open({
      kind: is('experiment-archive-v1'),
      sha256: digits,
      file_count: count,
      uncompressed_bytes: count,
      files: list(open({ path: text, bytes: count, sha256: digits })),
    }),
  ),
  entry(
    'cli-pong-sweep',
    prints('pong sweep --json'),
    'Coded rules over many seeds',
    'Distributions and paired differences.',
    sweep,
  ),
  entry(
    'cli-verify',
    prints('verify --json'),
    'Verification of a bundle',
    'A finding for each check and each difference.',
    verified,
  ),
  entry(
    'cli-compare',
    prints('compare --json'),
    'Comparison of two runs',
    'In what plans, identities, cases and outcomes differ.',
    compared,
  ),
  entry(
    'cli-doctor',
    prints('doctor --json'),
    'Whether a server can be asked',
    'Diagnosis, next steps, and every request that was sent.',
    doctor,
  ),
  entry(
    'cli-smoke',
    prints('smoke --json'),
    'The smoke checks',
    'Each with what was expected and what came.',
    smoke,
  ),
  entry(
    'cli-signals',
    prints('signals --json'),
    'Signals of pictures',
    'An array of records in the order of the files.',
    list(record),
  ),
];
