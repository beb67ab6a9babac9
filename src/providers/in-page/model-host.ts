/** What a tensor's numbers are. */
export type TensorType = 'float32' | 'int64' | 'int32' | 'uint8' | 'bool';

/** Numbers in row-major order. `data` holds as many as the shape says: BigInt64Array for int64, Uint8Array for bool. */
export interface Tensor {
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly data: Float32Array | BigInt64Array | Int32Array | Uint8Array;
}

/** An input or output as the model file declares it. A text stands for a side that is left open, by its name. */
export interface TensorSpec {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string)[];
}

export type Backend = 'wasm' | 'webgpu';

/** What runs the model. */
export interface ModelRuntime {
  readonly name: 'onnxruntime-web';
  readonly version: string;
  readonly backend: Backend;
  readonly threads: number;
}

/** A model that is open. One question at a time; whoever opened it closes it. */
export interface ModelSession {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly runtime: ModelRuntime;
  /**
   * All outputs, by name. Throws `model_run_failed`, `model_out_of_memory`, `model_device_lost`, `model_worker_died`;
   * rejects with the signal's reason when it is aborted.
   */
  run(feeds: Readonly<Record<string, Tensor>>, signal: AbortSignal): Promise<Record<string, Tensor>>;
  /** Never throws; closing twice does nothing. */
  close(): Promise<void>;
}

/** Where models run: a worker of the page, or this process. */
export interface ModelHost {
  /**
   * A file that ships below `models/`, such as `arcade-reader/model.onnx`. Throws `model_missing`. `onProgress` hears of
   * bytes; the total is null where nobody says it.
   */
  file(
    path: string,
    signal: AbortSignal,
    onProgress?: (done: number, total: number | null) => void,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Opens an ONNX model. Throws `model_unreadable`, `model_out_of_memory`, `model_backend`, `model_worker_died`,
   * `site_part_missing`. `name` is for messages.
   */
  open(
    model: Uint8Array<ArrayBuffer>,
    options: { readonly name: string; readonly backend: Backend },
    signal: AbortSignal,
  ): Promise<ModelSession>;
}
