import { PixelproofError } from '../../../errors';
import type { ControlLogits, Dtype, VlmScored } from '../../audit/vlm-protocol';
import type { Picture } from '../picture';
import { type ModelFiles, RecordedFiles, requireModel } from './files';
import { lanczos } from './lanczos';
import type { Inputs, Library, LibraryTensor, Model, Processor, RawPicture, Tokenizer } from './library';
import { controlIds, controlLogits } from './scores';
import type { VlmAsked, VlmFacts, VlmSession, VlmText } from './vlm-host';

export interface LoadOptions {
  readonly dtype: Dtype;
  readonly backend: 'wasm' | 'webgpu';
  /** Calls for one file after the other, as it is read. */
  readonly onFile?: (path: string) => void;
  /** Names the device that the session is put on where the library is given a runtime of ours. */
  readonly executionProvider: 'wasm' | 'webgpu';
}

/** No address, so that the library takes every file for a local one; it asks for them below this. */
const FOLDER = 'model-files/';
/** The library remembers by name which files there are, so every load has a name of its own. */
let loads = 0;

/**
 * Loads a model from files that are here, and nothing else: the library may ask no server, keeps no cache of its own, and
 * gets every byte from the cache that it is handed. Throws `model_files_missing`, `model_architecture`,
 * `model_out_of_memory`, `model_unreadable`.
 */
export async function openVlm(
  library: Library,
  given: ModelFiles,
  { dtype, backend, executionProvider, onFile }: LoadOptions,
): Promise<VlmSession> {
  const files = new RecordedFiles(given);
  loads += 1;
  const name = `here/model-${loads}`;
  const { env } = library;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.useFS = false;
  env.useFSCache = false;
  env.useBrowserCache = false;
  env.localModelPath = FOLDER;
  // Errors only: what is missing or wrong is thrown, and nothing is written to a console.
  env.logLevel = 50;
  let fault: unknown = null;
  // A cache of ours is the one place that the library finds anything in; what it would fetch is not there.
  env.useCustomCache = true;
  env.customCache = {
    match: async (key) => {
      const path = pathIn(key, name);
      if (path === null) return undefined;
      onFile?.(path);
      // What the cache throws the library takes for “not there”.
      const bytes = await files.read(path).catch((error: unknown) => {
        fault ??= error;
        return null;
      });
      return bytes === null
        ? undefined
        : new Response(bytes, { headers: { 'content-length': String(bytes.length) } });
    },
    put: async () => undefined,
  };
  env.fetch = async () => new Response(new Uint8Array(0), { status: 404 });
  const options = {
    dtype,
    device: 'auto',
    session_options: { executionProviders: [executionProvider] },
  };
  try {
    await requireModel(given, dtype);
    const processor = await library.AutoProcessor.from_pretrained(name, {});
    const model = await library.AutoModelForImageTextToText.from_pretrained(name, options);
    const template = await templateOf(files);
    const facts: VlmFacts = {
      library: `transformers.js ${env.version}`,
      dtype,
      backend,
      files: files.loaded,
      digest: files.digest,
    };
    return new LoadedVlm(library, processor, model, template, facts);
  } catch (cause) {
    throw loadFault(fault ?? cause);
  }
}

