import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureSpeed, type SpeedMeasure } from '../src/atari';
import { openPage, type WorkerSpeed } from './atari-page';

/** Rounds taken in turns with the peer; medians of them count. */
const ROUNDS = 5;
const FRAMES = 3000;

type Speed = Pick<SpeedMeasure, 'frames_per_second_ram' | 'frames_per_second_sha256'>;
interface PeerSpeed extends Speed {
  readonly ale_py: string;
  readonly numpy: string;
  readonly python: string;
}

function peer(python: string, rom: string, frames: number): PeerSpeed | null {
  const script = fileURLToPath(new URL('../../bench/peers/atari_ale.py', import.meta.url));
  const run = spawnSync(python, [script, 'bench', rom, String(frames)], { encoding: 'utf8' });
  return run.status === 0 ? (JSON.parse(run.stdout) as PeerSpeed) : null;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Pong, one thread, no action held, a new game when one is over, as the peer does. Needs the tester's ROM; ale_py is found through ALE_PYTHON or as `python3`. */
export async function bench(): Promise<void> {
  const rom = join(process.env.PIXELPROOF_ROM_DIR ?? '', 'pong.bin');
  if (process.env.PIXELPROOF_ROM_DIR === undefined || !existsSync(rom)) {
    console.log('no pong.bin: set PIXELPROOF_ROM_DIR');
    return;
  }
  const image = new Uint8Array(readFileSync(rom));
  const candidates = [process.env.ALE_PYTHON, 'python3'].filter((name) => name !== undefined);
  const python = candidates.find((name) => peer(name, rom, 1) !== null);
  const page = await openPage(rom);
  const mine: Speed[] = [];
  const worker: WorkerSpeed[] = [];
  const theirs: PeerSpeed[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(await measureSpeed(image, FRAMES, () => performance.now()));
    const other = python === undefined ? null : peer(python, rom, FRAMES);
    if (other !== null) theirs.push(other);
    if (page !== null) worker.push(await page.measure());
  }
  await page?.close();
  const ram = median(mine.map((speed) => speed.frames_per_second_ram));
  const sha = median(mine.map((speed) => speed.frames_per_second_sha256));
  console.log(`ours, RAM read                ${ram.toFixed(0)} frames/s`);
  console.log(`ours, SHA-256 of RAM and RGB  ${sha.toFixed(0)} frames/s`);
  const workerRam = median(worker.map((speed) => speed.ram));
  const workerSha = median(worker.map((speed) => speed.sha256));
  if (page === null) console.log('no browser found: nothing measured in a worker');
  else {
    console.log(`${page.browser}, worker: ${workerRam.toFixed(0)} and ${workerSha.toFixed(0)} frames/s`);
  }
  const wasm = statSync(fileURLToPath(new URL('../../wasm/build/atari.wasm', import.meta.url))).size;
  console.log(`WebAssembly                   ${wasm} bytes`);
  const [first] = theirs;
  if (first === undefined) {
    console.log('peer: no Python with ale_py found (set ALE_PYTHON)');
    return;
  }
  const peerRam = median(theirs.map((speed) => speed.frames_per_second_ram));
  const peerSha = median(theirs.map((speed) => speed.frames_per_second_sha256));
  console.log(
    `ale_py ${first.ale_py}, NumPy ${first.numpy}, Python ${first.python}: ` +
      `${peerRam.toFixed(0)} and ${peerSha.toFixed(0)} frames/s`,
  );
  console.log(`ratio, RAM read               ${(ram / peerRam).toFixed(2)} of ale_py's speed`);
  console.log(`ratio, SHA-256                ${(sha / peerSha).toFixed(2)} of ale_py's speed`);
  if (page === null) return;
  console.log(`ratio, worker, RAM read       ${(workerRam / peerRam).toFixed(2)} of ale_py's speed`);
  console.log(`ratio, worker, SHA-256        ${(workerSha / peerSha).toFixed(2)} of ale_py's speed`);
}
