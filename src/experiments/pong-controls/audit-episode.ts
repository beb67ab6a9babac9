import {
  isPyObject,
  PyFloat,
  type PyObject,
  type PyValue,
  pyFloat,
  pythonLineUnsorted,
} from '../../evidence/identity/python-json';
import { type Finding, failure } from '../../evidence/verify/finding';
import type { Arm } from './arms';
import { type Backend, backendOf } from './backends';
import { boxesFromRam } from './boxes';
import { decisionJson, decodeDecision } from './decision';
import { manifestJson, Tally } from './episode';
import { evaluationJson } from './evaluation';
import { jsonDocument, numeric } from './json';
import { frameHead, frameTail, transitionHead, transitionTail } from './lines';
import { type Event, observationJson, type Seen, seenIn } from './observation';
import type { ComparisonPlan, Scheduled } from './plan';
import { type Program, programHash } from './programs';
import { HOLD_FRAMES, SELECTION_RULE } from './protocol';
import { Recorded, type RecordedLine } from './recorded';
import { different } from './replay';
import { ruleAction, rulePolicyName } from './rule';
import { type Track, Tracker } from './tracker';
import { episodeFolder, type RunTree, subtree } from './tree';

/** What the rest of the audit needs of an episode. */
export interface AuditedEpisode {
  readonly findings: readonly Finding[];
  readonly summary: PyObject | null;
  readonly ledger: readonly PyObject[];
  /** Recomputed; null for an episode that is not complete or could not be read. */
  readonly evaluation: PyObject | null;
}

/** Differences told of one episode. */
const MOST_FINDINGS = 20;

/**
 * Recomputes one episode from its files alone: rewards, ends and observations from the RAM of every frame, rules and
 * model decisions from the observations, requests and responses, then ledger, summary and evaluation. Without the
 * cartridge, so pictures are only what their digests say.
 */
export async function auditEpisode(
  tree: RunTree,
  plan: ComparisonPlan,
  at: Scheduled,
  firstExchange: number,
): Promise<AuditedEpisode> {
  const folder = episodeFolder(at.arm, at.seed);
  const audit = new EpisodeAudit(new Recorded(subtree(tree, folder), `${folder}/`), plan, at, firstExchange);
  return audit.run();
}

class EpisodeAudit {
  readonly #files: Recorded;
  readonly #plan: ComparisonPlan;
  readonly #at: Scheduled;
  readonly #arm: Arm;
  readonly #backend: Backend | null;
  readonly #findings: Finding[] = [];
  readonly #tally = new Tally();
  readonly #ledger: PyObject[] = [];
  readonly #frames: AsyncGenerator<RecordedLine>;
  readonly #exchanges: AsyncGenerator<RecordedLine>;
  #exchangeId: number;

  constructor(files: Recorded, plan: ComparisonPlan, at: Scheduled, firstExchange: number) {
    this.#files = files;
    this.#plan = plan;
    this.#at = at;
    this.#arm = plan.arms.find(({ id }) => id === at.arm) as Arm;
    this.#backend = this.#arm.kind === 'model' ? backendOf(plan.model?.backend ?? '') : null;
    this.#frames = files.lines('frames.jsonl');
    this.#exchanges = files.lines('model-exchanges.jsonl');
    this.#exchangeId = firstExchange;
  }