/** The library asks for a file by the local path and by the address it would have on the hub. */
function pathIn(key: string, name: string): string | null {
  const [, rest] = key.split(`${name}/`);
  return rest === undefined ? null : rest.replace(/^resolve\/main\//, '');
}

/** The chat template where it is a file of its own; null where the tokenizer's configuration has it. */
async function templateOf(files: ModelFiles): Promise<string | null> {
  const text = async (path: string) => {
    const bytes = await files.read(path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  };
  const config = JSON.parse((await text('tokenizer_config.json')) ?? '{}') as {
    readonly chat_template?: unknown;
  };
  if (config.chat_template !== undefined) return null;
  const jinja = await text('chat_template.jinja');
  if (jinja !== null) return jinja;
  const json = await text('chat_template.json');
  const { chat_template } = JSON.parse(json ?? '{}') as { readonly chat_template?: unknown };
  return typeof chat_template === 'string' ? chat_template : null;
}

class LoadedVlm implements VlmSession {
  readonly facts: VlmFacts;
  readonly #library: Library;
  readonly #processor: Processor;
  readonly #model: Model;
  readonly #template: string | null;

  constructor(
    library: Library,
    processor: Processor,
    model: Model,
    template: string | null,
    facts: VlmFacts,
  ) {
    this.#library = library;
    this.#processor = processor;
    this.#model = model;
    this.#template = template;
    this.facts = facts;
  }

  async text(asked: VlmAsked, most: number, signal: AbortSignal): Promise<VlmText> {
    return this.#asking(signal, async () => {
      const inputs = await this.#inputs(asked);
      const stop = new this.#library.InterruptableStoppingCriteria();
      const interrupt = () => stop.interrupt();
      signal.addEventListener('abort', interrupt, { once: true });
      try {
        const ids = await this.#model.generate({
          ...inputs,
          max_new_tokens: most,
          do_sample: false,
          stopping_criteria: stop,
        });
        signal.throwIfAborted();
        const prompt = lastSide(inputs.input_ids);
        const answered = Array.from(ids.data, Number).slice(prompt);
        return {
          text: this.#tokenizer.decode(answered, { skip_special_tokens: true }),
          prompt_tokens: prompt,
          answer_tokens: answered.length,
        };
      } finally {
        signal.removeEventListener('abort', interrupt);
      }
    });
  }

  async score(asked: VlmAsked, controls: readonly string[], signal: AbortSignal): Promise<VlmScored> {
    const ids = controlIds(controls, (text) => this.#tokenizer.encode(text, { add_special_tokens: false }));
    return this.#asking(signal, async () => {
      const inputs = await this.#inputs(asked);
      const { logits } = await this.#model(inputs);
      signal.throwIfAborted();
      return { ...lastRow(logits, ids), prompt_tokens: lastSide(inputs.input_ids) };
    });
  }

  async close(): Promise<void> {
    await this.#model.dispose();
  }

  get #tokenizer(): Tokenizer {
    const { tokenizer } = this.#processor;
    if (tokenizer !== undefined) return tokenizer;
    throw new PixelproofError('model_unreadable', 'The model has no tokenizer.');
  }

  async #asking<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (cause) {
      signal.throwIfAborted();
      throw loadFault(cause, 'model_run_failed');
    }
  }

  /** The prompt in the model's own template, ending where its answer begins, with the picture before the words. */
  async #inputs({ picture, text }: VlmAsked): Promise<Inputs> {
    const words = { type: 'text', text };
    const content = picture === null ? [words] : [{ type: 'image' }, words];
    const prompt = this.#processor.apply_chat_template([{ role: 'user', content }], {
      add_generation_prompt: true,
      ...(this.#template === null ? {} : { chat_template: this.#template }),
    });
    if (picture === null) return this.#tokenizer(prompt);
    return this.#processor(prompt, [rawPicture(this.#library, picture)]);
  }
}

function lastSide({ dims }: LibraryTensor): number {
  return dims.at(-1) ?? 0;
}

function lastRow(logits: LibraryTensor, ids: Parameters<typeof controlLogits>[1]): ControlLogits {
  const { data, dims } = logits.to('float32');
  const vocabulary = dims.at(-1) ?? 0;
  const numbers = data as ArrayLike<number>;
  const row = Array.from(
    { length: vocabulary },
    (_, id) => numbers[numbers.length - vocabulary + id] ?? Number.NaN,
  );
  return controlLogits(row, ids);
}

/** A picture of the library's that changes its size without a canvas and without sharp. */
function rawPicture({ RawImage }: Library, { width, height, data }: Picture): RawPicture {
  const make = (picture: Picture): RawPicture =>
    new PlainPicture(new Uint8ClampedArray(picture.data), picture.width, picture.height, 3);
  class PlainPicture extends RawImage {
    async resize(toWidth: number, toHeight: number): Promise<RawPicture> {
      const from = { width: this.width, height: this.height, data: new Uint8Array(this.data) };
      return make(lanczos(from, Math.round(toWidth), Math.round(toHeight)));
    }
  }
  return make({ width, height, data });
}

/** How WebAssembly, its allocator and the browsers say that memory is out; none of them has a type for it. */
const NO_MEMORY =
  /bad_alloc|out of memory|cannot enlarge memory|allocation failed|failed to allocate|could not allocate|array buffer allocation/i;

function loadFault(cause: unknown, code: 'model_unreadable' | 'model_run_failed' = 'model_unreadable') {
  if (cause instanceof PixelproofError) return cause;
  const words = (cause instanceof Error ? cause.message : String(cause))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
  if (NO_MEMORY.test(words) || cause instanceof RangeError) {
    return new PixelproofError(
      'model_out_of_memory',
      'There is not enough memory for this model here. Choose a smaller one, or weights of lower precision.',
      { got: words, cause },
    );
  }
  if (code === 'model_run_failed') {
    return new PixelproofError('model_run_failed', 'The model broke off during its answer.', {
      got: words,
      cause,
    });
  }
  return new PixelproofError(
    'model_unreadable',
    'The model cannot be loaded: a file is cut, changed or of another layout.',
    { got: words, cause },
  );
}
