// Bundled by signals-engines.spec.ts and opened in the browser: both engines over the same pictures.
import { FROZEN } from '../../src/experiments/image-signals/protocol';
import { planSignals } from '../../src/experiments/image-signals/signals';
import { fromBase64 } from '../../src/pixels/base64';
import { decodeImage } from '../../src/pixels/decode/decode';
import { selfTest } from '../../src/pixels/decode/self-test';
import { createGpuEngine } from '../../src/pixels/gpu/engine';
import type { RgbImage } from '../../src/pixels/rgb-image';
import { wasmEngine } from '../../src/pixels/signals/engine';
import { FEATURES, type MeasureTask } from '../../src/pixels/signals/task';

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Pictures of several structures, from a seed: noise of several densities, stripes, diagonals, a comb, all, nothing. */
function picture(kind: number, width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  let state = kind * 7919 + width * 31 + height + 1;
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const y = (i - x) / width;
    for (let c = 0; c < 3; c++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[i * 3 + c] = state >>> 24;
    }
    const dense = state >>> 16 < ([65536, 32768, 39321, 6554][kind & 3] ?? 0);
    const shape = [
      dense,
      dense,
      dense,
      dense,
      x % 2 === 0 || y === height - 1,
      (x + y) % 2 === 0,
      true,
      false,
    ];
    if (!shape[kind % 8]) data.fill(255, i * 3, i * 3 + 3);
  }
  return { width, height, data };
}

function everything(width: number, height: number): MeasureTask {
  return {
    regions: FEATURES.map((feature, i) => ({
      rectangle: { x0: i % width, x1: width, y0: 0, y1: Math.max(0, height - i) },
      where: [
        { feature, least: -40 + i, greatest: 200 },
        { feature: 'min', least: 0, greatest: 250 },
      ],
      sum: feature,
    })),
    mask: [{ feature: 'min', least: 0, greatest: 229 }],
    least_area: 1 + (width % 3),
  };
}

const page = {
  async golden(files: readonly { name: string; base64: string }[]) {
    const gpu = await createGpuEngine(navigator.gpu);
    const results = [];
    for (const { name, base64 } of files) {
      const image = await decodeImage(fromBase64(base64), name);
      const plan = planSignals(FROZEN, image.width, image.height);
      const on = async (engine: typeof wasmEngine | null) =>
        engine === null ? null : plan.signals(await engine.measure(image, plan.task));
      results.push({
        name,
        exact: image.exact,
        rgb_sha256: await sha256(image.data),
        wasm: await on(wasmEngine),
        gpu: await on(gpu),
      });
    }
    return { engine: gpu?.identity ?? null, selfTest: await selfTest(), results };
  },
  /** Name and digest of each file's pixels, with the decoder that read it. */
  async digests(files: readonly { file: string; base64: string }[]) {
    const read = [];
    for (const { file, base64 } of files) {
      const { data, decoder } = await decodeImage(fromBase64(base64), file);
      read.push({ file, decoder, rgb_sha256: await sha256(data) });
    }
    return read;
  },
  /** The first picture that the engines disagree on, or null. */
  async fuzz(sizes: readonly (readonly [number, number])[]) {
    const gpu = await createGpuEngine(navigator.gpu);
    if (gpu === null) return { compared: 0, difference: 'no adapter' };
    let compared = 0;
    for (const [width, height] of sizes) {
      for (let kind = 0; kind < 8; kind++) {
        const image = picture(kind, width, height);
        const task = everything(width, height);
        const [a, b] = [await wasmEngine.measure(image, task), await gpu.measure(image, task)].map((m) =>
          JSON.stringify(m),
        );
        if (a !== b) return { compared, difference: `${kind} ${width} x ${height}: ${a} and ${b}` };
        compared += 1;
      }
    }
    return { compared, difference: null };
  },
};
export type EnginesPage = typeof page;
Object.assign(globalThis, { engines: page });
