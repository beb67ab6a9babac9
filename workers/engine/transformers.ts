import { PixelproofError } from '../../src/errors';
import type { VlmChoice } from '../../src/providers/audit/vlm-protocol';
import type { ModelFiles } from '../../src/providers/in-page/vlm/files';
import type { Library } from '../../src/providers/in-page/vlm/library';
import { openVlm } from '../../src/providers/in-page/vlm/session';
import type { VlmSession } from '../../src/providers/in-page/vlm/vlm-host';
import type { ModelFolder, TransformersApi } from '../transformers-api';
import { holdLife } from './life';
import { downloadedFiles } from './model-store';

await holdLife(self.name);

const { signal } = new AbortController();
let session: VlmSession | null = null;

export const api: TransformersApi = {
  async open(choice, folder) {
    const files = folder === null ? downloadedFiles(choice.name) : folderFiles(folder);
    const library = await libraryFor(choice);
    const { dtype, backend } = choice;
    session = await openVlm(library, files, { dtype, backend, executionProvider: backend });
    return session.facts;
  },
  text: (asked, most) => opened().text(asked, most, signal),
  score: (asked, controls) => opened().score(asked, controls, signal),
};

function opened(): VlmSession {
  if (session !== null) return session;
  throw new PixelproofError('model_not_open', 'The model was asked before it was loaded.');
}

function folderFiles(folder: ModelFolder): ModelFiles {
  const blobs = new Map(folder.map(({ path, blob }) => [path, blob]));
  return {
    has: async (path) => blobs.has(path),
    read: async (path) => {
      const blob = blobs.get(path);
      return blob === undefined ? null : new Uint8Array(await blob.arrayBuffer());
    },
  };
}

/**
 * transformers.js on the runtime that this site ships: the package takes a runtime that stands under this name before it
 * is loaded. Each backend brings files of its own.
 */
async function libraryFor({ backend }: VlmChoice): Promise<Library> {
  const { onnx } =
    backend === 'wasm'
      ? await import('./onnx-wasm').then(({ wasmRuntime }) => wasmRuntime())
      : await import('./onnx-webgpu').then(({ webgpuRuntime }) => webgpuRuntime());
  Reflect.set(globalThis, Symbol.for('onnxruntime'), {
    ...onnx,
    // A copy: the package writes into what it is given, the address of a public server among other things.
    env: { ...onnx.env, wasm: { ...onnx.env.wasm } },
  });
  return (await import('@huggingface/transformers')) as unknown as Library;
}
