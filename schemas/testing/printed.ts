import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zipSync } from 'fflate';
import { vi } from 'vitest';
import { folderBundle } from '../../cli/folder';
import { run } from '../../cli/testing/run';
import { FAULTS } from '../../e2e/servers/faults';
import { bundleContents } from '../../src/evidence/bundle';
import { writeJsonBundle } from '../../src/evidence/bundle/json-writer';
import { sha256Hex } from '../../src/evidence/identity/sha256';
import { FROZEN, sceneFile } from '../../src/experiments/image-signals';
import { demoManifest, demoPicture, manifestText } from '../../src/experiments/vision-controls';
import { ARCADE_READER_CARD } from '../../src/providers/in-page/arcade-reader-card';
import { toyRun } from '../../src/runner/testing/toy-run';
import type { Documents } from './documents';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Every command that prints JSON, on the runs in a folder; and the files that commands read and write beside bundles. */
export async function addPrinted(documents: Documents, folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  const printed = async (schema: string, ...args: string[]) => {
    const { out } = await run(...args);
    documents.add(schema, args.join(' '), JSON.parse(out));
  };
  await printed('cli-error', 'verify', at('not there'), '--json');
  await printed('cli-providers', 'providers', '--json');
  await printed('self-check', 'self-check', '--json');
  await addPng(documents, printed, at);
  await addAtariAndPong(documents, printed, at);
  await addVision(documents, printed, at);

  mkdirSync(at('pictures'));
  writeFileSync(at('pictures/drawn.png'), sceneFile({ layout: 'correct', seed: 4, width: 96, height: 64 }));
  writeFileSync(at('pictures/notes.txt'), 'no picture');
  await printed('cli-signals', 'signals', at('pictures'), '--json');

  for (const name of ['nothing is wrong', 'no such model']) {
    const server = await FAULTS.find((fault) => fault.name === name)?.serve('ollama');
    if (server === undefined) continue;
    const asks = ['--provider', 'ollama', '--base-url', server.url, '--model', 'eye:latest'];
    await printed('cli-doctor', 'doctor', ...asks, '--json');
    await server.close();
  }
}

type Printed = (schema: string, ...args: string[]) => Promise<void>;
type At = (name: string) => string;

async function addPng(documents: Documents, printed: Printed, at: At): Promise<void> {
  const state = 'tank=3|target=1|cooldown=1';
  await printed(
    'cli-png-render',
    'png',
    'render',
    '--variant',
    'cooldown-dual-v1',
    '--state',
    state,
    '--json',
  );
  const good = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
  for (const reply of [good, 'no idea']) {
    const stdin = vi.spyOn(process, 'stdin', 'get');
    stdin.mockReturnValue(Readable.from([Buffer.from(reply)]) as never);
    await printed('cli-png-parse', 'png', 'parse');
    stdin.mockRestore();
  }
  const asks = [
    'png',
    'run',
    '--provider',
    'scripted',
    '--variants',
    'labelled-v1,unlabelled-v1',
    '--max-cases',
    '2',
  ];
  await printed('cli-png-run', ...asks, '--out', at('png'), '--json');
  await printed('cli-png-run', 'png', 'run', '--provider', 'replay', '--out', at('replay'), '--json');
  for (const part of ['1', '2']) {
    await printed('cli-png-run-part', ...asks, '--out', at(`part-${part}`), '--shard', `${part}/2`, '--json');
    documents.add('shard', 'shard.json', json(at(`part-${part}/shard.json`)));
  }
  await printed('cli-merge', 'merge', at('part-1'), at('part-2'), '--out', at('merged'), '--json');
  await printed('cli-table', 'table', at('merged'), '--out', at('cases.parquet'), '--json');
  await printed('cli-verify', 'verify', at('merged'), '--json');
  await printed('cli-compare', 'compare', at('merged'), at('png'), '--json');
  await printed('cli-compare', 'compare', at('replay'), at('png'), '--json');
  writeFileSync(at('merged/comparison.json'), '{}');
  await printed('cli-verify', 'verify', at('merged'), '--json');
  documents.add('classifier-card', 'the card of the arcade reader', ARCADE_READER_CARD);

  let text = '';
  const contents = bundleContents(await toyRun(2), async function* () {});
  for await (const chunk of writeJsonBundle(contents, { inlineImages: true }))
    text += Buffer.from(chunk).toString();
  documents.add('json-bundle', 'a toy run as JSON', JSON.parse(text));
}

