import { PixelproofError } from '../../errors';
import type { Json, Sha256Id } from '../../evidence/identity/json';
import { roundHalfEven } from '../../evidence/identity/round-half-even';
import { sha256Large } from '../../evidence/identity/sha256';
import { failed } from '../audit/classifier-audit';
import {
  CLASSIFIER,
  classifierDescription,
  classifierIdentity,
  classifierRecord,
  millionths,
  readModelName,
  type Scores,
} from '../audit/classifier-protocol';
import type {
  Call,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from '../provider';
import { type ClassifierCard, outputFor, type Variable } from './card';
import { sharesOf } from './classifier-scores';
import { classifierInput, requireSpecs } from './classifier-tensors';
import type { ModelHost, ModelSession } from './model-host';
import { onnxFacts } from './onnx-file';
import type { Pixels } from './reduce';

/** A classifier with its file, wherever it comes from. */
export interface ClassifierSource {
  readonly id: string;
  /** As in the plan. */
  readonly model: string;
  readonly host: ModelHost;
  /** RGB pixels of a PNG file. Throws what the decoder throws. */
  readonly decode: (png: Uint8Array) => Pixels;
  /** The file and its card. Throws `model_missing`, `model_not_lent`. */
  readonly load: (
    signal: AbortSignal,
  ) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly card: ClassifierCard }>;
  /** The digest that the file must have, null where any will do. A classifier's is part of its model name. */
  readonly sha256: Sha256Id | null;
}

interface Opened {
  readonly session: ModelSession;
  readonly card: ClassifierCard;
}

/** An ONNX image classifier behind the four labelled lines of the PNG experiment. */
export class ClassifierProvider implements Provider {
  readonly capabilities = ['image-text-to-text'] as const;
  readonly description: ProviderDescription;
  readonly #source: ClassifierSource;
  #opened: Opened | null = null;

  constructor(source: ClassifierSource) {
    this.#source = source;
    this.description = classifierDescription(source.id, source.model);
  }

  /**
   * Loads the file and opens it. Throws `model_missing`, `model_not_lent`, `model_changed` for other bytes than the
   * identity says, `model_inputs` where file and card do not fit, and what `ModelHost.open` throws.
   */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    await this.close();
    const { id, host, load, model, sha256 } = this.#source;
    const { bytes, card } = await load(signal);
    const model_digest = await sha256Large(bytes);
    const { base, backend } = readModelName(model);
    const expected = id === CLASSIFIER ? base : sha256;
    const got = id === CLASSIFIER ? classifierIdentity(card, model_digest) : model_digest;
    if (expected !== null && expected !== got) {
      throw new PixelproofError(
        'model_changed',
        `The file of ${card.name} is not the one that its name stands for.`,
        { expected, got },
      );
    }
    const session = await host.open(bytes, { name: card.name, backend }, signal);
    try {
      requireSpecs(card, session);
    } catch (error) {
      await session.close();
      throw error;
    }
    this.#opened = { session, card };
    const { name, version, threads } = session.runtime;
    return {
      runtime_name: name,
      runtime_version: version,
      model_digest,
      details: {
        backend,
        threads,
        opset: onnxFacts(bytes)?.opset ?? null,
        model_bytes: bytes.length,
        card: card as unknown as Json,
      },
    };
  }

  /** Resolves as every provider does: a failure of the model is a failed attempt, never an answer. */
  async readImage({ image }: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    call.signal.throwIfAborted();
    const image_sha256 = await sha256Large(image);
    const record = await this.#attempt(image, image_sha256, call.signal);
    await call.record(record);
    return record;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.session.close();
  }

  async #attempt(image: Uint8Array, image_sha256: Sha256Id, signal: AbortSignal): Promise<ExchangeRecord> {
    try {
      const began = performance.now();
      const opened = this.#opened;
      if (opened === null)
        throw new PixelproofError('model_closed', 'The model was asked before it was opened.');
      const scores = await scoresOf(opened, this.#source.decode(image), signal);
      const latency = roundHalfEven((performance.now() - began) * 1000);
      return classifierRecord(this.#source.model, opened.card, image_sha256, scores, latency);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PixelproofError)) throw error;
      return failed(image_sha256, error);
    }
  }
}

async function scoresOf({ session, card }: Opened, picture: Pixels, signal: AbortSignal): Promise<Scores> {
  const found = await session.run({ [card.input.name]: classifierInput(card, picture) }, signal);
  const of = (variable: Variable) => {
    const output = outputFor(card, variable);
    return millionths(sharesOf(output, found[output.name]));
  };
  return { tank_column: of('tank_column'), target_column: of('target_column'), cooldown: of('cooldown') };
}