  #program(): Program | null {
    return this.#arm.kind === 'model' ? this.#arm.program : null;
  }

  async run(): Promise<AuditedEpisode> {
    const program = this.#program();
    const manifest = manifestJson(
      { name: this.#plan.policies.get(this.#at.arm) ?? '', program },
      { ...this.#plan, seed: this.#at.seed, split: 'development' },
    );
    await this.#document('manifest.json', manifest);
    const summary = await this.#files.document('summary.json');
    const complete = summary.status === 'complete';
    const ended = await this.#decisions(complete);
    if (complete && ended !== null) this.#tally.end(ended);
    await this.#rest(summary, complete);
    let evaluation: PyObject | null = null;
    if (complete) {
      evaluation = evaluationJson({
        ...this.#at,
        summary,
        horizon: this.#plan.frames,
        ledger: this.#ledger,
        counts: this.#tally.counts,
      });
      await this.#document('evaluation.json', evaluation);
    }
    return { findings: this.#findings, summary, ledger: this.#ledger, evaluation };
  }

  /** How the recorded decisions ended; null for an incomplete episode. */
  async #decisions(complete: boolean): Promise<'native_termination' | 'decision_limit' | null> {
    const tracker = new Tracker();
    let track: Track | null = null;
    let expected: PyObject = {};
    let ended: 'native_termination' | 'decision_limit' | null = null;
    let decisions = 0;
    for await (const line of this.#files.lines('transitions.jsonl')) {
      if (this.#findings.length >= MOST_FINDINGS) break;
      const where = `transitions.jsonl line ${line.number}`;
      if (ended !== null) this.#fail(where, 'The episode had ended before.', 'no further decision', 'one');
      if (track === null) {
        const start = await this.#start(line.record, where);
        track = tracker.observe(start, seenIn(line.record.observation).boxes);
        this.#tally.resetFrames = start;
        expected = observationJson(track, null, []);
      }
      const seen = seenIn(expected);
      const action = Number(line.plain.action);
      const prediction = await this.#predicted(line, seen, expected, action, where);
      const step = await this.#step(tracker, track, line, decisions, where);
      const last = decisions + 1 === this.#plan.maxDecisions && !step.terminated;
      const text = transitionHead(decisions, pythonLineUnsorted(expected), action);
      const rest = transitionTail(step.rewards, pythonLineUnsorted(step.observation), step.terminated, last);
      if (line.text !== `${text}${pythonLineUnsorted(prediction)}${rest}`) {
        this.#compare(`${where} decision`, line.record.decision, decisions);
        this.#compare(`${where} observation`, line.record.observation, expected);
        this.#compare(`${where} prediction`, line.record.prediction, prediction);
        this.#compare(`${where} rewards`, line.record.rewards, step.rewards.map(pyFloat));
        this.#compare(`${where} raw_frames`, line.record.raw_frames, step.rewards.length);
        this.#compare(`${where} next_observation`, line.record.next_observation, step.observation);
        this.#compare(`${where} terminated`, line.record.terminated, step.terminated);
        // The recording of an environment that gave up is an incomplete episode.
        if (complete) this.#compare(`${where} truncated`, line.record.truncated, last);
      }
      track = step.track;
      expected = step.observation;
      decisions += 1;
      if (step.terminated) ended = 'native_termination';
      else if (last) ended = 'decision_limit';
      this.#tally.add(step.rewards);
      this.#tally.counts.add(seen, action, prediction, step.rewards);
    }
    if (complete && ended === null && this.#findings.length < MOST_FINDINGS) {
      this.#fail(
        'transitions.jsonl',
        'A complete episode has every decision.',
        `${this.#plan.maxDecisions}`,
        `${decisions}`,
      );
    }
    return ended;
  }

  /** Raw frames before the first decision, from the first frame line. */
  async #start(row: PyObject, where: string): Promise<number> {
    const summary = await this.#files.document('summary.json');
    const { reset_frames } = summary;
    const history: PyValue | undefined = isPyObject(row.observation) ? row.observation.history : undefined;
    if (!Array.isArray(history) || history.length !== 1)
      this.#fail(where, 'The first observation has no past.', 'one sample', 'another number');
    return typeof reset_frames === 'number' ? reset_frames : 0;
  }

  async #step(tracker: Tracker, before: Track, row: RecordedLine, decision: number, where: string) {
    const { action: asked, raw_frames } = row.plain;
    const action = Number(asked);
    const count =
      typeof raw_frames === 'number' && raw_frames >= 1 && raw_frames <= HOLD_FRAMES ? raw_frames : 0;
    if (count === 0)
      this.#fail(`${where} raw_frames`, 'A decision has 1 to 4 frames.', '1 to 4', String(raw_frames));
    const rewards: number[] = [];
    const events: Event[] = [];
    let terminated = false;
    let rawFrame = before.frame;
    let ram = new Uint8Array(128);
    for (let i = 0; i < count; i += 1) {
      const next = await this.#frames.next();
      rawFrame += 1;
      if (next.done === true) {
        this.#fail(
          'frames.jsonl',
          'A controlled frame has no line.',
          `a line for raw frame ${rawFrame}`,
          'the end',
        );
        break;
      }
      const line = next.value;
      const at = `frames.jsonl line ${line.number}`;
      const { ram_bytes, rgb_sha256 } = line.plain;
      ram = this.#ram(ram_bytes, at);
      const reward = this.#reward(ram);
      if (terminated) this.#fail(at, 'The game was over before.', 'no further frame', 'one');
      terminated = ram[13] === 21 || ram[14] === 21;
      const tail = frameTail({ reward, terminated, truncated: false });
      if (line.text !== `${frameHead(decision, rawFrame, action, ram)}${String(rgb_sha256)}${tail}`) {
        this.#compare(`${at} decision`, line.record.decision, decision);
        this.#compare(`${at} raw_frame`, line.record.raw_frame, rawFrame);
        this.#compare(`${at} requested_action_id`, line.record.requested_action_id, action);
        this.#compare(`${at} reward`, line.record.reward, pyFloat(reward));
        this.#compare(`${at} terminated`, line.record.terminated, terminated);
      }
      if (!/^[0-9a-f]{64}$/.test(String(rgb_sha256)))
        this.#fail(
          `${at} rgb_sha256`,
          'A picture has a digest.',
          '64 hexadecimal digits',
          String(rgb_sha256),
        );
      rewards.push(reward);
      if (reward !== 0) {
        events.push(reward > 0 ? 'point_scored' : 'point_lost');
        tracker.forgetBall();
      }
    }
    if (count > 0 && count < HOLD_FRAMES && !terminated)
      this.#fail(
        `${where} raw_frames`,
        'A decision holds its action to the end.',
        `${HOLD_FRAMES}`,
        `${count}`,
      );
    const track = tracker.observe(rawFrame, boxesFromRam(ram));
    return { rewards, terminated, track, observation: observationJson(track, action, events) };
  }

  #reward(ram: Uint8Array): number {
    const score = (ram[14] ?? 0) - (ram[13] ?? 0);
    const reward = score - this.#score;
    this.#score = score;
    return reward;
  }

  #score = 0;

  #ram(value: unknown, where: string): Uint8Array<ArrayBuffer> {
    const bytes: readonly unknown[] = Array.isArray(value) ? value : [];
    const sane = bytes.every((byte) => typeof byte === 'number' && byte >= 0 && byte <= 255);
    if (bytes.length !== 128 || !sane)
      this.#fail(`${where} ram_bytes`, 'RAM has 128 bytes.', '128', `${bytes.length}`);
    return Uint8Array.from(bytes, Number);
  }

  /** The prediction as it follows from the observation by the rule, or from the recorded exchange; the action with it. */
  async #predicted(
    row: RecordedLine,
    seen: Seen,
    observation: PyObject,
    action: number,
    where: string,
  ): Promise<PyObject> {
    if (this.#arm.kind === 'rule') {
      const { rule } = this.#arm;
      const followed = ruleAction(rule, seen.boxes);
      if (action !== followed) this.#compare(`${where} action`, row.record.action, followed);
      return { policy: rulePolicyName(rule) };
    }
    const answered = await this.#attempts(observation);
    if (answered === null) {
      this.#fail(where, 'The decision has no recorded response.', 'an exchange', 'none');
      return {};
    }
    const { response, transport, id } = answered;
    const decision = decodeDecision(this.#backend?.decision(response) ?? response);
    if (action !== decision.action) this.#compare(`${where} action`, row.record.action, decision.action);
    const { byId, choiceAnswer } = decisionJson(decision);
    const model = this.#plan.model?.model ?? null;
    const expectedModel = this.#plan.model?.expectedModel ?? null;
    return {
      backend: this.#backend?.id ?? '',
      requested_model: model,
      response_model: expectedModel ?? model,
      program_hash: programHash(this.#arm.program),
      usage: decision.usage,
      elapsed_seconds: transport.elapsed_seconds ?? null,
      exchange_id: id,
      prediction_type: 'action-choice',
      selection_rule: SELECTION_RULE,
      chosen_action: decision.action,
      action_probabilities: byId,
      choice_answer: choiceAnswer,
      ...(expectedModel === null ? {} : { expected_response_model: expectedModel }),
    };
  }

  /** Takes the exchanges of one decision: failed attempts, then the answered one. Null where it never comes. */
  async #attempts(observation: PyObject) {
    const program = this.#program();
    const request: PyObject =
      program === null
        ? {}
        : (this.#backend?.request(this.#plan.model?.model ?? '', program, observation) ?? {});
    const requestText = pythonLineUnsorted(request);
    for (;;) {
      const next = await this.#exchanges.next();
      if (next.done === true) return null;
      const line = next.value;
      const at = `model-exchanges.jsonl line ${line.number}`;
      const id = this.#exchangeId;
      this.#exchangeId += 1;
      const rest = line.after(`{"exchange_id": ${id}, "request": ${requestText}, `) ?? line.record;
      if ('exchange_id' in rest) {
        this.#compare(`${at} exchange_id`, rest.exchange_id, id);
        this.#compare(`${at} request`, rest.request, request);
      }
      const transport: PyObject = isPyObject(rest.transport) ? rest.transport : {};
      this.#compare(`${at} transport.attempt`, transport.attempt, id);
      this.#ledger.push(transport);
      const { response } = rest;
      if (!isPyObject(response)) continue;
      const { model } = this.#backend?.decision(response) ?? response;
      this.#compare(`${at} transport.response_model`, transport.response_model, model ?? null);
      this.#compare(`${at} transport.usage`, transport.usage, response.usage ?? null);
      return { response, transport, id };
    }
  }

  async #rest(summary: PyObject, complete: boolean): Promise<void> {
    if (this.#findings.length >= MOST_FINDINGS) return;
    const surplus = await this.#frames.next();
    if (surplus.done !== true)
      this.#fail(
        `frames.jsonl line ${surplus.value.number}`,
        'The frame belongs to no decision.',
        'the end',
        'a line',
      );
    for await (const { record } of this.#exchanges) {
      // Attempts of the decision that an incomplete episode did not come to.
      if (complete)
        this.#fail('model-exchanges.jsonl', 'The exchange belongs to no decision.', 'the end', 'a line');
      this.#compare('model-exchanges.jsonl exchange_id', record.exchange_id, this.#exchangeId);
      this.#exchangeId += 1;
      if (isPyObject(record.transport)) this.#ledger.push(record.transport);
    }
    const { wall_seconds, error_type } = summary;
    const backend = this.#backend?.id ?? 'local';
    const again = this.#tally.summary(
      { backend, program: this.#program() },
      typeof error_type === 'string' ? error_type : null,
      wall_seconds instanceof PyFloat ? numeric(wall_seconds) : 0,
      this.#ledger.length,
    );
    await this.#document('summary.json', again);
    if (this.#program() !== null) await this.#document('api-ledger.json', this.#ledger);
  }

  async #document(path: string, value: PyValue): Promise<void> {
    if (this.#findings.length >= MOST_FINDINGS) return;
    const text = await this.#files.text(path);
    if (text === jsonDocument(value)) return;
    this.#fail(
      path,
      'The file does not follow from the plan and the records.',
      ...parted(jsonDocument(value), text),
    );
  }

  #compare(where: string, recorded: PyValue | undefined, computed: PyValue): void {
    if (this.#findings.length >= MOST_FINDINGS) return;
    const found = different(where, recorded, computed);
    if (found !== null)
      this.#fail(found.where, 'The record is not as recomputed.', found.expected, found.got);
  }

  #fail(where: string, message: string, expected: string, got: string): void {
    if (this.#findings.length >= MOST_FINDINGS) return;
    const sides = { expected: cut(expected), got: cut(got) };
    this.#findings.push(failure('record_mismatch', this.#files.prefix + where, message, sides));
  }
}

/** The first lines in which two documents part. */
export function parted(expected: string, got: string): [string, string] {
  const [a, b] = [expected.split('\n'), got.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  return at === -1
    ? ['the end of the file', b[a.length] ?? '']
    : [a[at]?.trim() ?? '', b[at]?.trim() ?? 'the end'];
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
