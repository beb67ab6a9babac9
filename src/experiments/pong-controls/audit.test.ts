import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paddleRom } from '../../../fixtures/cartridge/read';
import { pongFixture } from '../../../fixtures/pong-controls/read';
import type { Finding } from '../../evidence/verify/finding';
import { ScriptedDecisions } from '../../providers/scripted-decisions';
import { armsNamed, LOCAL_ARMS, PUBLISHED_ARMS } from './arms';
import { auditRun } from './audit';
import { inspectStep } from './inspect';
import { insertCartridge } from './machine';
import { makePlan } from './plan';
import { replayEpisode } from './replay';
import { runComparison } from './run';
import { MemoryFiles, type RunTree, subtree } from './tree';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const cartridge = await insertCartridge(paddleRom);
const versions = { pixelproof: 'test' };
const replay = { cartridge, sha256, versions };

async function play(arms: readonly string[], seeds: readonly number[], frames: number): Promise<MemoryFiles> {
  const plan = makePlan({
    arms: armsNamed(arms),
    seeds,
    frames,
    romSha256: cartridge.sha256,
    versions,
    model: { backend: 'scripted', model: 'scripted-decisions-1', expectedModel: null },
  });
  const files = new MemoryFiles();
  let seconds = 0;
  const { status } = await runComparison({
    plan,
    machine: cartridge.machine,
    sha256,
    provider: new ScriptedDecisions(),
    files,
    clock: () => {
      seconds += 0.125;
      return seconds;
    },
    signal: new AbortController().signal,
  });
  expect(status).toBe('complete');
  return files;
}

async function audit(tree: RunTree, again = false): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of auditRun(tree, { replay: again ? replay : null })) findings.push(finding);
  return findings;
}
const failures = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level === 'failure').map(({ code, where }) => `${code} ${where}`);

/** The tree with one file changed. */
function edited(tree: RunTree, path: string, change: (text: string) => string | null): RunTree {
  return {
    paths: tree.paths.filter((one) => one !== path || change('') !== null),
    read: async (one) => {
      const bytes = await tree.read(one);
      if (one !== path || bytes === null) return bytes;
      const text = change(new TextDecoder().decode(bytes));
      return text === null ? null : new TextEncoder().encode(text);
    },
  };
}
const line = (number: number, change: (text: string) => string) => (text: string) =>
  text
    .split('\n')
    .map((one, i) => (i === number - 1 ? change(one) : one))
    .join('\n');

describe('on the Paddle cartridge', () => {
  it('the local arms give the files that ale_py gives', async () => {
    const { files, frames } = pongFixture<{ files: Record<string, string>; frames: number }>(
      'paddle-local.json',
    );
    const run = await play(LOCAL_ARMS, [36, 37, 46, 47], frames);
    expect(Object.keys(files)).toHaveLength(16);
    for (const [path, digest] of Object.entries(files)) {
      expect([path, sha256((await run.read(path)) ?? new Uint8Array())]).toEqual([path, digest]);
    }
  });
});

const run = await play(
  PUBLISHED_ARMS.map(({ id }) => id),
  [36, 37],
  400,
);
const vertical = 'jev-vertical/seed-36';

