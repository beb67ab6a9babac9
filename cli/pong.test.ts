import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { type DecisionServer, decisionReply, decisionServer, send } from '../e2e/servers/decisions';
import { paddleRom } from '../fixtures/cartridge/read';
import { EXIT } from './exit';
import { main } from './main';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-pong-'));
afterAll(() => rmSync(folder, { recursive: true }));
let server: DecisionServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
  vi.unstubAllEnvs();
});

const ROM = join(folder, 'paddle.bin');
writeFileSync(ROM, paddleRom);
let names = 0;
const fresh = () => {
  names += 1;
  return join(folder, `out-${names}`);
};

const cli = (...args: string[]) => command('pong', ...args);

/** Runs a command line; what it printed on both streams comes back with the code. */
async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ];
  const code = await main(args);
  for (const spy of spies) spy.mockRestore();
  return { code, out: out.join(''), err: err.join('') };
}
const small = ['--rom', ROM, '--frames', '80'];
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

it('run, verify, audit, replay, inspect: one after the other on the same folder', async () => {
  const out = fresh();
  const ran = await cli('run', ...small, '--seeds', '36,37', '--out', out, '--json');
  expect(ran.code, ran.err).toBe(EXIT.complete);
  const result = JSON.parse(ran.out);
  expect(result).toMatchObject({ status: 'complete', kind: 'measured', comparison: { status: 'complete' } });
  expect(json(join(out, 'plan.json')).protocol.versions).toEqual({ pixelproof: 'pong-1' });
  const verify = (path: string) => command('verify', path, '--root', result.root_digest);
  expect((await verify(out)).code).toBe(EXIT.complete);
  expect((await cli('audit', out, '--rom', ROM)).code).toBe(EXIT.complete);
  const replayed = await cli('replay', out, '--rom', ROM, '--arm', 'python-4px', '--seed', '37', '--json');
  expect(JSON.parse(replayed.out)).toMatchObject({
    kind: 'verified-pong-replay-v1',
    status: 'verified',
    raw_frames: 80,
  });
  const step = await cli('inspect', join(out, 'python-2px/seed-36'), '--decision', '3', '--json');
  expect(JSON.parse(step.out)).toMatchObject({ decision: { decision: 3 }, input_origin: 'unavailable' });

  const edited = fresh();
  cpSync(out, edited, { recursive: true });
  const file = join(edited, 'python-2px/seed-36/transitions.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"action": 0', '"action": 1'));
  const found = await verify(edited);
  expect(found.code).toBe(EXIT.difference);
  expect(found.err).toContain('python-2px/seed-36/transitions.jsonl');
  const differs = await cli(
    'replay',
    join(edited, 'python-2px/seed-36'),
    '--rom',
    ROM,
    '--out',
    join(edited, 'check'),
  );
  expect(differs.code).toBe(EXIT.difference);
  expect(differs.err).toMatch(/frames\.jsonl line 1 requested_action_id|transitions\.jsonl line 1/);
  expect(json(join(edited, 'check/verification.json'))).toMatchObject({ status: 'incomplete' });
  expect((await cli('audit', edited)).err).toContain('python-2px/seed-36/transitions.jsonl line 1 action');
}, 120_000);

it.each<[string, string[], string]>([
  ['a test seed', ['--seeds', '38'], 'plan_seeds'],
  ['a train seed', ['--seeds', '36,30'], 'plan_seeds'],
  ['a seed twice', ['--seeds', '36,36'], 'plan_seeds'],
  ['no seed', ['--seeds', ','], 'plan_seeds'],
  ['frames that are no whole decisions', ['--frames', '2001'], 'plan_frames'],
  ['a budget of zero', ['--max-api-calls', '0'], 'option_out_of_range'],
  ['an arm that is none', ['--arms', 'python-3px'], 'plan_arms'],
  ['a rule out of range', ['--arms', 'rule-99px'], 'pong_rule'],
  ['a backend that is none', ['--arms', 'jev-vertical', '--backend', 'other'], 'provider_unknown'],
  ['no key', ['--arms', 'jev-vertical'], 'provider_settings'],
  ['an address that is none', ['--arms', 'jev-vertical', '--base-url', 'ftp://x'], 'provider_settings'],
  [
    'an alias without the model behind it',
    ['--arms', 'jev-vertical', '--backend', 'openrouter'],
    'plan_model',
  ],
])('run refuses %s and leaves no folder', async (_name, options, code) => {
  vi.stubEnv('TYPESAFE_API_KEY', '');
  const out = fresh();
  const ran = await cli('run', '--rom', ROM, '--frames', '80', '--out', out, '--json', ...options);
  expect(ran.code).toBe(EXIT.usage);
  expect(JSON.parse(ran.out)).toMatchObject({ ok: false, error: { code } });
  expect(existsSync(out)).toBe(false);
});

