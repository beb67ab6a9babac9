import { PixelproofError } from '../../errors';
import {
  isPyObject,
  type PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonCompact,
  pythonLineUnsorted,
} from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { PongEnvironment } from './environment';
import { frameLine } from './episode';
import { digestOf, numeric } from './json';
import { transitionHead, transitionTail } from './lines';
import type { PongCartridge, Sha256 } from './machine';
import { protocolJson } from './plan';
import type { EngineVersions } from './protocol';
import { Recorded, type RecordedLine } from './recorded';
import type { RunTree } from './tree';

const INTERPRETATION =
  'Recorded actions executed again from the seed; a verification of the recording, not an independent trial.';

/** Where a replay and its source part. */
export interface ReplayDifference {
  /** `frames.jsonl line 12 rgb_sha256`. */
  readonly where: string;
  readonly expected: string;
  readonly got: string;
  /** The frame that differs, where it is a frame: the recording holds RAM and a digest of its picture. */
  readonly frame: null | {
    readonly rawFrame: number;
    readonly recordedRam: readonly number[];
    readonly ram: readonly number[];
    /** 210 x 160 x 3 bytes: the picture before (equal in both) and the replay's at the difference. */
    readonly before: Uint8Array<ArrayBuffer> | null;
    readonly picture: Uint8Array<ArrayBuffer>;
  };
}

export interface ReplayResult {
  /** The record of `verification.json`. */
  readonly report: PyObject;
  readonly difference: ReplayDifference | null;
}

export interface ReplayOptions {
  readonly cartridge: PongCartridge;
  readonly sha256: Sha256;
  readonly versions: EngineVersions;
  /** How the report names the source. */
  readonly source: string;
  readonly signal?: AbortSignal;
  readonly onDecision?: (decision: number) => void;
}

/**
 * Executes the recorded actions of an episode again, from its seed, and compares every observation, frame, reward and
 * end. Stops at the first difference. Asks nobody. Throws `pong_replay_protocol` where the episode was played by another
 * protocol or cartridge; other `versions` are let pass and labelled in the report. Throws `pong_record` for files that
 * cannot be read.
 */
export async function replayEpisode(tree: RunTree, options: ReplayOptions): Promise<ReplayResult> {
  const recorded = new Recorded(tree);
  const manifest = await recorded.document('manifest.json');
  const summary = await recorded.document('summary.json');
  const relaxed = requireProtocol(manifest.protocol, options);
  const seed = manifest.seed;
  if (typeof seed !== 'number')
    throw new PixelproofError('pong_record', 'manifest.json names no seed.', { got: seed });
  const run = new Replay(recorded, options);
  const difference = await run.compare(seed, summary);
  const incomplete = difference !== null || summary.status !== 'complete';
  const report: PyObject = {
    kind: 'verified-pong-replay-v1',
    status: incomplete ? 'incomplete' : 'verified',
    api_attempts: 0,
    source_episode: options.source,
    source_status: summary.status ?? null,
    decisions: run.decisions,
    raw_frames: run.frames,
    reward: pyFloat(run.reward),
    protocol_hash: (manifest.protocol as PyObject).protocol_hash ?? null,
    ...(relaxed ? { protocol_relaxed: 'versions' } : {}),
    raw_frame_evidence: recorded.has('frames.jsonl')
      ? 'verified-against-original'
      : 'reconstructed-from-recorded-actions',
    reset_frames: run.resetFrames,
    interpretation: INTERPRETATION,
    ...(difference === null
      ? {}
      : {
          first_difference: { where: difference.where, expected: difference.expected, got: difference.got },
        }),
  };
  return { report, difference };
}

