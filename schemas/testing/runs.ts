import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8 } from 'fflate';
import { folderBundle } from '../../cli/folder';
import { run } from '../../cli/testing/run';
import { decisionReply, decisionServer, send } from '../../e2e/servers/decisions';
import { mockLlama } from '../../e2e/servers/llama';
import { chatReply, mockOllama, sendJson } from '../../e2e/servers/ollama';
import { sha256Large } from '../../src/evidence/identity/sha256';
import { sceneFile } from '../../src/experiments/image-signals/scene-file';
import { lendSignals } from '../../src/lab/image-signals';
import { SMOKE_RUNS } from '../../src/lab/smoke-runs';
import { labZip } from '../../src/lab/testing/smoke-files';
import { wasmEngine } from '../../src/pixels/signals/engine';
import type { Documents } from './documents';

// Real runs, made through the engine as the command line and the page make them.

/** All smoke runs; one of each experiment that was cancelled on the way. */
export async function addSmokeRuns(documents: Documents): Promise<void> {
  for (const { request } of SMOKE_RUNS) {
    const name = `${request.experiment} ${request.provider.id}`;
    documents.addZip(name, await labZip(request));
  }
  for (const { request } of SMOKE_RUNS.filter(({ request: { provider } }) => provider.id !== 'replay')) {
    const name = `${request.experiment} ${request.provider.id}, cancelled`;
    documents.addZip(name, await labZip(request, 2));
  }
}

/** Pictures of a person's own, one of them no picture, with two reviewers. */
export async function addOwnPictures(documents: Documents): Promise<void> {
  const files = [
    sceneFile({ layout: 'correct', seed: 4, width: 96, height: 64 }),
    strToU8('no picture') as Uint8Array<ArrayBuffer>,
  ];
  const digests = await Promise.all(files.map(sha256Large));
  const shelf = new Map(files.map((bytes, at) => [digests[at], bytes]));
  lendSignals({
    picture: async (sha256) => shelf.get(sha256 as `sha256:${string}`) ?? null,
    engine: async () => wasmEngine,
  });
  const review = {
    image: digests[0]?.slice('sha256:'.length) ?? '',
    item: 'spatial_layout',
    score: 2,
    note: '',
  };
  const request = {
    experiment: 'image-signals',
    parameters: {
      pictures: digests.map((sha256, at) => ({ file: `picture-${at}`, sha256: sha256 ?? '' })),
      reviews: ['Ada', 'Ben'].map((reviewer) => ({ ...review, reviewer })),
    },
    provider: { id: 'files', settings: {} },
  };
  documents.addZip('image-signals, own pictures', await labZip(request));
}

/** Files of a folder that the command line wrote, hidden ones left out. */
async function folderFiles(root: string): Promise<Record<string, Uint8Array>> {
  const folder = folderBundle(root);
  const files: Record<string, Uint8Array> = {};
  for (const path of await folder.list()) files[path] = await folder.read(path);
  return files;
}

/** Runs of three experiments that a server broke off, with what the command line says of them. */
export async function addFailedRuns(documents: Documents, folder: string): Promise<void> {
  const printed = async (schema: string, ...args: string[]) => {
    const { out } = await run(...args, '--json');
    documents.add(schema, args.join(' '), JSON.parse(out));
  };
  const good = 'TANK_COLUMN: 3\nTARGET_COLUMN: NONE\nCOOLDOWN: READY\nCONFIDENCE: 90';
  const ollama = await mockOllama((_call, number, response) => {
    if (number > 2) response.writeHead(500).end('{"error":"out of memory"}');
    else sendJson(response, chatReply(good));
  });
  const png = join(folder, 'png-failed');
  const asks = ['--provider', 'ollama', '--base-url', ollama.url, '--model', 'mock-vision:latest'];
  await printed('cli-png-run', 'png', 'run', ...asks, '--variants', 'unlabelled-v1', '--out', png);
  await ollama.close();
  documents.addBundle('png-representation ollama, failed', await folderFiles(png));

  const llama = await mockLlama({ fault: 'down-after-four' });
  const vision = join(folder, 'vision-failed');
  const scores = ['--provider', 'llama-server', '--base-url', llama.url, '--annotation', 'none'];
  await printed('cli-vision-run', 'vision', 'run', ...scores, '--out', vision);
  await llama.close();
  const { 'attempt.json': attempt, ...files } = await folderFiles(vision);
  documents.addBundle('vision-controls llama-server, failed', files);
  const stopped = JSON.parse(Buffer.from(attempt ?? []).toString());
  documents.add('vision-attempt', 'attempt.json', stopped);
  documents.add('vision-receipt', 'attempt.json receipt', stopped.receipt);

  const decisions = await decisionServer((_call, number, response) =>
    number === 4 ? send(response, '', 402) : send(response, decisionReply('NOOP', { NOOP: 1 })),
  );
  process.env.TYPESAFE_API_KEY = 'key-of-the-test';
  const pong = join(folder, 'pong-failed');
  const plays = ['--arms', 'jev-original', '--seeds', '36', '--frames', '40', '--base-url', decisions.url];
  await printed('cli-pong-run', 'pong', 'run', '--rom', join(folder, 'paddle.bin'), ...plays, '--out', pong);
  await decisions.close();
  delete process.env.TYPESAFE_API_KEY;
  documents.addBundle('pong-controls jev, failed', await folderFiles(pong));
}

/** A folder for one test file, with the cartridge in it; gone when `close` is called. */
export function workFolder(): { readonly path: string; close(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pixelproof-schemas-'));
  writeFileSync(join(path, 'paddle.bin'), readFileSync('fixtures/cartridge/paddle.bin'));
  return { path, close: () => rmSync(path, { recursive: true }) };
}
