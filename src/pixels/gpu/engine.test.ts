import { beforeAll, expect, test, vi } from 'vitest';
import type { MeasureTask } from '../signals/task';
import { createGpuEngine } from './engine';

// What the engine does when a device does not play along. That it measures right is shown in a browser (e2e).

beforeAll(() => {
  const flags = new Proxy({}, { get: () => 1 });
  for (const name of ['GPUShaderStage', 'GPUBufferUsage', 'GPUMapMode']) vi.stubGlobal(name, flags);
});

const image = { width: 2, height: 2, data: new Uint8Array(12) };
const task: MeasureTask = { regions: [], mask: [], least_area: 1 };

function fake(device: { shaderError?: string; room?: number; fault?: string }): GPU {
  const buffer = {
    mapAsync: async () => undefined,
    getMappedRange: () => new ArrayBuffer(64),
    destroy: () => undefined,
  };
  const pass = new Proxy({}, { get: () => () => undefined });
  const encoder = { beginComputePass: () => pass, copyBufferToBuffer: () => undefined, finish: () => ({}) };
  const made = {
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
