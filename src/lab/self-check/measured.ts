import { measureSpeed } from '../../atari';
import { sha256Hex } from '../../evidence/identity/sha256';
import {
  CANONICAL_STATES,
  combinedParts,
  forgetPictures,
  materialiseSteps,
  recipeOf,
  VARIANTS,
} from '../../experiments/png-representation';
import { paddleRom } from '../../experiments/pong-controls/paddle';
import type { ImageFormat } from '../../pixels/decode/decoded';
import { selfTest } from '../../pixels/decode/self-test';
import type { Fact } from './report';

const MIB = 1024 * 1024;
/** Long enough to be above any clock's step, short enough to wait for. */
const MEASURE_MS = 300;
const FRAMES = 6000;

const FORMATS: Readonly<Record<ImageFormat, string>> = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP' };

/** A check that is done where it is called, on the calling thread; `now` says what it is doing. */
export interface Check {
  readonly now: string;
  run(): Promise<readonly Fact[]>;
}

/** The checks that a worker and Node share. */
export const SHARED_CHECKS: readonly Check[] = [
  { now: 'the clock', run: async () => [timerFact()] },
  { now: 'our decoders', run: decoderFacts },
  { now: 'SHA-256', run: async () => [await platformHash(), wasmHash()] },
  { now: 'the Atari core', run: async () => [await atariFact()] },
  { now: 'PNG steps', run: async () => [await pngFact()] },
];

/** The smallest step that the clock was seen to make, in microseconds. */
function timerFact(): Fact {
  let smallest = Number.POSITIVE_INFINITY;
  const began = performance.now();
  let last = began;
  while (last - began < 60) {
    const now = performance.now();
    if (now > last) smallest = Math.min(smallest, now - last);
    last = now;
  }
  const microseconds = Math.max(1, Math.round(smallest * 1000));
  return { id: 'timer', state: 'measured', value: microseconds, says: `${microseconds} µs` };
}

async function decoderFacts(): Promise<Fact[]> {
  const { exact } = await selfTest();
  return (Object.keys(FORMATS) as ImageFormat[]).map((format) => ({
    id: `own_${format}`,
    state: exact[format] ? 'yes' : 'no',
    value: exact[format],
    says: exact[format]
      ? 'equal to the reference, bit by bit'
      : `${FORMATS[format]} differs from the reference here`,
  }));
}

async function platformHash(): Promise<Fact> {
  const { subtle } = crypto;
  if (subtle === undefined)
    return { id: 'sha256_platform', state: 'no', value: null, says: 'not on an address without TLS' };
  return hashFact('sha256_platform', await rate((bytes) => subtle.digest('SHA-256', bytes)));
}

function wasmHash(): Fact {
  const bytes = new Uint8Array(MIB);
  let done = 0;
  const began = performance.now();
  while (performance.now() - began < MEASURE_MS) {
    sha256Hex(bytes);
    done += 1;
  }
  return hashFact('sha256_wasm', (done * 1000) / (performance.now() - began));
}

/** MiB a second, one after another. */
async function rate(hash: (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>): Promise<number> {
  const bytes = new Uint8Array(4 * MIB);
  await hash(bytes);
  let done = 0;
  const began = performance.now();
  while (performance.now() - began < MEASURE_MS) {
    await hash(bytes);
    done += 4;
  }
  return (done * 1000) / (performance.now() - began);
}

function hashFact(id: string, perSecond: number): Fact {
  const value = Math.round(perSecond);
  return { id, state: 'measured', value: { mib_per_second: value }, says: `${value} MiB/s` };
}

async function atariFact(): Promise<Fact> {
  const rom = await paddleRom();
  const { frames_per_second_ram, frames_per_second_sha256 } = await measureSpeed(rom, FRAMES, () =>
    performance.now(),
  );
  const [ram, sha] = [Math.round(frames_per_second_ram), Math.round(frames_per_second_sha256)];
  return {
    id: 'atari',
    state: 'measured',
    value: { frames_per_second: ram, frames_per_second_sha256: sha },
    says: `${ram} frames/s, ${sha} with SHA-256 of RAM and picture`,
  };
}

/** The eleven recipes on one state after another, every step made anew. */
async function pngFact(): Promise<Fact> {
  const recipes = VARIANTS.map((variant) =>
    recipeOf(
      variant,
      variant === 'combined-v1' ? combinedParts('cooldown-dual-v1', 'lane-enhanced-v1') : null,
    ),
  );
  let steps = 0;
  const began = performance.now();
  for (const state of CANONICAL_STATES) {
    for (const recipe of recipes) {
      forgetPictures();
      steps += (await materialiseSteps(recipe, state)).steps.length;
    }
    if (performance.now() - began > MEASURE_MS) break;
  }
  forgetPictures();
  const value = Math.round((steps * 1000) / (performance.now() - began));
  return { id: 'png', state: 'measured', value: { steps_per_second: value }, says: `${value} steps/s` };
}
