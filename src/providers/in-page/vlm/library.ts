/**
 * The part of @huggingface/transformers that is used here. Whoever loads the package hands the module in, so that
 * nothing of it is in a page before somebody asks for it.
 */
export interface Library {
  readonly env: {
    version: string;
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    useFS: boolean;
    useFSCache: boolean;
    useBrowserCache: boolean;
    useCustomCache: boolean;
    customCache: {
      match(key: string): Promise<unknown>;
      put(key: string, response: unknown): Promise<unknown>;
    } | null;
    logLevel: number;
    fetch: (input: unknown, init?: unknown) => Promise<unknown>;
  };
  readonly AutoProcessor: { from_pretrained(name: string, options: object): Promise<Processor> };
  readonly AutoModelForImageTextToText: { from_pretrained(name: string, options: object): Promise<Model> };
  readonly RawImage: new (
    data: Uint8ClampedArray,
    width: number,
    height: number,
    channels: number,
  ) => RawPicture;
  readonly InterruptableStoppingCriteria: new () => { interrupt(): void };
}

export interface RawPicture {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

export interface Tokenizer {
  (text: string): Promise<Inputs> | Inputs;
  encode(text: string, options: { add_special_tokens: boolean }): readonly number[];
  decode(ids: readonly number[], options: { skip_special_tokens: boolean }): string;
}

export interface Processor {
  (text: string, images: readonly RawPicture[]): Promise<Inputs>;
  readonly tokenizer: Tokenizer | undefined;
  apply_chat_template(messages: readonly object[], options: object): string;
}

/** Numbers as the runtime has them. */
export interface LibraryTensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
  to(type: 'float32'): LibraryTensor;
}

export interface Inputs {
  readonly input_ids: LibraryTensor;
  readonly [name: string]: LibraryTensor;
}

export interface Model {
  (inputs: Inputs): Promise<{ readonly logits: LibraryTensor }>;
  generate(options: object): Promise<LibraryTensor>;
  dispose(): Promise<unknown>;
}
