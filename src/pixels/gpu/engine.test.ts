import { beforeAll, expect, test, vi } from 'vitest';
import { wasmEngine } from '../signals/engine';
import { measureBy } from '../signals/fallback';
import type { MeasureTask } from '../signals/task';
import { createGpuEngine } from './engine';

// What the engine does when a device does not play along. That it measures right is shown in a browser (e2e).

beforeAll(() => {
  const flags = new Proxy({}, { get: () => 1 });
  for (const name of ['GPUShaderStage', 'GPUBufferUsage', 'GPUMapMode']) vi.stubGlobal(name, flags);
});

const image = { width: 2, height: 2, data: new Uint8Array(12) };
const task: MeasureTask = { regions: [], mask: [], least_area: 1 };

function fake(device: {
  shaderError?: string;
  room?: number;
  fault?: string;
  lost?: Promise<{ message: string }>;
  mapped?: Promise<undefined>;
}): GPU {
  const buffer = {
    mapAsync: () => device.mapped ?? Promise.resolve(undefined),
    getMappedRange: () => new ArrayBuffer(64),
    destroy: () => undefined,
  };
  const pass = new Proxy({}, { get: () => () => undefined });
  const encoder = { beginComputePass: () => pass, copyBufferToBuffer: () => undefined, finish: () => ({}) };
  const made = {
    lost: device.lost ?? new Promise(() => undefined),
    limits: { maxStorageBufferBindingSize: device.room ?? 1e9, maxBufferSize: 1e9 },
    queue: { writeBuffer: () => undefined, submit: () => undefined },
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createBindGroup: () => ({}),
    createBuffer: () => buffer,
    createCommandEncoder: () => encoder,
    createComputePipelineAsync: async () => ({}),
    createShaderModule: () => ({
      getCompilationInfo: async () => ({
        messages:
          device.shaderError === undefined
            ? []
            : [{ type: 'error', lineNum: 3, message: device.shaderError }],
      }),
    }),
    pushErrorScope: () => undefined,
    popErrorScope: async () => (device.fault === undefined ? null : { message: device.fault }),
  };
  const adapter = {
    limits: made.limits,
    info: { vendor: '', architecture: '' },
    requestDevice: async () => made,
  };
  return { requestAdapter: async () => adapter } as unknown as GPU;
}

test('no WebGPU, or no adapter behind it: no engine', async () => {
  expect(await createGpuEngine(undefined)).toBeNull();
  expect(await createGpuEngine({ requestAdapter: async () => null } as unknown as GPU)).toBeNull();
});

test('a driver that refuses the shaders is named', async () => {
  await expect(createGpuEngine(fake({ shaderError: 'no loops' }))).rejects.toThrow(
    expect.objectContaining({ code: 'gpu_shader', got: 'line 3: no loops' }),
  );
});

test('a picture too large for the device, and a device that gives up', async () => {
  const small = await createGpuEngine(fake({ room: 20 }));
  await expect(small?.measure(image, task)).rejects.toThrow(expect.objectContaining({ code: 'gpu_limit' }));
  const lost = await createGpuEngine(fake({ fault: 'out of memory' }));
  await expect(lost?.measure(image, task)).rejects.toThrow(
    expect.objectContaining({ code: 'gpu_failed', got: 'out of memory' }),
  );
  expect(lost?.identity).toEqual({ id: 'webgpu', version: '1 (unnamed adapter)' });
});

test('a device that is lost, before a picture or in the middle of one, is a device that fails', async () => {
  const gone = await createGpuEngine(fake({ lost: Promise.resolve({ message: 'driver reset' }) }));
  await expect(gone?.measure(image, task)).rejects.toThrow(
    expect.objectContaining({ code: 'gpu_failed', got: 'driver reset' }),
  );
  const half = await createGpuEngine(fake({ mapped: Promise.reject(new Error('mapping was aborted')) }));
  await expect(half?.measure(image, task)).rejects.toThrow(
    expect.objectContaining({ code: 'gpu_failed', got: 'Error: mapping was aborted' }),
  );
});

test('a picture that a device cannot take is measured all the same, and the result says by whom', async () => {
  const white = { width: 2, height: 2, data: new Uint8Array(12).fill(255) };
  const counting: MeasureTask = { ...task, mask: [{ feature: 'min', least: 0, greatest: 229 }] };
  for (const [device, code] of [
    [{ room: 20 }, 'gpu_limit'],
    [{ fault: 'out of memory' }, 'gpu_failed'],
    [{ lost: Promise.resolve({ message: 'driver reset' }) }, 'gpu_failed'],
  ] as const) {
    const engine = await createGpuEngine(fake(device));
    if (engine === null) throw new Error('no engine');
    const dark = await measureBy(engine, image, counting);
    expect(dark.engine.id).toBe('wasm-simd');
    expect(dark.warnings).toMatchObject([{ code: 'engine_fallback' }]);
    expect(dark.warnings[0]?.message).toContain(`(${code})`);
    expect([dark.measured.mask_total, dark.measured.components?.count]).toEqual([4, 1]);
    expect((await measureBy(engine, white, counting)).measured.mask_total).toBe(0);
  }
  expect(await measureBy(wasmEngine, image, counting)).toMatchObject({
    engine: wasmEngine.identity,
    warnings: [],
  });
  const broken = { ...wasmEngine, measure: () => Promise.reject(new Error('a fault of our own')) };
  await expect(measureBy(broken, image, counting)).rejects.toThrow('a fault of our own');
});
