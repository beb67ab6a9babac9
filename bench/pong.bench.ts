import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeSha256 } from '../cli/node-sha256';
import { FolderFiles } from '../cli/pong-folder';
import {
  armsNamed,
  insertCartridge,
  LOCAL_ARMS,
  makePlan,
  PUBLISHED_VERSIONS,
  runComparison,
  SEEDS,
} from '../src/experiments/pong-controls';
import { type PeerTime, peer, peerPython } from './pong-peer';

/** Rounds taken in turns with the peer; medians of them count. */
const ROUNDS = 5;
const FRAMES = 2000;
const LIMIT = 1.5;

/** Seconds for the 16,000 frames of the two local arms: every file on the disk, SHA-256 of RAM and picture of each. */
async function ours(rom: Uint8Array): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelproof-bench-'));
  const files = new FolderFiles(folder);
  try {
    const started = performance.now();
    const { machine, sha256 } = await insertCartridge(rom);
    const plan = makePlan({
      arms: armsNamed(LOCAL_ARMS),
      frames: FRAMES,
      romSha256: sha256,
      versions: PUBLISHED_VERSIONS,
    });
    let digits = 0;
    const { status } = await runComparison({
      plan,
      machine,
      sha256: nodeSha256,
      provider: null,
      files,
      clock: () => performance.now() / 1000,
      signal: new AbortController().signal,
      onFrame: (_at, { ram }) => {
        digits += String(nodeSha256(ram.slice())).length;
      },
    });
    if (status !== 'complete' || digits !== 64 * FRAMES * LOCAL_ARMS.length * SEEDS.length)
      throw new Error('The run was not complete.');
    return (performance.now() - started) / 1000;
  } finally {
    files.close();
    rmSync(folder, { recursive: true });
  }
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The two local arms with all files, in Node and in ale_py. Needs the tester's ROM; throws above the limit. */
export async function bench(): Promise<void> {
  const rom = join(process.env.PIXELPROOF_ROM_DIR ?? '', 'pong.bin');
  if (process.env.PIXELPROOF_ROM_DIR === undefined || !existsSync(rom)) {
    console.log('no pong.bin: set PIXELPROOF_ROM_DIR');
    return;
  }
  const image = new Uint8Array(readFileSync(rom));
  const python = peerPython(rom);
  const [mine, theirs]: [number[], PeerTime[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    mine.push(await ours(image));
    const other = python === null ? null : peer(python, rom, FRAMES);
    if (other !== null) theirs.push(other);
  }
  const seconds = median(mine);
  console.log(`ours, 16,000 frames with every file   ${seconds.toFixed(2)} s`);
  const [first] = theirs;
  if (first === undefined) {
    console.log('peer: no Python with ale_py found (set ALE_PYTHON)');
    return;
  }
  const peerSeconds = median(theirs.map((time) => time.seconds));
  const ratio = seconds / peerSeconds;
  console.log(
    `ale_py ${first.ale_py}, NumPy ${first.numpy}, Python ${first.python}   ${peerSeconds.toFixed(2)} s`,
  );
  console.log(`ratio                                 ${ratio.toFixed(2)} of ale_py's time (limit ${LIMIT})`);
  if (ratio > LIMIT)
    throw new Error(`${ratio.toFixed(2)} times ale_py's time is above the limit of ${LIMIT}.`);
}
