import { transfer } from 'comlink';
import type { ModelHost, ModelSession } from '../../src/providers/in-page/model-host';
import onnxScript from '../onnx?worker&url';
import type { OnnxApi, OpenedModel } from '../onnx-api';
import { NestedWorker } from './nested-worker';
import { siteFile } from './site-file';

/** Models in workers of their own, one each: one that falls over takes nothing with it, and closing it frees all it had. */
export const pageModelHost: ModelHost = {
  file: siteFile,
  async open(model, options, signal) {
    signal.throwIfAborted();
    const worker = new NestedWorker<OnnxApi>('onnx', options.name, onnxScript);
    try {
      const copy = model.slice();
      const opened = await worker.answer(worker.api.open(transfer(copy, [copy.buffer]), options), signal);
      worker.watch();
      return sessionOf(worker, opened);
    } catch (error) {
      worker.end();
      throw error;
    }
  },
};

function sessionOf(worker: NestedWorker<OnnxApi>, { inputs, outputs, runtime }: OpenedModel): ModelSession {
  return {
    inputs,
    outputs,
    runtime,
    run: (feeds, signal) => worker.answer(worker.api.run(feeds), signal),
    close: async () => worker.end(),
  };
}
