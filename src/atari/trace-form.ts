import { PixelproofError } from '../errors';
import { checkAction } from './actions';
import type { HeldEvent } from './games';
import { type CartridgeProperties, checkProperties } from './properties';

/** An event held for a number of frames. */
export type PreludeEvent = readonly [event: HeldEvent, frames: number];

/** A recorded run: what the console was, what was held before, what was pressed, and digests of every frame. */
export interface Trace {
  readonly kind: string;
  readonly name: string | null;
  readonly rom_bytes: number;
  readonly rom_md5: string;
  /** Properties that are not given come from the ROM table, or are the default. */
  readonly console: Partial<CartridgeProperties>;
  /** Applied after power-on and one more console reset. */
  readonly prelude_events_frames: readonly PreludeEvent[];
  readonly start_ram_hex?: string;
  readonly start_rgb_sha256?: string;
  readonly sticky?: number;
  /** What was asked for, where sticky draws made `actions` differ. */
  readonly requested_actions?: readonly number[];
  /** The action applied in each frame. */
  readonly actions: readonly number[];
  readonly rewards?: readonly number[];
  /** First 16 hex digits of SHA-256, one a frame: of RAM, of the indexed picture, of the RGB picture. */
  readonly ram_sha256_16: readonly string[];
  readonly screen_sha256_16?: readonly string[];
  readonly rgb_sha256_16?: readonly string[];
}

/** Longest prelude, all its events together, and longest trace that are taken from outside: an hour of frames. */
const MOST_FRAMES = 216_000;

/** Reads a trace from parsed JSON. Throws `atari_trace_invalid` or `atari_properties_invalid`. */
export function readTrace(json: unknown): Trace {
  if (!isRecord(json)) throw invalid('the document', 'a JSON object', json);
  const actions = json.actions;
  if (!Array.isArray(actions) || actions.length > MOST_FRAMES || !actions.every(isAction)) {
    throw invalid('actions', `a list of at most ${MOST_FRAMES} action numbers from 0 to 17`, actions);
  }
  const rgb = digests(json, 'rgb_sha256_16', actions.length);
  const screen = digests(json, 'screen_sha256_16', actions.length);
  const ram = digests(json, 'ram_sha256_16', actions.length);
  if (ram === undefined) throw invalid('ram_sha256_16', 'a digest a frame', undefined);
  const console = json.console ?? {};
  if (!isRecord(console)) throw invalid('console', 'an object of console properties', console);
  return {
    kind: typeof json.kind === 'string' ? json.kind : '',
    name: typeof json.name === 'string' ? json.name : null,
    rom_bytes: typeof json.rom_bytes === 'number' ? json.rom_bytes : 0,
    rom_md5: typeof json.rom_md5 === 'string' ? json.rom_md5 : '',
    console: checkProperties(console),
    prelude_events_frames: prelude(json.prelude_events_frames ?? []),
    actions,
    ram_sha256_16: ram,
    ...(screen === undefined ? {} : { screen_sha256_16: screen }),
    ...(rgb === undefined ? {} : { rgb_sha256_16: rgb }),
  };
}

function prelude(given: unknown): readonly PreludeEvent[] {
  if (!Array.isArray(given)) throw invalid('prelude_events_frames', 'a list of [event, frames]', given);
  let total = 0;
  return given.map((entry: unknown) => {
    const [event, frames, ...rest] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const held = event === 'noop' || event === 'reset' || event === 'select' || isAction(event);
    if (!held || !isCount(frames) || rest.length > 0) {
      throw invalid('prelude_events_frames', '["noop" | "reset" | "select" | action number, frames]', entry);
    }
    total += frames;
    if (total > MOST_FRAMES) {
      throw invalid('prelude_events_frames', `at most ${MOST_FRAMES} frames in all`, entry);
    }
    return [event, frames];
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function digests(
  json: { readonly [key: string]: unknown },
  key: string,
  frames: number,
): string[] | undefined {
  const value = json[key];
  if (value === undefined) return undefined;
  const good = (digest: unknown) => typeof digest === 'string' && /^[0-9a-f]{16}$/.test(digest);
  if (!Array.isArray(value) || value.length !== frames || !value.every(good)) {
    throw invalid(key, `${frames} digests of 16 hexadecimal digits`, value);
  }
  return value;
}

function isAction(value: unknown): value is number {
  if (typeof value !== 'number') return false;
  try {
    checkAction(value);
    return true;
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(where: string, expected: string, got: unknown): PixelproofError {
  return new PixelproofError(
    'atari_trace_invalid',
    `The trace cannot be run: ${where} is not as it must be.`,
    {
      expected,
      got,
    },
  );
}
