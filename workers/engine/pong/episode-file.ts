import { PixelproofError } from '../../../src/errors';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonDocument,
} from '../../../src/evidence/identity/python-json';
import { parsePythonJson } from '../../../src/evidence/identity/python-json-parse';
import { verticalGap } from '../../../src/experiments/pong-controls/boxes';
import { inspectStep } from '../../../src/experiments/pong-controls/inspect';
import { numeric } from '../../../src/experiments/pong-controls/json';
import { seenIn } from '../../../src/experiments/pong-controls/observation';
import { OPTIONS } from '../../../src/experiments/pong-controls/protocol';
import { RULE_4PX, ruleAction } from '../../../src/experiments/pong-controls/rule';
import type { RunTree } from '../../../src/experiments/pong-controls/tree';
import type { DecisionView, EpisodeTimeline } from '../../pong-api';

const utf8 = new TextDecoder();

/** One line of a file: where it begins and ends. */
type Span = readonly [start: number, end: number];

/** An episode's files with an index of their lines: a decision is read without reading the others again. */
export class EpisodeFile {
  readonly seed: number;
  readonly arm: string;
  readonly actions: number[] = [];
  readonly holds: number[] = [];
  readonly #tree: RunTree;
  readonly #bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  #rows: readonly Span[] = [];
  readonly #frames: Span[][] = [];
  readonly #exchanges = new Map<number, Span>();
  #timeline: EpisodeTimeline | null = null;

  private constructor(tree: RunTree, seed: number, arm: string) {
    this.#tree = tree;
    this.seed = seed;
    this.arm = arm;
  }

  static async open(tree: RunTree, seed: number, arm: string): Promise<EpisodeFile> {
    const file = new EpisodeFile(tree, seed, arm);
    await file.#index();
    return file;
  }

