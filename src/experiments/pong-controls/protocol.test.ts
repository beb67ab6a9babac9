import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pongFixture } from '../../../fixtures/pong-controls/read';
import { type PyObject, pyFloat, pyToPlain } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { armsNamed } from './arms';
import { boxesFromRam } from './boxes';
import { decisionJson, decodeDecision } from './decision';
import { environmentSeed, PongEnvironment } from './environment';
import { EpisodeCounts, horizonRule } from './evaluation';
import { digestOf } from './json';
import type { PongMachine } from './machine';
import { seenIn } from './observation';
import { makePlan } from './plan';
import { ORIGINAL, parseProgram, programHash, programJson, VERTICAL, VERTICAL_NO_FIRE } from './programs';
import { pythonSum } from './python-sum';
import { decisionRequest } from './request';
import { RULE_4PX, ruleAction, ruleArmName, ruleOfArmName } from './rule';
import { runComparison } from './run';
import { Tracker } from './tracker';
import { MemoryFiles } from './tree';

const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const code = (name: string) => expect.objectContaining({ code: name });

interface Example {
  readonly request: Record<string, unknown>;
  readonly transition_line_python_format: string;
  readonly observation_digest: string;
  readonly response_shape_example: unknown;
  readonly decoded_choice_answer: unknown;
  readonly decoded_action_probabilities_by_id: unknown;
}
const example = pongFixture<Example>('pong-request-example.json');
const observation = (parsePythonJson(example.transition_line_python_format) as PyObject)
  .observation as PyObject;
describe('against the published example', () => {
  it('programs have their texts and hashes', () => {
    const { hashes, ...programs } = pongFixture<Record<string, Record<string, string>>>('pong-programs.json');
    const ours = {
      'jev-original': ORIGINAL,
      'jev-vertical': VERTICAL,
      'vertical-no-fire-v3': VERTICAL_NO_FIRE,
    };
    for (const [name, program] of Object.entries(ours)) {
      expect(programJson(program)).toEqual(programs[name]);
      expect(programHash(program)).toBe(hashes?.[name]);
      expect(parseProgram(programs[name])).toEqual(program);
    }
  });

  it('the request and the observation’s digest', () => {
    expect(JSON.stringify(pyToPlain(decisionRequest('jev-1.13.0', VERTICAL, observation)))).toBe(
      JSON.stringify(example.request),
    );
    expect(digestOf(observation)).toBe(example.observation_digest);
  });

  it('the decision', () => {
    const response = parsePythonJson(JSON.stringify(example.response_shape_example)) as PyObject;
    const { byId, choiceAnswer } = decisionJson(decodeDecision(response));
    expect(pyToPlain(choiceAnswer)).toEqual(example.decoded_choice_answer);
    expect(JSON.stringify(pyToPlain(byId))).toBe(JSON.stringify(example.decoded_action_probabilities_by_id));
  });

  it('the rule on its observation', () => {
    expect(ruleAction(RULE_4PX, seenIn(observation).boxes)).toBe(2);
    expect(() => seenIn({ ...observation, objects: [] })).toThrow(code('pong_observation'));
  });
});

describe('programs', () => {
  it.each([
    null,
    [],
    { name: '', guidance: 'x', schema_version: 'action-choice-program-v1' },
    { name: 'x'.repeat(101), guidance: 'x', schema_version: 'action-choice-program-v1' },
    { name: 'x', guidance: 'x'.repeat(2001), schema_version: 'action-choice-program-v1' },
    { name: 'x', guidance: 'x', schema_version: 'v2' },
    { name: 'x', guidance: 'x', schema_version: 'action-choice-program-v1', more: 1 },
  ])('refuses %j', (value) => expect(() => parseProgram(value)).toThrow(code('pong_program')));
});

describe('boxes', () => {
  const at = (values: Readonly<Record<number, number>>) => {
    const ram = new Uint8Array(128);
    for (const [index, value] of Object.entries(values)) ram[Number(index)] = value;
    return boxesFromRam(ram);
  };
  it('player: from RAM 51 of 34 on, growing at the top, cut at the bottom', () => {
    expect(at({ 51: 33 }).player).toBeNull();
    expect(at({ 51: 34 }).player).toEqual([140, 34, 4, 1]);
    expect(at({ 51: 46 }).player).toEqual([140, 34, 4, 13]);
    expect(at({ 51: 47 }).player).toEqual([140, 34, 4, 15]);
    expect(at({ 51: 193 }).player).toEqual([140, 180, 4, 14]);
    expect(at({ 51: 206 }).player).toEqual([140, 193, 4, 1]);
    expect(at({ 51: 207 }).player).toBeNull();
  });
  it('opponent: above 33', () => {
    expect(at({ 50: 33 }).opponent).toBeNull();
    expect(at({ 50: 34 }).opponent).toEqual([16, 34, 4, 1]);
    expect(at({ 50: 60 }).opponent).toEqual([16, 45, 4, 15]);
    expect(at({ 50: 209 }).opponent).toBeNull();
  });
  it('ball: both bytes', () => {
    expect(at({ 49: 49, 54: 100 }).ball).toBeNull();
    expect(at({ 49: 50, 54: 0 }).ball).toBeNull();
    expect(at({ 49: 50, 54: 10 }).ball).toEqual([1, -4, 2, 4]);
  });
});

