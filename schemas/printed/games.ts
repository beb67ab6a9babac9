import * as v from 'valibot';
import {
  count,
  digits,
  digits16,
  is,
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
  text,
} from '../forms';

// What the commands of the Pong controls and of the Atari core print with --json.

const consoleProperty = or(text, count);
export const trace = open({
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

export const replayed = object({
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
export const sweep = object({
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
