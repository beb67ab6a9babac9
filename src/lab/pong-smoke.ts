import { createSha256Stream, sha256Hex } from '../evidence/identity/sha256';
import {
  armsNamed,
  insertCartridge,
  LOCAL_ARMS,
  MemoryFiles,
  makePlan,
  runComparison,
} from '../experiments/pong-controls';
import { check, type SmokeCheck } from './smoke-check';

/** Two seeds of the four: enough to meet both orders, points on both sides and every line of the files. */
const SEEDS = [36, 37];
/** Over the names and bytes of every file that no clock enters; the same on every machine. */
const TREE = 'sha256:f8a7951cd7dd0b12ea78b97eb972b1cd1fd86a8aa1039c9896553ac38fafc72a';

/**
 * The local arms on the Paddle cartridge: every line against what ale_py gave for the same protocol, and all files that
 * hold no time against their digest.
 */
export async function* pongSmokeChecks(rom: Uint8Array, signal: AbortSignal): AsyncIterable<SmokeCheck> {
  const { default: golden } = await import('../../fixtures/pong-controls/paddle-local.json');
  const { machine, sha256 } = await insertCartridge(rom);
  const plan = makePlan({
    arms: armsNamed(LOCAL_ARMS),
    seeds: SEEDS,
    frames: golden.frames,
    romSha256: sha256,
    versions: { pixelproof: 'smoke' },
  });
  const files = new MemoryFiles();
  const end = await runComparison({
    plan,
    machine,
    sha256: sha256Hex,
    provider: null,
    files,
    clock: () => 0,
    signal,
  });
  signal.throwIfAborted();
  yield check('pong-controls, local arms on Paddle: status', 'complete', end.status);
  for (const [path, digest] of Object.entries(golden.files)) {
    if (!SEEDS.some((seed) => path.includes(`/seed-${seed}/`))) continue;
    const bytes = await files.read(path);
    yield check(`pong-controls, ${path}`, digest, bytes === null ? 'no such file' : sha256Hex(bytes));
  }
  const tree = await createSha256Stream();
  for (const path of [...files.paths].sort()) {
    tree.update(path);
    tree.update((await files.read(path)) ?? new Uint8Array());
  }
  yield check('pong-controls, local arms on Paddle: all files', TREE, tree.digest());
}