async function addAtariAndPong(documents: Documents, printed: Printed, at: At): Promise<void> {
  const rom = ['--rom', at('paddle.bin')];
  await printed('cli-atari-info', 'atari', 'info', ...rom, '--json');
  await printed('cli-atari-bench', 'atari', 'bench', ...rom, '--frames', '20', '--json');
  documents.add('atari-script', 'a script', ['FIRE', 0, 3]);
  writeFileSync(at('script.json'), JSON.stringify(['FIRE', 0, 3]));
  await printed('atari-trace', 'atari', 'trace', ...rom, '--script', at('script.json'), '--frames', '20');
  await printed('atari-trace', 'atari', 'trace', ...rom, '--seed', '5', '--sticky', '0.25', '--frames', '20');
  for (const name of readdirSync('fixtures/cartridge').filter((file) => file.startsWith('trace-')))
    documents.add('atari-trace', name, json(`fixtures/cartridge/${name}`));
  for (const name of readdirSync('fixtures/atari').filter((file) => /^selftest/.test(file)))
    documents.add('atari-trace', name, json(`fixtures/atari/${name}`));
  await printed(
    'cli-atari-compare',
    'atari',
    'trace',
    ...rom,
    '--against',
    'fixtures/cartridge/trace-noop.json',
    '--json',
  );

  const plays = ['pong', 'run', ...rom, '--seeds', '36', '--frames', '80'];
  await printed('cli-pong-run', ...plays, '--out', at('pong'), '--json');
  await printed('cli-pong-replay', 'pong', 'replay', at('pong'), ...rom, '--out', at('checked'), '--json');
  documents.add(
    'cli-pong-replay',
    'verification.json',
    json(at('checked/python-2px/seed-36/verification.json')),
  );
  await printed(
    'cli-pong-inspect',
    'pong',
    'inspect',
    at('pong/python-2px/seed-36'),
    '--decision',
    '3',
    '--json',
  );
  await printed('cli-pong-audit', 'pong', 'audit', at('pong'), ...rom, '--json');
  cpSync(at('pong'), at('pong-edited'), { recursive: true });
  const frames = at('pong-edited/python-2px/seed-36/frames.jsonl');
  writeFileSync(
    frames,
    readFileSync(frames, 'utf8').replace('"requested_action_id": 0', '"requested_action_id": 2'),
  );
  await printed('cli-pong-replay', 'pong', 'replay', at('pong-edited/python-2px/seed-36'), ...rom, '--json');
  await printed('cli-pong-audit', 'pong', 'audit', at('pong-edited'), ...rom, '--json');
  await printed('cli-pong-sweep', 'pong', 'sweep', ...rom, '--seeds', '30..37', '--frames', '80', '--json');

  const folder = folderBundle(at('pong'));
  const files: Record<string, Uint8Array> = {};
  for (const path of await folder.list()) files[path] = await folder.read(path);
  const zip = zipSync(files);
  const listed = Object.entries(files).map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: bare(bytes),
  }));
  const manifest = {
    kind: 'experiment-archive-v1',
    sha256: bare(zip),
    file_count: listed.length,
    uncompressed_bytes: listed.reduce((sum, { bytes }) => sum + bytes, 0),
    files: listed,
  };
  writeFileSync(at('pong.zip'), zip);
  writeFileSync(at('archive.json'), JSON.stringify(manifest));
  const audit = ['pong', 'audit', at('pong.zip'), '--archive-manifest', at('archive.json')];
  await printed('cli-pong-audit', ...audit, '--json');
  documents.add('archive-manifest', 'archive.json', manifest);
  const { hashes: _, ...programs } = json('fixtures/pong-controls/pong-programs.json');
  for (const [name, program] of Object.entries(programs)) documents.add('pong-program', name, program);
}

const bare = (bytes: Uint8Array) => sha256Hex(bytes);

async function addVision(documents: Documents, printed: Printed, at: At): Promise<void> {
  mkdirSync(at('demo'));
  writeFileSync(at('demo/manifest.json'), manifestText(demoManifest()));
  for (const { screenshot } of demoManifest().rows.slice(1))
    writeFileSync(at(`demo/${screenshot.file_name}`), demoPicture(`sha256:${screenshot.sha256}`) ?? '');
  await printed('cli-vision-check', 'vision', 'check', at('demo'), '--json');
  writeFileSync(at('demo/manifest.json'), '{}');
  await printed('cli-vision-check', 'vision', 'check', at('demo'), '--json');
  for (const provider of ['scripted', 'blind', 'replay'])
    await printed(
      'cli-vision-run',
      'vision',
      'run',
      '--provider',
      provider,
      '--out',
      at(provider),
      '--force',
      '--json',
    );
  await printed('cli-vision-gate', 'vision', 'gate', at('scripted/receipt.json'), '--json');
  await printed(
    'cli-vision-gate',
    'vision',
    'gate',
    'fixtures/vision-controls/consumer-receipt.json',
    '--json',
  );
  documents.add(
    'vision-receipt',
    'the consumer’s receipt',
    json('fixtures/vision-controls/consumer-receipt.json'),
  );
  writeFileSync(at('none.json'), '{}');
  await printed('cli-vision-gate', 'vision', 'gate', at('none.json'), '--json');
  await printed('cli-vision-audit', 'vision', 'audit', '--provider', 'simulated', '--json');
  await printed(
    'cli-vision-audit',
    'vision',
    'audit',
    '--provider',
    'simulated',
    '--as',
    'stale by one',
    '--json',
  );
}

/** What a person may bring, and what an embedded demo says. */
export function addOthers(documents: Documents): void {
  documents.add('signals-definition', 'the frozen cell', FROZEN.file);
  const marked = { pixelproof: 1 };
  const result = {
    experiment: 'png-representation',
    provider: 'scripted',
    kind: 'wiring',
    complete: true,
    verdict: 'All equal.',
    root_digest: null,
    equal: false,
  };
  documents.add('embed-host-message', 'hello', { ...marked, type: 'hello', scheme: 'dark' });
  documents.add('embed-host-message', 'scheme', { ...marked, type: 'scheme', scheme: 'light' });
  documents.add('embed-demo-message', 'ready', { ...marked, type: 'ready', memory_only: true });
  documents.add('embed-demo-message', 'size', { ...marked, type: 'size', height: 412.5 });
  documents.add('embed-demo-message', 'result', { ...marked, type: 'result', result });
  documents.add('embed-result', 'result', result);
}
