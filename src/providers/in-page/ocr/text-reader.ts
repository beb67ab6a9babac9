import { PixelproofError } from '../../../errors';
import type { SeenLine } from '../../audit/ocr-protocol';
import type { ModelHost, ModelSession, Tensor } from '../model-host';
import type { Picture } from '../picture';
import { alphabetOf, greedyCtc } from './ctc';
import { type DetectionInput, detectionInput, footerInput, type TextBox, textBoxes } from './detect';
import { recognitionInput } from './recognise';
import { weightsOf } from './weights';
import { OCR_WEIGHTS } from './weights-list';

/** Two networks that read the text in a picture. The same picture gives the same lines: one thread, no chance. */
export class TextReader {
  readonly #detection: ModelSession;
  readonly #recognition: ModelSession;
  readonly #alphabet: readonly string[];

  private constructor(detection: ModelSession, recognition: ModelSession, alphabet: readonly string[]) {
    this.#detection = detection;
    this.#recognition = recognition;
    this.#alphabet = alphabet;
  }

  /** Fetches the pair (16 MB), checks its digests and opens it. Throws `model_altered`, and as the host. */
  static async open(host: ModelHost, signal: AbortSignal): Promise<TextReader> {
    const { detection, recognition, characters } = OCR_WEIGHTS;
    const alphabet = alphabetOf(new TextDecoder().decode(await weightsOf(host, characters, signal)));
    const opened: ModelSession[] = [];
    try {
      for (const part of [detection, recognition]) {
        const bytes = await weightsOf(host, part, signal);
        opened.push(await host.open(bytes, { name: part.source, backend: 'wasm' }, signal));
      }
      const [finds, reads] = opened;
      if (finds === undefined || reads === undefined) throw unexpected('two networks', opened.length);
      return new TextReader(finds, reads, alphabet);
    } catch (error) {
      for (const session of opened) await session.close();
      throw error;
    }
  }

  get runtime() {
    return this.#detection.runtime;
  }

  /** The lines in reading order, those in which no character was read left out. Throws as `ModelSession.run`. */
  async read(picture: Picture, signal: AbortSignal): Promise<SeenLine[]> {
    const input = detectionInput(picture);
    const [, , height, width] = input.shape;
    const map = await this.#map(input, signal);
    return this.#lines(picture, textBoxes(map, [width, height], picture), signal);
  }

  /**
   * What stands at the lower edge, looked at `CLOSER` times as large: text of ten pixels is too small for the network in
   * the whole picture. Boxes are those of the whole picture. Throws as `read`.
   */
  async readFooter(picture: Picture, signal: AbortSignal): Promise<SeenLine[]> {
    const { band, input } = footerInput(picture);
    const [, , height, width] = input.shape;
    const map = await this.#map(input, signal);
    const sides = { width: band.x1 - band.x0, height: band.y1 - band.y0 };
    const found = textBoxes(map, [width, height], sides).map(({ box, score }) => ({
      score,
      box: { ...box, y0: box.y0 + band.y0, y1: box.y1 + band.y0 },
    }));
    return this.#lines(picture, found, signal);
  }

  async #map(input: DetectionInput, signal: AbortSignal): Promise<Float32Array> {
    const [, , height, width] = input.shape;
    const map = await only(this.#detection, input, signal);
    if (map.data.length !== height * width) throw unexpected(`a map of ${height} x ${width}`, map.shape);
    return numbers(map);
  }

  async #lines(picture: Picture, found: readonly TextBox[], signal: AbortSignal): Promise<SeenLine[]> {
    const lines: SeenLine[] = [];
    for (const { box } of found) {
      const strip = await only(this.#recognition, recognitionInput(picture, box), signal);
      const { text, confidence } = greedyCtc(numbers(strip), strip.shape[1] ?? 0, this.#alphabet);
      if (text === '') continue;
      const { x0, y0, x1, y1 } = box;
      lines.push({ text, confidence: Math.round(confidence * 1000), box: [x0, y0, x1, y1] });
    }
    return lines;
  }

  async close(): Promise<void> {
    await this.#detection.close();
    await this.#recognition.close();
  }
}

/** The one output of a network with one input. */
async function only(
  session: ModelSession,
  input: { readonly shape: readonly number[]; readonly data: Float32Array<ArrayBuffer> },
  signal: AbortSignal,
): Promise<Tensor> {
  const [given, ...more] = session.inputs;
  if (given === undefined || more.length > 0) throw unexpected('one input', session.inputs.length);
  const outputs = await session.run({ [given.name]: { type: 'float32', ...input } }, signal);
  const [found, ...others] = Object.values(outputs);
  if (found === undefined || others.length > 0) throw unexpected('one output', Object.keys(outputs));
  return found;
}

function numbers({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  throw unexpected('float32', type);
}

function unexpected(expected: string, got: unknown): PixelproofError {
  return new PixelproofError('model_form', 'A network of the pair is not of the form that is known.', {
    expected,
    got,
  });
}
