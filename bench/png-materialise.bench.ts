import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  CANONICAL_STATES,
  forgetPictures,
  materialiseSteps,
  recipeOf,
  VARIANTS,
} from '../src/experiments/png-representation/index';

const PARTS = { cooldown: 'cooldown-dual-v1', lane: 'lane-enhanced-v1' } as const;
/** Every fourth state keeps a round short; three rounds, taken in turns with the peer, give medians. */
const STRIDE = 4;
const ROUNDS = 3;

interface Round {
  readonly steps: number;
  readonly seconds: number;
  readonly pixels: string;
}
interface PeerRound extends Round {
  readonly pillow: string;
  readonly python: string;
  readonly zlib: string;
}

/**
 * All steps of the eleven recipes on a set of states: pixels, PNG file, thumbnail, every digest and every operation
 * record. `keep` lets equal pictures be shared between variants, as a run does; without it each step is made anew.
 */
async function ours(stride: number, keep: boolean): Promise<Round> {
  const states = CANONICAL_STATES.filter((_, i) => i % stride === 0);
  const hash = createHash('sha256');
  let steps = 0;
  forgetPictures();
  const started = performance.now();
  for (const variant of VARIANTS) {
    const recipe = recipeOf(variant, PARTS);
    for (const state of states) {
      if (!keep) forgetPictures();
      const made = await materialiseSteps(recipe, state);
      for (const step of made.steps) hash.update(step.pixels_sha256.slice('sha256:'.length));
      steps += made.steps.length;
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return { steps, seconds, pixels: hash.digest('hex') };
}

function peer(python: string, stride: number): PeerRound | null {
  const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { status, stdout } = spawnSync(
    python,
    [at('bench/peers/png_pillow.py'), at('fixtures/png-representation/sprites.json'), '0', String(stride)],
    { encoding: 'utf8', env: { ...process.env, OMP_NUM_THREADS: '1' } },
  );
  return status === 0 ? (JSON.parse(stdout) as PeerRound) : null;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const perStep = (round: Round) => (round.seconds * 1000) / round.steps;

export async function bench(): Promise<void> {
  const candidates = [process.env.PILLOW_PYTHON, 'python3', '/usr/bin/python3'].filter(
    (name) => name !== undefined,
  );
  const python = candidates.find((name) => peer(name, 112) !== null);
  await ours(STRIDE, false);
  const fresh: Round[] = [];
  const shared: Round[] = [];
  const theirs: PeerRound[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    fresh.push(await ours(STRIDE, false));
    const other = python === undefined ? null : peer(python, STRIDE);
    if (other !== null) theirs.push(other);
    shared.push(await ours(STRIDE, true));
  }
  const a = median(fresh.map(perStep));
  const b = median(shared.map(perStep));
  console.log(`steps a round            ${fresh[0]?.steps}`);
  console.log(`ours, each step anew     ${a.toFixed(2)} ms a step`);
  console.log(`ours, as a run does it   ${b.toFixed(2)} ms a step (equal pictures shared between variants)`);
  const whole = await ours(1, true);
  console.log(`ours, all ${whole.steps} steps     ${whole.seconds.toFixed(2)} s`);
  const [first] = theirs;
  if (first === undefined) {
    console.log('peer: no Python with Pillow found (set PILLOW_PYTHON)');
    return;
  }
  const c = median(theirs.map(perStep));
  console.log(
    `Pillow ${first.pillow}, zlib ${first.zlib}, Python ${first.python}: ${c.toFixed(2)} ms a step, one thread`,
  );
  console.log(`same pixels on both sides: ${first.pixels === fresh[0]?.pixels ? 'yes' : 'NO'}`);
  console.log(`ratio, each step anew    ${(a / c).toFixed(3)} of Pillow's time`);
  console.log(`ratio, as a run does it  ${(b / c).toFixed(3)} of Pillow's time`);
}