describe('rules', () => {
  const boxes = (gap: number) => ({
    player: [140, 100, 4, 15] as const,
    opponent: null,
    ball: [50, 105.5 + gap, 2, 4] as const,
  });
  it('the band is inclusive on both ends, and absence means nothing is pressed', () => {
    expect([-5, -4, 0, 4, 5].map((gap) => ruleAction(RULE_4PX, boxes(gap)))).toEqual([2, 0, 0, 0, 3]);
    expect(ruleAction(RULE_4PX, { ...boxes(9), ball: null })).toBe(0);
    expect(ruleAction(RULE_4PX, { ...boxes(9), player: null })).toBe(0);
    expect(ruleAction({ deadband: 4, offset: 2, prefer: 'fire' }, boxes(3))).toBe(5);
    expect(ruleAction({ deadband: 4, offset: -2, prefer: 'fire' }, boxes(-3))).toBe(4);
  });
  it('a rule of one’s own has a name that gives it back', () => {
    for (const name of ['rule-6px', 'rule-6px+3', 'rule-0px-12-fire']) {
      const rule = ruleOfArmName(name);
      expect(rule === null ? null : ruleArmName(rule)).toBe(name);
    }
    expect(ruleOfArmName('python-4px')).toBeNull();
    expect(() => ruleOfArmName('rule-81px')).toThrow(code('pong_rule'));
  });
});

describe('tracker', () => {
  it('velocities per raw frame, ages, and a point that breaks the ball’s identity', () => {
    const tracker = new Tracker();
    const see = (frame: number, x: number | null) =>
      tracker.observe(frame, { player: null, opponent: null, ball: x === null ? null : [x, 50, 2, 4] })
        .objects[2];
    expect(see(5, 10)).toMatchObject({ velocity: null, interval: null, age: 0 });
    expect(see(9, 8)).toMatchObject({ velocity: [-0.5, 0], interval: 4, age: 0 });
    expect(see(13, null)).toMatchObject({ velocity: null, age: 4 });
    expect(see(17, 20)).toMatchObject({ velocity: null, age: 0 });
    tracker.forgetBall();
    expect(see(21, 22)).toMatchObject({ velocity: null, age: 0 });
    const { history, objects } = tracker.observe(25, { player: null, opponent: null, ball: null });
    expect(history.map(({ frame }) => frame)).toEqual([13, 17, 21, 25]);
    expect(objects[0]?.age).toBeNull();
  });
});

