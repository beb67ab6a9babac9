import { PixelproofError } from '../../../errors';
import type { Json, Sha256Id } from '../../../evidence/identity/json';
import { sha256, sha256Large } from '../../../evidence/identity/sha256';
import type { Dtype } from '../../audit/vlm-protocol';

/** Where a model's files are: a folder that a person chose, or what was downloaded before. Never the network. */
export interface ModelFiles {
  has(path: string): Promise<boolean>;
  /** The bytes of a path such as `onnx/vision_encoder_int8.onnx`; null where there is no such file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

const SUFFIXES: { readonly [dtype in Dtype]: string } = {
  fp32: '',
  fp16: '_fp16',
  int8: '_int8',
  uint8: '_uint8',
  q8: '_quantized',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

const PARTS = ['vision_encoder', 'embed_tokens', 'decoder_model_merged'] as const;
const TEXTS = [
  'config.json',
  'preprocessor_config.json',
  'processor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
] as const;

/** The files without which a model cannot be loaded. */
export function neededFiles(dtype: Dtype): readonly string[] {
  return [...TEXTS, ...PARTS.map((part) => `onnx/${part}${SUFFIXES[dtype]}.onnx`)];
}

/** Files that some models have beside those. */
export const OPTIONAL_FILES = [
  'generation_config.json',
  'chat_template.jinja',
  'chat_template.json',
] as const;

/** Kinds of models whose prompt and pictures are put together here as their authors do. */
const MODEL_TYPES = ['idefics3', 'smolvlm'] as const;

export interface LoadedFile {
  readonly [key: string]: Json;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: Sha256Id;
}

/** A model's files with what was read of them: what ran is told by digests, not by a name. */
export class RecordedFiles implements ModelFiles {
  readonly #files: ModelFiles;
  readonly #read = new Map<string, LoadedFile>();

  constructor(files: ModelFiles) {
    this.#files = files;
  }

  has(path: string): Promise<boolean> {
    return this.#files.has(path);
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await this.#files.read(path);
    if (bytes !== null && !this.#read.has(path))
      this.#read.set(path, { path, bytes: bytes.length, sha256: await sha256Large(bytes) });
    return bytes;
  }

  /** In the order of their paths. */
  get loaded(): readonly LoadedFile[] {
    return [...this.#read.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Of a line for each file: its path and its digest. */
  get digest(): Sha256Id {
    return filesDigest(this.loaded);
  }
}

export function filesDigest(files: readonly LoadedFile[]): Sha256Id {
  return sha256(files.map(({ path, sha256: digest }) => `${path} ${digest}\n`).join(''));
}

/**
 * Throws `model_files_missing` where a needed file is not there, `model_architecture` for a model of
 * another kind.
 */
export async function requireModel(files: ModelFiles, dtype: Dtype): Promise<void> {
  const config = await files.read('config.json');
  if (config === null) throw missing(neededFiles(dtype), ['config.json']);
  const kind = modelType(config);
  if (!MODEL_TYPES.some((each) => each === kind)) {
    throw new PixelproofError(
      'model_architecture',
      'This kind of model is not read here; SmolVLM and Idefics3 are.',
      { expected: MODEL_TYPES.join(' or '), got: kind },
    );
  }
  const absent: string[] = [];
  for (const path of neededFiles(dtype)) if (!(await files.has(path))) absent.push(path);
  if (absent.length > 0) throw missing(neededFiles(dtype), absent);
}

function missing(needed: readonly string[], absent: readonly string[]): PixelproofError {
  return new PixelproofError(
    'model_files_missing',
    `The model folder lacks ${absent.join(', ')}. Choose the folder that holds config.json, with weights of this precision.`,
    { expected: needed.join(', '), got: `without ${absent.join(', ')}` },
  );
}

function modelType(config: Uint8Array<ArrayBuffer>): string {
  try {
    const { model_type } = JSON.parse(new TextDecoder().decode(config)) as { readonly model_type?: unknown };
    return String(model_type ?? 'none');
  } catch {
    return 'no JSON';
  }
}