/** True where only the versions differ. */
function requireProtocol(recorded: PyValue | undefined, { cartridge, versions }: ReplayOptions): boolean {
  const current = protocolJson(cartridge.sha256, versions);
  const refuse = (expected: PyValue | undefined, got: PyValue | undefined) =>
    new PixelproofError('pong_replay_protocol', 'The episode was played by another protocol or cartridge.', {
      expected: expected === undefined ? 'none' : digestable(expected),
      got: got === undefined ? 'none' : digestable(got),
    });
  if (!isPyObject(recorded)) throw refuse(current, recorded);
  const { protocol_hash, ...fields } = recorded;
  if (protocol_hash !== digestOf(fields)) throw refuse(digestOf(fields), protocol_hash);
  for (const [key, value] of Object.entries(current)) {
    if (key === 'versions' || key === 'protocol_hash') continue;
    const is = recorded[key];
    if (is === undefined || digestOf(is) !== digestOf(value))
      throw refuse({ [key]: value }, { [key]: is ?? null });
  }
  if (Object.keys(recorded).length !== Object.keys(current).length) throw refuse(current, recorded);
  return digestOf(recorded.versions ?? null) !== digestOf(current.versions ?? null);
}

function digestable(value: PyValue): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && 'value' in inner ? inner.value : inner,
  );
}

class Replay {
  decisions = 0;
  frames = 0;
  reward = 0;
  resetFrames = 0;
  readonly #recorded: Recorded;
  readonly #options: ReplayOptions;
  readonly #source: AsyncGenerator<RecordedLine>;
  readonly #hasFrames: boolean;

  constructor(recorded: Recorded, options: ReplayOptions) {
    this.#recorded = recorded;
    this.#options = options;
    this.#source = recorded.lines('frames.jsonl');
    this.#hasFrames = recorded.has('frames.jsonl');
  }

