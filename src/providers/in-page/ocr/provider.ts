import { PixelproofError } from '../../../errors';
import { sha256Large } from '../../../evidence/identity/sha256';
import { OCR } from '../../audit/here-audit';
import { OCR_MODEL, ocrReply, ocrScoredText, type SeenLine, seenText } from '../../audit/ocr-protocol';
import type {
  AttemptFailure,
  Call,
  ChoiceQuestion,
  ExchangeRecord,
  ImageQuestion,
  Provider,
  ProviderDescription,
  RuntimeEvidence,
} from '../../provider';
import type { ModelHost } from '../model-host';
import type { Picture } from '../picture';
import { TextReader } from './text-reader';
import { OCR_DIGEST, OCR_WEIGHTS } from './weights-list';

const OCR_DESCRIPTION: ProviderDescription = {
  id: OCR,
  kind: 'measured',
  label: 'Text recognition in this program (PaddleOCR v4)',
  model: OCR_MODEL,
  seed: 0,
  base_url: null,
};

/** All that was read in a picture; `footer` null where nobody looked closely. */
interface Seen {
  readonly lines: readonly SeenLine[];
  readonly footer: readonly SeenLine[] | null;
}

export interface OcrSettings {
  readonly host: ModelHost;
  /** The pixels of a picture's file. Throws what the decoder throws. */
  readonly decode: (file: Uint8Array<ArrayBuffer>) => Promise<Picture>;
}

/**
 * Answers from the text that a pair of networks reads in the pixels, by a fixed rule (`ocrReply`, `ocrScore`). It
 * never sees the truth, and of a question only its own words; what is no text it does not see.
 */
export class OcrProvider implements Provider {
  readonly capabilities = ['image-text-to-text', 'image-text-to-choices'] as const;
  readonly description = OCR_DESCRIPTION;
  readonly #settings: OcrSettings;
  #reader: TextReader | null = null;
  /** What was read in each picture: a run asks about the same few again and again, and the answer is the same. */
  readonly #known = new Map<string, Seen>();

  constructor(settings: OcrSettings) {
    this.#settings = settings;
  }

  /** Loads the pair. Throws `model_altered`, `model_form`, and as the host. */
  async start(signal: AbortSignal): Promise<RuntimeEvidence> {
    await this.close();
    const reader = await TextReader.open(this.#settings.host, signal);
    this.#reader = reader;
    const { name, version, backend, threads } = reader.runtime;
    return {
      runtime_name: name,
      runtime_version: version,
      model_digest: OCR_DIGEST,
      details: {
        backend,
        threads,
        files: Object.values(OCR_WEIGHTS).map(({ source, bytes, sha256 }) => ({ source, bytes, sha256 })),
        // A text reader counts no prompt tokens; the vision experiment reads this.
        vision: true,
      },
    };
  }

  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    this.#known.clear();
    await reader?.close();
  }

  readImage(question: ImageQuestion, call: Call): Promise<ExchangeRecord> {
    return this.#answer(question.image, call, true, ({ lines, footer }) => ocrReply(lines, footer ?? []));
  }

  scoreChoices(question: ChoiceQuestion, call: Call): Promise<ExchangeRecord> {
    return this.#answer(question.image, call, false, ({ lines }) => ocrScoredText(question, lines));
  }

  async #answer(
    image: Uint8Array<ArrayBuffer> | null,
    { signal, record }: Call,
    closely: boolean,
    replyOf: (seen: Seen) => string,
  ): Promise<ExchangeRecord> {
    signal.throwIfAborted();
    const image_sha256 = image === null ? null : await sha256Large(image);
    const begun = performance.now();
    const shared = {
      request_sha256: null,
      image_sha256,
      attempt: 1,
      status: null,
      tokens: null,
      reply_error: null,
    };
    let exchange: ExchangeRecord;
    try {
      const seen =
        image === null
          ? { lines: [], footer: closely ? [] : null }
          : await this.#read(image, image_sha256 ?? '', closely, signal);
      exchange = {
        ...shared,
        cause: null,
        reply_text: replyOf(seen),
        model_in_reply: OCR_MODEL,
        latency_us: Math.round((performance.now() - begun) * 1000),
        response_metadata_text: seenText(seen.lines, seen.footer),
      };
    } catch (error) {
      signal.throwIfAborted();
      exchange = {
        ...shared,
        cause: failureOf(error),
        reply_text: null,
        model_in_reply: null,
        latency_us: null,
        response_metadata_text: '{}',
      };
    }
    await record(exchange);
    return exchange;
  }

  async #read(
    image: Uint8Array<ArrayBuffer>,
    sha256: string,
    closely: boolean,
    signal: AbortSignal,
  ): Promise<Seen> {
    const key = `${closely} ${sha256}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#reader === null) {
      throw new PixelproofError('model_not_open', 'The text reader was asked before it was loaded.');
    }
    const picture = await this.#settings.decode(image);
    const lines = await this.#reader.read(picture, signal);
    const seen = { lines, footer: closely ? await this.#reader.readFooter(picture, signal) : null };
    this.#known.set(key, seen);
    return seen;
  }
}

/** A fault of ours is thrown on; what a host or a decoder names is why there is no answer. */
function failureOf(error: unknown): AttemptFailure {
  if (!(error instanceof PixelproofError)) throw error;
  return { code: error.code, message: error.message };
}