it('run refuses an existing folder, even an empty one, and a cartridge that is none of the two', async () => {
  const ran = await cli('run', ...small, '--out', folder, '--json');
  expect([ran.code, JSON.parse(ran.out).error.code]).toEqual([EXIT.usage, 'output_exists']);
  const other = join(folder, 'other.bin');
  writeFileSync(
    other,
    paddleRom.map((byte, i) => (i === 100 ? byte ^ 1 : byte)),
  );
  const wrong = await cli('run', '--rom', other, '--out', fresh(), '--json');
  expect(wrong.code).toBe(EXIT.usage);
  expect(JSON.parse(wrong.out).error).toMatchObject({
    code: 'pong_rom',
    expected: expect.stringContaining('60e0ea3cbe0913d39803477945e9e5ec'),
    got: expect.stringMatching(/MD5 [0-9a-f]{32}/),
  });
  const both = await cli('run', '--rom', ROM, '--cartridge', 'paddle', '--out', fresh(), '--json');
  expect(JSON.parse(both.out).error.code).toBe('usage_conflict');
});

it('a model arm against a server: stopped by a 402, everything kept, exit code 3; recorded answers replay', async () => {
  const reply = decisionReply('NOOP', { NOOP: 1 });
  server = await decisionServer((_call, n, response) =>
    n === 8 ? send(response, '', 402) : send(response, reply),
  );
  vi.stubEnv('TYPESAFE_API_KEY', 'key-of-the-test');
  const out = fresh();
  const asked = ['--arms', 'jev-original', '--seeds', '36', '--base-url', server.url];
  const ran = await cli('run', '--rom', ROM, '--frames', '40', '--out', out, ...asked, '--json');
  expect(ran.code).toBe(EXIT.infrastructure);
  expect(JSON.parse(ran.out)).toMatchObject({
    status: 'incomplete',
    error: { code: 'provider_http_status' },
  });
  expect((await command('verify', out)).code).toBe(EXIT.complete);
  expect((await cli('audit', out, '--rom', ROM)).code).toBe(EXIT.complete);

  await server.close();
  server = await decisionServer((_call, _n, response) => send(response, reply));
  const whole = fresh();
  const again = ['--arms', 'jev-original', '--seeds', '36', '--base-url', server.url];
  expect((await cli('run', '--rom', ROM, '--frames', '40', '--out', whole, ...again)).code).toBe(
    EXIT.complete,
  );
  const replayed = fresh();
  const second = await cli(
    'run',
    '--rom',
    ROM,
    '--frames',
    '40',
    '--out',
    replayed,
    ...again,
    '--recorded',
    whole,
    '--json',
  );
  expect(second.code, second.err).toBe(EXIT.complete);
  expect(JSON.parse(second.out).kind).toBe('replayed');
  const episode = 'jev-original/seed-36';
  for (const name of ['frames.jsonl', 'transitions.jsonl', 'model-exchanges.jsonl', 'api-ledger.json'])
    expect(readFileSync(join(replayed, episode, name))).toEqual(readFileSync(join(whole, episode, name)));
}, 60_000);

it('own programs and a video', async () => {
  const program = join(folder, 'program.json');
  writeFileSync(
    program,
    JSON.stringify({ name: 'mine', guidance: 'Go up.', schema_version: 'action-choice-program-v1' }),
  );
  const out = fresh();
  const args = ['--arms', 'jev-vertical', '--backend', 'scripted', '--candidate-program', program, '--video'];
  const ran = await cli('run', '--rom', ROM, '--frames', '16', '--seeds', '46', '--out', out, ...args);
  expect(ran.code, ran.err).toBe(EXIT.complete);
  const plan = json(join(out, 'plan.json'));
  expect(plan).toMatchObject({
    candidate_only: true,
    max_decision_calls: 4,
    schedule: [{ seed: 46, arm: 'jev-vertical' }],
  });
  expect(plan.arms['jev-vertical'].policy).toBe('scripted:mine');
  expect(readFileSync(join(out, 'jev-vertical/seed-46/replay.apng')).subarray(1, 4).toString()).toBe('PNG');
  expect((await command('verify', out)).code).toBe(EXIT.complete);
  writeFileSync(program, '{"name": "mine"}');
  const bad = await cli('run', '--rom', ROM, '--out', fresh(), ...args, '--json');
  expect(JSON.parse(bad.out).error.code).toBe('pong_program');
});

it('sweep: seeds, distribution and paired differences; test seeds refused', async () => {
  const sweep = async (...args: string[]) => cli('sweep', '--rom', ROM, '--frames', '400', '--json', ...args);
  const ran = await sweep('--seeds', '0..11', '--arms', 'python-2px,rule-6px-fire');
  expect(ran.code, ran.err).toBe(EXIT.complete);
  const summary = JSON.parse(ran.out);
  expect(summary).toMatchObject({
    kind: 'pixelproof-pong-sweep-v1',
    seeds: 10,
    test_seeds_left_out: 2,
    seeds_by_split: { train: 8, development: 2, test: 0 },
  });
  expect(summary.arms.map(({ arm }: { arm: string }) => arm)).toEqual(['python-2px', 'rule-6px-fire']);
  expect(summary.paired[0]).toMatchObject({ left: 'rule-6px-fire', right: 'python-2px' });
  for (const bad of ['38', '8..9', '5..1', 'x', '1,1'])
    expect(JSON.parse((await sweep('--seeds', bad)).out).error.code).toBe('sweep_seeds');
  expect(JSON.parse((await sweep('--seeds', '1', '--arms', 'jev-vertical')).out).error.code).toBe(
    'sweep_arms',
  );
}, 60_000);