describe('environment', () => {
  const scripted = (
    frames: { reward?: number; terminated?: boolean; truncated?: boolean }[],
  ): PongMachine => ({
    ram: new Uint8Array(128),
    reset: () => undefined,
    step: () => ({ reward: 0, terminated: false, ...frames.shift() }),
    rgb: () => new Uint8Array(210 * 160 * 3),
    snapshot: () => new Uint8Array(),
    restore: () => undefined,
  });
  // Seed 27 has no reset NOOPs.
  it('stops a decision at the end of the game, and tells points', () => {
    const environment = new PongEnvironment(scripted([{ reward: 1 }, { reward: -1, terminated: true }]));
    environment.reset(27);
    const step = environment.step(0);
    expect(step).toMatchObject({ rewards: [1, -1], terminated: true });
    expect(step.observation.json.events_observed).toEqual(['point_scored', 'point_lost']);
  });
  it('refuses a point among the reset frames, other actions and other holds', () => {
    expect(() => new PongEnvironment(scripted([{ reward: 1 }])).reset(36)).toThrow(code('pong_reset_score'));
    const environment = new PongEnvironment(scripted([]));
    environment.reset(27);
    for (const action of [-1, 6, 0.5]) expect(() => environment.step(action)).toThrow(code('pong_action'));
    for (const frames of [0, 5, 1.5]) expect(() => environment.step(0, frames)).toThrow(code('pong_hold'));
  });
  it('never starts from the clock', () => {
    expect(environmentSeed([1, 5])).toBe(5);
    expect(() => environmentSeed([1, 0xffffffff])).toThrow(code('pong_seed_clock'));
  });

  const play = async (machine: PongMachine, frames = 80) => {
    const plan = makePlan({
      arms: armsNamed(['python-4px']),
      seeds: [36],
      frames,
      romSha256: '0',
      versions: {},
    });
    const files = new MemoryFiles();
    const signal = new AbortController().signal;
    const end = await runComparison({
      plan,
      machine,
      sha256: sha,
      provider: null,
      files,
      clock: () => 0,
      signal,
    });
    return {
      end,
      files,
      summary: JSON.parse(
        new TextDecoder().decode((await files.read('python-4px/seed-36/summary.json')) ?? undefined),
      ),
    };
  };
  it('a native end: complete, with a tail that has no frames', async () => {
    const { end, files, summary } = await play(
      scripted([...Array(17).fill({}), { reward: 1, terminated: true }]),
    );
    expect(end.status).toBe('complete');
    expect(summary).toMatchObject({
      end_reason: 'native_termination',
      raw_frames: 7,
      terminated: true,
      truncated: false,
    });
    expect(end.episodes[0]).toMatchObject({ absorbing_tail_frames: 73, evaluation_reward: pyFloat(1) });
    expect(
      new TextDecoder()
        .decode((await files.read('python-4px/seed-36/frames.jsonl')) ?? undefined)
        .split('\n'),
    ).toHaveLength(8);
  });
  it('an environment that gives up leaves the comparison incomplete', async () => {
    const { end, summary } = await play(scripted([...Array(15).fill({}), { truncated: true }]));
    expect(end).toMatchObject({ status: 'incomplete', error: { code: 'pong_truncated' } });
    expect(summary).toMatchObject({
      status: 'complete',
      end_reason: 'environment_truncation',
      truncated: true,
    });
    expect(end.comparison).toMatchObject({
      error_type: 'incomplete_environment_truncation',
      interrupted_episode: { evaluation_complete: false, evaluation_reward: null },
    });
  });
  it('a fault of the program is one, too', async () => {
    const machine = {
      ...scripted([]),
      rgb: () => new Uint8Array(210 * 160 * 3),
      reset: () => {
        throw new Error('x');
      },
    };
    const { summary } = await play(machine);
    expect(summary).toMatchObject({ status: 'incomplete', error_type: 'internal' });
  });
});

describe('evaluation', () => {
  const summary = (fields: Record<string, unknown>) =>
    horizonRule(
      {
        status: 'complete',
        raw_frames: 2000,
        end_reason: 'decision_limit',
        terminated: false,
        reward: pyFloat(2),
        ...fields,
      } as PyObject,
      2000,
    );
  it.each<[Record<string, unknown>, boolean, number]>([
    [{}, true, 0],
    [{ raw_frames: 1996 }, false, 0],
    [{ raw_frames: 0, end_reason: 'native_termination', terminated: true }, false, 0],
    [{ raw_frames: 900, end_reason: 'native_termination', terminated: true }, true, 1100],
    [{ raw_frames: 900, end_reason: 'native_termination', terminated: false }, false, 0],
    [{ end_reason: 'environment_truncation' }, false, 0],
    [{ end_reason: 'point_limit' }, false, 0],
    [{ status: 'incomplete' }, false, 0],
  ])('%j', (fields, complete, tail) => {
    expect(summary(fields)).toMatchObject({
      evaluation_complete: complete,
      absorbing_tail_frames: tail,
      evaluation_reward: complete ? pyFloat(2) : null,
    });
  });
  it('returns: a turn from right to left near the paddle, with nothing between', () => {
    const counts = new EpisodeCounts();
    const see = (x: number, v: number | null, rewards: number[] = [0]) =>
      counts.add(
        {
          boxes: { player: [140, 90, 4, 15], opponent: null, ball: v === null ? null : [x, 90, 2, 4] },
          ballVelocityX: v,
        },
        0,
        {},
        rewards,
      );
    see(110, 1);
    see(130, 0);
    see(130, -1); // counted
    see(110, 1);
    see(119, -1); // too far away
    see(130, 1);
    see(0, null);
    see(130, -1); // the ball was gone
    see(130, 1, [0, -1]);
    see(130, -1); // a point between
    expect(counts.diagnostics().estimated_right_paddle_returns).toBe(1);
  });
  it('sums as Python does', () => {
    expect(pythonSum([])).toBe(0);
    expect(pythonSum([1, 2])).toBe(3);
    expect(pythonSum([0.1, 0.2, 0.3].map(pyFloat))).toEqual(pyFloat(0.6));
    expect(pythonSum(Array(10).fill(pyFloat(0.1)))).toEqual(pyFloat(1));
    expect(pythonSum([1, pyFloat(1e100), 1, pyFloat(-1e100)])).toEqual(pyFloat(2));
  });
});
