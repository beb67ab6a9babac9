import type { Backend, ModelRuntime, Tensor, TensorSpec } from '../src/providers/in-page/model-host';

export interface OpenedModel {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly runtime: ModelRuntime;
}

/** The worker of one model: nested in the runner's, ended when its model is closed. */
export interface OnnxApi {
  /** Opens the one model of this worker. Throws as `ModelHost.open`. */
  open(
    model: Uint8Array<ArrayBuffer>,
    options: { readonly name: string; readonly backend: Backend },
  ): Promise<OpenedModel>;
  /** Throws as `ModelSession.run`. */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
}