  get timeline(): EpisodeTimeline {
    if (this.#timeline !== null) return this.#timeline;
    throw new PixelproofError('pong_record', 'The episode has no decisions.', { got: this.arm });
  }

  async #index(): Promise<void> {
    for (const path of ['transitions.jsonl', 'frames.jsonl', 'model-exchanges.jsonl']) {
      const bytes = await this.#tree.read(path);
      if (bytes !== null) this.#bytes.set(path, bytes);
    }
    for (const span of spans(this.#bytes.get('frames.jsonl'))) {
      const decision = numberAfter(this.#bytes.get('frames.jsonl'), span, '"decision": ');
      let list = this.#frames[decision];
      if (list === undefined) {
        list = [];
        this.#frames[decision] = list;
      }
      list.push(span);
    }
    for (const span of spans(this.#bytes.get('model-exchanges.jsonl')))
      this.#exchanges.set(
        numberAfter(this.#bytes.get('model-exchanges.jsonl'), span, '"exchange_id": '),
        span,
      );
    this.#rows = spans(this.#bytes.get('transitions.jsonl'));
    this.#timeline = this.#read();
  }

  #read(): EpisodeTimeline {
    const count = this.#rows.length;
    const line = () => new Uint8Array(count);
    const timeline = {
      seed: this.seed,
      arm: this.arm,
      decisions: count,
      actions: line(),
      rule: line(),
      scored: line(),
      lost: line(),
      overruled: line(),
    };
    let [scored, lost] = [0, 0];
    for (const [at, span] of this.#rows.entries()) {
      const row = this.#record('transitions.jsonl', span);
      const action = typeof row.action === 'number' ? row.action : 0;
      this.actions.push(action);
      this.holds.push(typeof row.raw_frames === 'number' ? row.raw_frames : 4);
      for (const reward of rewardsOf(row)) {
        if (reward > 0) scored += 1;
        if (reward < 0) lost += 1;
      }
      timeline.actions[at] = action;
      timeline.rule[at] = ruleAction(RULE_4PX, seenIn(row.observation).boxes);
      timeline.scored[at] = scored;
      timeline.lost[at] = lost;
      const answer = answerOf(row);
      timeline.overruled[at] = answer !== null && answer.choice_matches_probabilities === false ? 1 : 0;
    }
    return timeline;
  }

  #record(path: string, span: Span): PyObject {
    const bytes = this.#bytes.get(path);
    const value = bytes === undefined ? null : parsePythonJson(utf8.decode(bytes.subarray(...span)));
    if (isPyObject(value)) return value;
    throw new PixelproofError('pong_record', `${path} holds a line that is no object.`, { got: value });
  }

  /** Throws as `inspectStep`. */
  async decision(number: number): Promise<DecisionView> {
    const row = this.#rows[number];
    const exchange = row === undefined ? null : this.#exchangeOf(this.#record('transitions.jsonl', row));
    const parts: [string, readonly Span[]][] = [
      ['transitions.jsonl', row === undefined ? [] : [row]],
      ['frames.jsonl', this.#frames[number] ?? []],
      ['model-exchanges.jsonl', exchange === null ? [] : [exchange]],
    ];
    const slices = new Map(
      parts
        .filter(([path]) => this.#bytes.has(path))
        .map(([path, lines]) => [path, cut(this.#bytes.get(path), lines)]),
    );
    const step = await inspectStep(
      {
        paths: [...slices.keys(), 'manifest.json'],
        read: async (path) => slices.get(path) ?? (path === 'manifest.json' ? this.#tree.read(path) : null),
      },
      number,
    );
    const { boxes } = seenIn(step.decision.observation);
    const answer = answerOf(step.decision);
    return {
      seed: this.seed,
      arm: this.arm,
      decision: number,
      action: Number(step.decision.action),
      rule: step.rule_4px_action,
      rewards: rewardsOf(step.decision),
      boxes,
      gap: verticalGap(boxes),
      observation: shown(step.decision.observation ?? null) ?? '',
      request: shown(step.request),
      response: shown(step.response),
      origin: step.input_origin,
      probabilities: answer === null ? null : sharesOf(answer),
      confidence: answer === null ? null : share(answer.confidence),
      reportedChoice: typeof answer?.reported_choice === 'string' ? answer.reported_choice : null,
      frames: step.frames.map(({ raw_frame, rgb_sha256, reward }) => ({
        rawFrame: Number(raw_frame),
        rgb: String(rgb_sha256),
        reward: share(reward),
      })),
    };
  }

  #exchangeOf(row: PyObject): Span | null {
    const id = isPyObject(row.prediction) ? row.prediction.exchange_id : null;
    return typeof id === 'number' ? (this.#exchanges.get(id) ?? null) : null;
  }
}

function answerOf(row: PyObject): PyObject | null {
  const answer = isPyObject(row.prediction) ? row.prediction.choice_answer : null;
  return isPyObject(answer) ? answer : null;
}

function sharesOf(answer: PyObject): DecisionView['probabilities'] {
  const of = (name: string): PyObject => {
    const value = answer[name];
    return isPyObject(value) ? value : {};
  };
  const [used, reported] = [of('probabilities'), of('reported_probabilities')];
  return OPTIONS.map((option) => ({ option, used: share(used[option]), reported: share(reported[option]) }));
}

function rewardsOf(row: PyObject): number[] {
  const rewards: readonly PyValue[] = Array.isArray(row.rewards) ? row.rewards : [];
  return rewards.map(share);
}

function share(value: PyValue | undefined): number {
  return typeof value === 'object' || typeof value === 'number' ? numeric((value ?? 0) as number) : 0;
}

function shown(value: PyValue): string | null {
  return value === null ? null : pythonDocument(value);
}

function spans(bytes: Uint8Array | undefined): Span[] {
  const found: Span[] = [];
  if (bytes === undefined) return found;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end === -1) break;
    found.push([start, end]);
    start = end + 1;
  }
  return found;
}

/** A whole number near the start of a line, without parsing the line. */
function numberAfter(bytes: Uint8Array | undefined, [start, end]: Span, mark: string): number {
  const head = utf8.decode(bytes?.subarray(start, Math.min(end, start + 64)));
  const at = head.indexOf(mark);
  return at === -1 ? -1 : Number.parseInt(head.slice(at + mark.length), 10);
}

function cut(bytes: Uint8Array | undefined, lines: readonly Span[]): Uint8Array<ArrayBuffer> {
  const parts = lines.map(([start, end]) => bytes?.subarray(start, end + 1) ?? new Uint8Array(0));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