describe('audit', () => {
  it('finds nothing in a run as it was written, with and without the cartridge', async () => {
    expect(failures(await audit(run))).toEqual([]);
    const again = await audit(run, true);
    expect(failures(again)).toEqual([]);
    expect(again.filter(({ code }) => code === 'pong_replay')).toHaveLength(8);
    const plan = JSON.parse(new TextDecoder().decode((await run.read('plan.json')) ?? undefined));
    // Original first on the first seed, vertical first on the second.
    expect(plan.schedule.map(({ arm }: { arm: string }) => arm).slice(2)).toEqual([
      'jev-original',
      'jev-vertical',
      'python-2px',
      'python-4px',
      'jev-vertical',
      'jev-original',
    ]);
  });

  it.each<[string, string, (text: string) => string | null, string]>([
    ['a plan', 'plan.json', (t) => t.replace('"sticky": 0.25', '"sticky": 0.5'), 'record_mismatch plan.json'],
    [
      'a program',
      'plan.json',
      (t) => t.replace('return the ball', 'miss the ball'),
      'record_mismatch plan.json',
    ],
    [
      'another plan’s comparison',
      'comparison.json',
      (t) => t.replace(/"plan_hash": "../, '"plan_hash": "zz'),
      'record_mismatch comparison.json plan_hash',
    ],
    [
      'a total',
      'comparison.json',
      (t) => t.replace('"points_lost": ', '"points_lost": 9'),
      'record_mismatch comparison.json',
    ],
    [
      'an action',
      `${vertical}/transitions.jsonl`,
      line(3, (t) => t.replace('"action": 0', '"action": 5')),
      `record_mismatch ${vertical}/transitions.jsonl line 3 action`,
    ],
    [
      'a rule’s action',
      'python-4px/seed-37/transitions.jsonl',
      line(50, (t) => t.replace(/"action": \d/, '"action": 1')),
      'record_mismatch python-4px/seed-37/transitions.jsonl line 50 action',
    ],
    [
      'an observation',
      `${vertical}/transitions.jsonl`,
      line(9, (t) => t.replace('"bbox": [140, ', '"bbox": [141, ')),
      `record_mismatch ${vertical}/transitions.jsonl line 9 observation.objects.0.bbox.0`,
    ],
    [
      'a number’s kind',
      `${vertical}/transitions.jsonl`,
      line(9, (t) => t.replace('"rewards": [0.0', '"rewards": [0')),
      `record_mismatch ${vertical}/transitions.jsonl line 9 rewards.0`,
    ],
    [
      'a RAM byte',
      'python-2px/seed-36/frames.jsonl',
      line(8, (t) => t.replace(/"ram_bytes": \[(\d+, ){50}\d+/, (m) => m.replace(/\d+$/, '60'))),
      'record_mismatch python-2px/seed-36/transitions.jsonl line 2 next_observation',
    ],
    [
      'a missing frame',
      'python-2px/seed-36/frames.jsonl',
      (t) => t.split('\n').slice(0, -2).concat('').join('\n'),
      'record_mismatch python-2px/seed-36/frames.jsonl',
    ],
    [
      'a surplus frame',
      'python-2px/seed-36/frames.jsonl',
      (t) => `${t}${t.split('\n')[0]}\n`,
      'record_mismatch python-2px/seed-36/frames.jsonl line 401',
    ],
    [
      'a request',
      `${vertical}/model-exchanges.jsonl`,
      line(4, (t) => t.replace('RIGHT paddle', 'LEFT paddle')),
      `record_mismatch ${vertical}/model-exchanges.jsonl line 4 request`,
    ],
    [
      'a response',
      `${vertical}/model-exchanges.jsonl`,
      line(4, (t) => t.replace('"confidence": ', '"confidence": 0')),
      `pong_record ${vertical}`,
    ],
    [
      'an exchange id',
      `${vertical}/model-exchanges.jsonl`,
      line(4, (t) => t.replace('"exchange_id": ', '"exchange_id": 9')),
      `record_mismatch ${vertical}/model-exchanges.jsonl line 4 exchange_id`,
    ],
    [
      'a reward',
      'python-2px/seed-36/summary.json',
      (t) => t.replace('"reward": ', '"reward": 1'),
      'record_mismatch python-2px/seed-36/summary.json',
    ],
    [
      'an evaluation',
      'python-2px/seed-36/evaluation.json',
      (t) => t.replace('"different_actions": ', '"different_actions": 7'),
      'record_mismatch python-2px/seed-36/evaluation.json',
    ],
    [
      'a ledger',
      `${vertical}/api-ledger.json`,
      (t) => t.replace('"status": 200', '"status": 201'),
      `record_mismatch ${vertical}/api-ledger.json`,
    ],
    [
      'the run’s ledger',
      'api-ledger.json',
      (t) => t.replace('"status": 200', '"status": 201'),
      'record_mismatch api-ledger.json',
    ],
    [
      'a manifest',
      'python-2px/seed-36/manifest.json',
      (t) => t.replace('"seed": 36', '"seed": 37'),
      'record_mismatch python-2px/seed-36/manifest.json',
    ],
    [
      'a cut file',
      'python-2px/seed-36/transitions.jsonl',
      (t) => t.slice(0, -40),
      'pong_record python-2px/seed-36',
    ],
    ['a file that is no text', 'plan.json', () => '\ud800'.padEnd(9, '{'), 'pong_record plan.json'],
  ])('names an edit of %s', async (_name, path, change, expected) => {
    const found = failures(await audit(edited(run, path, change)));
    expect(
      found.some((one) => one.startsWith(expected)),
      found.join('\n'),
    ).toBe(true);
  });

  it('an edited picture digest is found with the cartridge only', async () => {
    const tree = edited(
      run,
      'python-2px/seed-36/frames.jsonl',
      line(7, (t) => t.replace(/"rgb_sha256": "../, '"rgb_sha256": "00')),
    );
    expect(failures(await audit(tree))).toEqual([]);
    expect(failures(await audit(tree, true))).toEqual([
      'replay_mismatch python-2px/seed-36/frames.jsonl line 7 rgb_sha256',
    ]);
  });

  it('misses an episode of the plan', async () => {
    const tree = edited(run, 'jev-original/seed-37/manifest.json', () => null);
    expect(failures(await audit(tree))).toEqual(['record_mismatch jev-original/seed-37/manifest.json']);
  });
});

describe('replay', () => {
  const options = { ...replay, source: 'here' };
  it('verifies an episode, and says so in the published words', async () => {
    const { report, difference } = await replayEpisode(subtree(run, vertical), options);
    expect(difference).toBeNull();
    expect(Object.keys(report)).toEqual([
      'kind',
      'status',
      'api_attempts',
      'source_episode',
      'source_status',
      'decisions',
      'raw_frames',
      'reward',
      'protocol_hash',
      'raw_frame_evidence',
      'reset_frames',
      'interpretation',
    ]);
    expect(report).toMatchObject({ status: 'verified', api_attempts: 0, decisions: 100, raw_frames: 400 });
  });

  it('stops at the first difference, with the pictures there', async () => {
    const tree = edited(
      subtree(run, vertical),
      'frames.jsonl',
      line(10, (t) => t.replace('"ram_bytes": [', '"ram_bytes": [1')),
    );
    const { report, difference } = await replayEpisode(tree, options);
    expect(report).toMatchObject({ status: 'incomplete', decisions: 2 });
    expect(difference?.where).toBe('frames.jsonl line 10 ram_bytes.0');
    expect(difference?.frame?.picture).toHaveLength(210 * 160 * 3);
    expect(difference?.frame?.recordedRam).toHaveLength(128);
  });

  it('without frames reconstructs them', async () => {
    const tree = edited(subtree(run, vertical), 'frames.jsonl', () => null);
    const { report } = await replayEpisode(tree, options);
    expect(report).toMatchObject({
      status: 'verified',
      raw_frame_evidence: 'reconstructed-from-recorded-actions',
    });
  });

  it('other versions are labelled, another protocol is refused', async () => {
    const { report } = await replayEpisode(subtree(run, vertical), { ...options, versions: { other: '1' } });
    expect(report).toMatchObject({ status: 'verified', protocol_relaxed: 'versions' });
    const other = { ...cartridge, sha256: '0'.repeat(64) };
    await expect(
      replayEpisode(subtree(run, vertical), { ...options, cartridge: other }),
    ).rejects.toMatchObject({
      code: 'pong_replay_protocol',
    });
  });
});

describe('inspect', () => {
  it('shows a decision with its exchange, and what the rule would have done', async () => {
    const step = await inspectStep(subtree(run, vertical), 40);
    expect(step).toMatchObject({ input_origin: 'recorded-json-exchange', decision: { decision: 40 } });
    expect(step.frames).toHaveLength(4);
    expect(step.follows_rule_4px).toBe(step.rule_4px_action === step.decision.action);
  });

  it('rebuilds the request from manifest and observation, and says where nothing is known', async () => {
    const bare = edited(subtree(run, vertical), 'model-exchanges.jsonl', () => null);
    const recorded = await inspectStep(subtree(run, vertical), 40);
    expect(await inspectStep(bare, 40)).toEqual({
      ...recorded,
      response: null,
      input_origin: 'reconstructed-from-recorded-program-and-observation',
    });
    const local = await inspectStep(subtree(run, 'python-2px/seed-36'), 40);
    expect(local).toMatchObject({ request: null, response: null, input_origin: 'unavailable' });
  });

  it('refuses a missing decision, a missing exchange and one about something else', async () => {
    await expect(inspectStep(subtree(run, vertical), 100)).rejects.toMatchObject({ code: 'pong_decision' });
    const other = (change: (text: string) => string) =>
      inspectStep(edited(subtree(run, vertical), 'model-exchanges.jsonl', change), 40);
    await expect(other((t) => t.split('\n').slice(0, 10).concat('').join('\n'))).rejects.toMatchObject({
      code: 'pong_exchange',
    });
    await expect(other(line(41, (t) => t.replace('"bbox": [140', '"bbox": [139')))).rejects.toMatchObject({
      code: 'pong_exchange',
    });
  });
});
