import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FROZEN } from '../src/experiments/image-signals/protocol';
import { drawScene } from '../src/experiments/image-signals/scene';
import { planSignals } from '../src/experiments/image-signals/signals';
import { Xorshift32 } from '../src/numeric/xorshift32';
import { readJpeg } from '../src/pixels/decode/jpeg-markers';
import { jpegPixels } from '../src/pixels/decode/jpeg-pixels';
import { decodePng } from '../src/pixels/decode/png';
import { decodeWebp } from '../src/pixels/decode/webp';
import { encodePng } from '../src/pixels/png-encode';
import type { RgbImage } from '../src/pixels/rgb-image';
import { measureWasm } from '../src/pixels/signals/measure';

const SIDE = 1024;
/** The best of so many on both sides: a shared machine disturbs any single one. */
const ROUNDS = 25;

interface Peer {
  readonly versions: Record<string, string>;
  readonly values: readonly [number | null, number | null, number, number, number[]];
  readonly signals_ms: number;
  readonly decode_and_signals_ms: number;
  readonly decode_jpeg_and_signals_ms: number;
  readonly decode_webp_and_signals_ms: Readonly<Record<string, number>>;
  readonly noise_ms?: number;
  readonly noise_components?: number;
}

/** All signals of a 1024 x 1024 picture, with and without decoding, and labelling of half-filled noise. */
export async function bench(): Promise<void> {
  const scene = drawScene({ layout: 'extra-objects', seed: 7, width: SIDE, height: SIDE });
  const file = encodePng(scene);
  const noise = noiseOf(SIDE);
  const plan = planSignals(FROZEN, SIDE, SIDE);
  const all = (image: RgbImage) => plan.signals(measureWasm(image, plan.task));
  const label = { regions: [], mask: [{ feature: 'min', least: 0, greatest: 229 }], least_area: 1 } as const;

  const folder = mkdtempSync(join(tmpdir(), 'pixelproof-bench-'));
  writeFileSync(join(folder, 'scene.png'), file);
  writeFileSync(join(folder, 'noise.raw'), noise.mask);
  const peer = askPeer(folder);
  const jpeg = peer === null ? null : new Uint8Array(readFileSync(join(folder, 'scene.jpg')));
  const webp = Object.entries(peer?.decode_webp_and_signals_ms ?? {}).map(([name, ms]) => ({
    name,
    ms,
    bytes: new Uint8Array(readFileSync(join(folder, `${name}.webp`))),
  }));
  rmSync(folder, { recursive: true });

  const ours = {
    signals: best(() => all(scene)),
    decode_and_signals: best(() => all(decodePng(file))),
    noise: best(() => measureWasm(noise.image, label)),
  };
  if (peer === null) console.log('peer: no Python with numpy, scipy and Pillow here, so no ratios');
  else
    console.log(
      `peer: ${Object.entries(peer.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}`,
    );
  line('all signals of a decoded picture', ours.signals, peer?.signals_ms, 0.5);
  line('decode PNG and all signals', ours.decode_and_signals, peer?.decode_and_signals_ms, 1);
  if (jpeg !== null) {
    const decode = () => all({ width: SIDE, height: SIDE, data: jpegPixels(readJpeg(jpeg), jpeg) });
    line('decode JPEG and all signals', best(decode), peer?.decode_jpeg_and_signals_ms, 1);
  }
  for (const { name, ms, bytes } of webp) {
    line(
      `decode WebP (${name}) and all signals`,
      best(() => all(decodeWebp(bytes))),
      ms,
      1,
    );
  }
  line('label half-filled noise (with mask)', ours.noise, peer?.noise_ms, 1);
  if (peer === null) return;

  const { values } = all(scene);
  const here = ['left_red_dominance', 'right_blue_dominance', 'bottom_yellow_presence'].map((key) => {
    const value = values[key];
    return value !== undefined && 'value' in value ? value.value : null;
  });
  const same = JSON.stringify(here) === JSON.stringify(peer.values.slice(0, 3));
  const components = measureWasm(noise.image, label).components?.components_total;
  if (!same) throw new Error(`different numbers: ${JSON.stringify(here)} and ${JSON.stringify(peer.values)}`);
  if (peer.noise_components !== undefined && peer.noise_components !== components)
    throw new Error(`different components: ${components} and ${peer.noise_components}`);
  console.log('both sides computed the same numbers');
}

function line(what: string, ours: number, theirs: number | undefined, limit: number): void {
  const peer =
    theirs === undefined
      ? ''
      : `, peer ${theirs.toFixed(2)} ms, ratio ${(ours / theirs).toFixed(2)} (limit ${limit})`;
  console.log(`${what}: ${ours.toFixed(2)} ms${peer}`);
}

function askPeer(folder: string): Peer | null {
  const script = fileURLToPath(new URL('../../bench/peers/roi_numpy.py', import.meta.url));
  const python = process.env.PYTHON ?? 'python3';
  // A variable that pins an old BLAS kernel would slow the peer down.
  const { OPENBLAS_CORETYPE: _1, OPENBLAS_L2_SIZE: _2, ...env } = process.env;
  const { status, stdout } = spawnSync(python, [script, folder, `${ROUNDS}`], { encoding: 'utf8', env });
  return status === 0 ? JSON.parse(stdout) : null;
}

function best(job: () => unknown): number {
  for (let i = 0; i < 3; i++) job();
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    job();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

function noiseOf(side: number): { image: RgbImage; mask: Uint8Array } {
  const random = new Xorshift32(1);
  const mask = new Uint8Array(side * side);
  const data = new Uint8Array(side * side * 3).fill(255);
  for (let i = 0; i < mask.length; i++) {
    if ((random.next() >>> 16) & 1) continue;
    mask[i] = 255;
    data.fill(0, i * 3, i * 3 + 3);
  }
  return { image: { width: side, height: side, data }, mask };
}