  async compare(seed: number, summary: PyObject): Promise<ReplayDifference | null> {
    const environment = new PongEnvironment(this.#options.cartridge.machine);
    const start = environment.reset(seed);
    this.resetFrames = start.resetFrames;
    let observation = start.observation.json;
    let terminated = false;
    for await (const line of this.#recorded.lines('transitions.jsonl')) {
      this.#options.signal?.throwIfAborted();
      const where = `transitions.jsonl line ${line.number}`;
      if (terminated) return other(where, 'no decision after the end', 'one');
      const text = pythonLineUnsorted(observation);
      const { action } = line.plain;
      const head = transitionHead(this.decisions, text, Number(action));
      if (!line.text.startsWith(head)) {
        const found =
          different(`${where} decision`, line.record.decision, this.decisions) ??
          different(`${where} observation`, line.record.observation, observation);
        if (found !== null) return found;
      }
      const found = await this.#step(environment, line, where);
      if ('difference' in found) return found.difference;
      ({ observation, terminated } = found);
      this.decisions += 1;
      this.#options.onDecision?.(this.decisions);
    }
    return this.#totals(summary);
  }

  async #step(environment: PongEnvironment, row: RecordedLine, where: string) {
    const { machine } = this.#options.cartridge;
    const { action, raw_frames } = row.plain;
    if (typeof action !== 'number' || typeof raw_frames !== 'number')
      return { difference: other(`${where} action`, 'whole numbers', 'something else') };
    const lines: {
      readonly line: Promise<string>;
      readonly rawFrame: number;
      readonly ram: readonly number[];
      readonly picture: Uint8Array<ArrayBuffer>;
    }[] = [];
    let before = this.#hasFrames ? machine.rgb().slice() : null;
    const step = environment.step(action, raw_frames, (frame) => {
      if (!this.#hasFrames) return;
      const line = frameLine(machine, this.#options.sha256, this.decisions, action, frame);
      lines.push({ line, rawFrame: frame.rawFrame, ram: [...machine.ram], picture: machine.rgb().slice() });
    });
    for (const { line, rawFrame, ram, picture } of lines) {
      const text = (await line).trimEnd();
      const source = await this.#source.next();
      if (source.done === true)
        return {
          difference: other('frames.jsonl', `a line for raw frame ${rawFrame}`, 'the end of the file'),
        };
      if (source.value.text !== text) {
        const found = fieldDifference(`frames.jsonl line ${source.value.number}`, source.value.record, text);
        if (found !== null) {
          const recordedRam = ramIn(source.value.record.ram_bytes);
          return { difference: { ...found, frame: { rawFrame, recordedRam, ram, before, picture } } };
        }
      }
      before = picture;
    }
    this.frames += step.rewards.length;
    this.reward += step.rewards.reduce((sum, reward) => sum + reward, 0);
    if (step.truncated) return { difference: other(where, 'no truncation by the environment', 'one') };
    const { json } = step.observation;
    const next = pythonLineUnsorted(json);
    // Whether the recording stopped at its limit is not ours to know.
    const tail = (truncated: boolean) => transitionTail(step.rewards, next, step.terminated, truncated);
    if (!row.text.endsWith(tail(false)) && !row.text.endsWith(tail(true))) {
      const difference =
        different(`${where} rewards`, row.record.rewards, step.rewards.map(pyFloat)) ??
        different(`${where} raw_frames`, row.record.raw_frames, step.rewards.length) ??
        different(`${where} next_observation`, row.record.next_observation, json) ??
        different(`${where} terminated`, row.record.terminated, step.terminated);
      if (difference !== null) return { difference };
    }
    return { observation: json, terminated: step.terminated };
  }

  async #totals(summary: PyObject): Promise<ReplayDifference | null> {
    const surplus = await this.#source.next();
    if (surplus.done !== true)
      return other(`frames.jsonl line ${surplus.value.number}`, 'no frame after the last decision', 'one');
    return (
      different('summary.json decisions', summary.decisions, this.decisions) ??
      different('summary.json raw_frames', summary.raw_frames, this.frames) ??
      different('summary.json reward', summary.reward, pyFloat(this.reward)) ??
      different('summary.json reset_frames', summary.reset_frames, this.resetFrames)
    );
  }
}

function ramIn(value: PyValue | undefined): readonly number[] {
  const bytes: readonly PyValue[] = Array.isArray(value) ? value : [];
  return bytes.map((byte) => (typeof byte === 'number' ? byte : 0));
}

function fieldDifference(where: string, recorded: PyObject, text: string): ReplayDifference | null {
  const ours = parsePythonJson(text) as PyObject;
  for (const key of new Set([...Object.keys(ours), ...Object.keys(recorded)])) {
    const found = different(`${where} ${key}`, recorded[key], ours[key]);
    if (found !== null) return found;
  }
  return null;
}

/** The first innermost place where two records differ, null where their digests are equal. */
export function different(
  where: string,
  recorded: PyValue | undefined,
  computed: PyValue | undefined,
): ReplayDifference | null {
  if (recorded !== undefined && computed !== undefined && pythonCompact(recorded) === pythonCompact(computed))
    return null;
  if (isPyObject(recorded) && isPyObject(computed)) {
    for (const key of new Set([...Object.keys(computed), ...Object.keys(recorded)])) {
      const inner = different(`${where}.${key}`, recorded[key], computed[key]);
      if (inner !== null) return inner;
    }
  }
  if (Array.isArray(recorded) && Array.isArray(computed) && recorded.length === computed.length) {
    const [a, b]: (readonly PyValue[])[] = [recorded, computed];
    for (let i = 0; i < recorded.length; i += 1) {
      const inner = different(`${where}.${i}`, a?.[i], b?.[i]);
      if (inner !== null) return inner;
    }
  }
  return other(where, shown(computed), shown(recorded));
}

function shown(value: PyValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'object' && value !== null && 'value' in value ? numeric(value as PyFloat) : value;
  return typeof text === 'object' ? digestable(value) : String(text);
}

function other(where: string, expected: string, got: string): ReplayDifference {
  return { where, expected, got, frame: null };
}
