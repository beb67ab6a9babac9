import { PixelproofError } from '../../errors';
import type { RgbImage } from '../rgb-image';
import type { SignalEngine } from '../signals/engine';
import { limitsOf } from '../signals/measure';
import { FEATURES, MAX_LISTED, type Measured, type MeasureTask } from '../signals/task';
import { BOXES, COUNT, JOIN, LIST, MEASURE } from './shaders';

/** Raised with every change that could change a number. */
const GPU_ENGINE_VERSION = '1';

const WORKGROUP = 256;
const MAX_GROUPS = 65535;
/** Totals before the regions': mask pixels, components, counted components, unused. */
const HEAD_WORDS = 4;
const REGION_WORDS = 8;

/** Whether there is an adapter, which `navigator.gpu` alone does not say; null when there is none. */
export async function createGpuEngine(gpu: GPU | undefined): Promise<SignalEngine | null> {
  const adapter = (await gpu?.requestAdapter()) ?? null;
  if (adapter === null) return null;
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
  const layout = device.createBindGroupLayout({
    entries: [0, 1, 2, 3, 4, 5, 6].map((binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: binding === 0 ? 'uniform' : binding < 3 ? 'read-only-storage' : 'storage' },
    })),
  });
  const pipelines = await Promise.all(
    [MEASURE, JOIN, COUNT, LIST, BOXES].map(async (code) => {
      const module = device.createShaderModule({ code });
      const { messages } = await module.getCompilationInfo();
      const fault = messages.find((message) => message.type === 'error');
      if (fault !== undefined) {
        throw new PixelproofError('gpu_shader', 'This graphics driver does not accept the shaders.', {
          got: `line ${fault.lineNum}: ${fault.message}`,
        });
      }
      return device.createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: 'main' },
      });
    }),
  );
  let lost: string | null = null;
  void device.lost.then(({ message }) => {
    lost = message === '' ? 'the device was lost' : message;
  });
  return {
    identity: { id: 'webgpu', version: `${GPU_ENGINE_VERSION} (${adapterName(adapter)})` },
    async measure(image, task) {
      if (lost !== null) throw failed(lost);
      try {
        return await measure(device, layout, pipelines, image, task);
      } catch (cause) {
        // A device that is lost half way rejects whatever waits for it.
        if (cause instanceof PixelproofError) throw cause;
        throw failed(lost ?? String(cause), cause);
      }
    },
  };
}

function failed(got: string, cause?: unknown): PixelproofError {
  return new PixelproofError('gpu_failed', 'The graphics device could not measure the picture.', {
    got,
    cause,
  });
}

function adapterName(adapter: GPUAdapter): string {
  const { vendor, architecture } = adapter.info;
  return [vendor, architecture].filter((text) => text !== '').join(' ') || 'unnamed adapter';
}

