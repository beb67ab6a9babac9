import type { Fact } from '../../../src/lab/self-check/report';
import { adapterSummary, askForAdapter } from '../gpu-adapter';

const MIB = 1024 * 1024;

/** The adapter, with what models in the page ask of it. */
export async function gpuFact(): Promise<Fact> {
  const answer = await askForAdapter();
  if (typeof answer === 'string') {
    const says = answer === 'none' ? 'none' : 'the driver gave no answer in time';
    return { id: 'webgpu', state: answer === 'none' ? 'no' : 'failed', value: adapterSummary(answer), says };
  }
  const { maxBufferSize, maxStorageBufferBindingSize, maxTextureDimension2D } = answer.limits;
  const f16 = answer.features.has('shader-f16');
  const { vendor, architecture, isFallbackAdapter } = answer.info;
  const name = [vendor, architecture].filter((part) => part !== '').join(' ') || 'unnamed';
  const software = isFallbackAdapter ? ', in software' : '';
  return {
    id: 'webgpu',
    state: f16 && !isFallbackAdapter ? 'yes' : 'partly',
    value: {
      ...adapterSummary(answer),
      software: isFallbackAdapter,
      shader_f16: f16,
      max_buffer_bytes: maxBufferSize,
      max_storage_binding_bytes: maxStorageBufferBindingSize,
      max_texture_side: maxTextureDimension2D,
    },
    says: `${name}${software}; ${f16 ? 'with' : 'without'} 16-bit floats; buffers to ${Math.round(maxBufferSize / MIB)} MiB`,
  };
}