/** Throws `gpu_limit` for an image that the device cannot hold and `gpu_failed` when it gives up. */
async function measure(
  device: GPUDevice,
  layout: GPUBindGroupLayout,
  pipelines: readonly GPUComputePipeline[],
  image: RgbImage,
  task: MeasureTask,
): Promise<Measured> {
  const pixels = image.width * image.height;
  const most = task.least_area === null ? 1 : Math.floor(pixels / task.least_area) + 1;
  const largest = Math.max(pixels * 4, most * 8, image.data.length + 16);
  const room = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  if (largest > room) {
    throw new PixelproofError('gpu_limit', 'The picture is too large for this graphics device.', {
      expected: `buffers of ${largest} bytes`,
      got: `at most ${room}`,
    });
  }
  const buffers: GPUBuffer[] = [];
  const buffer = (size: number, usage: number) => {
    const made = device.createBuffer({ size: Math.max(16, Math.ceil(size / 4) * 4), usage });
    buffers.push(made);
    return made;
  };
  const STORAGE = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  let result: Measured | null = null;
  let fault: GPUError | null = null;
  try {
    const { words, maskAt } = taskWords(task);
    const parameters = buffer(32, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    const head = [
      image.width,
      image.height,
      task.regions.length,
      maskAt,
      task.mask.length,
      task.least_area ?? 1,
      most,
    ];
    device.queue.writeBuffer(parameters, 0, Uint32Array.from([...head, 0]));
    // Four pixels are three words; the last ones are padded.
    const rgb = buffer(Math.ceil(pixels / 4) * 12, STORAGE);
    const whole = image.data.length & ~3;
    device.queue.writeBuffer(rgb, 0, image.data, 0, whole);
    const rest = new Uint8Array(4);
    rest.set(image.data.subarray(whole));
    if (whole < image.data.length) device.queue.writeBuffer(rgb, whole, rest);
    const tasks = buffer(words.byteLength, STORAGE);
    device.queue.writeBuffer(tasks, 0, words);
    const totals = buffer((HEAD_WORDS + task.regions.length * 3) * 4, STORAGE);
    const labels = buffer(pixels * 4, STORAGE);
    const areas = buffer(task.least_area === null ? 16 : pixels * 4, STORAGE);
    const list = buffer(Math.max(most * 8, MAX_LISTED * 16), STORAGE);
    const group = device.createBindGroup({
      layout,
      entries: [parameters, rgb, tasks, totals, labels, areas, list].map((one, binding) => ({
        binding,
        resource: { buffer: one },
      })),
    });
    const run = (steps: readonly (readonly [number, number])[]) => {
      const encoder = device.createCommandEncoder();
      for (const [step, invocations] of steps) {
        const pipeline = pipelines[step];
        if (pipeline === undefined) continue;
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        const groups = Math.ceil(invocations / WORKGROUP);
        const columns = Math.min(groups, MAX_GROUPS);
        pass.dispatchWorkgroups(columns, Math.ceil(groups / columns));
        pass.end();
      }
      device.queue.submit([encoder.finish()]);
    };
    const read = async (from: GPUBuffer, bytes: number): Promise<Uint32Array> => {
      const size = Math.max(4, bytes);
      const to = buffer(size, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(from, 0, to, 0, size);
      device.queue.submit([encoder.finish()]);
      await to.mapAsync(GPUMapMode.READ);
      return new Uint32Array(to.getMappedRange()).slice();
    };

    const label = task.least_area === null ? [] : ([1, 2, 3] as const).map((step) => [step, pixels] as const);
    run([[0, Math.ceil(pixels / 4)], ...label]);
    const sums = await read(totals, (HEAD_WORDS + task.regions.length * 3) * 4);
    const regions = task.regions.map(({ sum }, i) => {
      const [n = 0, low = 0, high = 0] = sums.subarray(HEAD_WORDS + i * 3);
      return { n, sum: sum === null ? 0 : high * 2 ** 32 + low - 255 * n };
    });
    const [mask_total = 0, components_total = 0, count = 0] = sums;
    if (task.least_area === null) result = { regions, mask_total, components: null };
    else {
      const found = await read(list, Math.min(count, most) * 8);
      const chosen = largestOf(found, Math.min(count, most));
      device.queue.writeBuffer(
        list,
        0,
        Uint32Array.from(chosen.flatMap(({ first }) => [first, 0xffffffff, 0, 0])),
      );
      device.queue.writeBuffer(parameters, 28, Uint32Array.of(chosen.length));
      if (chosen.length > 0) run([[4, pixels]]);
      const boxes = chosen.length === 0 ? new Uint32Array(0) : await read(list, chosen.length * 16);
      result = {
        regions,
        mask_total,
        components: {
          count,
          areas: chosen.map(({ area }) => area),
          boxes: chosen.map(({ first }, i) => {
            const [, x0 = 0, x1 = 0, y1 = 0] = boxes.subarray(i * 4);
            return [x0, Math.floor(first / image.width), x1, y1] as const;
          }),
          components_total,
        },
      };
    }
  } finally {
    fault = (await device.popErrorScope()) ?? (await device.popErrorScope());
    for (const one of buffers) one.destroy();
  }
  if (fault !== null || result === null) throw failed(fault?.message ?? 'no result');
  return result;
}

/** Regions of eight words (bounds, feature, number of terms and where they are), then all terms. */
function taskWords(task: MeasureTask): { words: Int32Array<ArrayBuffer>; maskAt: number } {
  const terms: number[] = [];
  const start = task.regions.length * REGION_WORDS;
  const put = (predicate: MeasureTask['mask']) => {
    const at = start + terms.length;
    terms.push(...predicate.flatMap((term) => [FEATURES.indexOf(term.feature), ...limitsOf(term)]));
    return at;
  };
  const regions = task.regions.flatMap(({ rectangle: { x0, x1, y0, y1 }, where, sum }) => [
    x0,
    x1,
    y0,
    y1,
    sum === null ? -1 : FEATURES.indexOf(sum),
    where.length,
    put(where),
    0,
  ]);
  const maskAt = put(task.mask);
  return { words: Int32Array.from([...regions, ...terms]), maskAt };
}

/** The largest components in the order of the record: area descending, then first pixel in scan order. */
function largestOf(list: Uint32Array, count: number): { first: number; area: number }[] {
  const all = Array.from({ length: count }, (_, i) => ({
    first: list[i * 2] ?? 0,
    area: list[i * 2 + 1] ?? 0,
  }));
  return all.sort((a, b) => b.area - a.area || a.first - b.first).slice(0, MAX_LISTED);
}
