import { transfer } from 'comlink';
import { PixelproofError } from '../../src/errors';
import type { JsonObject } from '../../src/evidence/identity/json';
import { sha256Large } from '../../src/evidence/identity/sha256';
import {
  BLOBS,
  type Definition,
  FROZEN,
  failedRecord,
  LAYOUTS,
  masksOf,
  measureImage,
  parseDefinition,
  planSignals,
  sceneFile,
} from '../../src/experiments/image-signals';
import { decodeImage } from '../../src/pixels/decode/decode';
import type { DecodedImage } from '../../src/pixels/decode/decoded';
import { selfTest } from '../../src/pixels/decode/self-test';
import { type SignalEngine, wasmEngine } from '../../src/pixels/signals/engine';
import type { LayerView, SignalsApi, SignalsFound, SignalsItem } from '../api';
import { generateImage } from './generate';
import { blobLayer, maskLayer, shownOf, thumbOf } from './layers';
import { signalEngine } from './signal-engines';
import { unpackPictures } from './unpack';

/** Larger files are no pictures that are read here: 64 million pixels of 8 bytes, and room for metadata. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** How often the page hears of what was found, in milliseconds. */
const EVERY_MS = 100;

let cancelled = new AbortController();
/** Calls of `measure` wait for each other, so that the next files can be on their way while some are measured. */
let turn: Promise<unknown> = Promise.resolve();
let generating: AbortController | null = null;
/** The one picture that is looked at. */
let opened: { readonly name: string; readonly sha256: string; readonly image: DecodedImage } | null = null;

export const api: SignalsApi = {
  async engines() {
    const gpu = await signalEngine('webgpu');
    const engines = [wasmEngine.identity, ...(gpu === null ? [] : [gpu.identity])];
    return { engines, exact: (await selfTest()).exact };
  },

  unpack: unpackPictures,

  async measure(items, { definition, engine }, onFound) {
    const { signal } = cancelled;
    const own = definitionOf(definition);
    const mine = Promise.all([requireEngine(engine), turn]).then(([chosen]) =>
      measureItems(items, (item) => measureItem(item, own, chosen), onFound, signal),
    );
    turn = mine.catch(() => undefined);
    return mine;
  },

  async cancel() {
    cancelled.abort();
    cancelled = new AbortController();
  },

  async thumb(blob) {
    try {
      return thumbOf(await decodeImage(await bytesOf(blob)));
    } catch {
      return null;
    }
  },

  async open(blob, name) {
    opened = null;
    const bytes = await bytesOf(blob);
    const image = await decodeImage(bytes, name);
    opened = { name, sha256: (await sha256Large(bytes)).slice('sha256:'.length), image };
    const rgb = image.data.slice();
    const shown = shownOf(image);
    const { width, height } = image;
    return transfer({ width, height, rgb, shown }, [rgb.buffer, shown.rgba.buffer]);
  },

  async layer(json, mask) {
    const { image } = requireOpen();
    const definition = definitionOf(json);
    if (mask === BLOBS) {
      const least = planSignals(definition, image.width, image.height).task.least_area ?? 1;
      return sent(blobLayer(image, definition.predicates.get(definition.mask) ?? [], least));
    }
    return sent(maskLayer(image, masksOf(definition).get(mask) ?? []));
  },

  async explore(json) {
    const { name, sha256, image } = requireOpen();
    return measureImage(name, sha256, image, parseDefinition(json), wasmEngine);
  },

  async scene({ layout, seed, width, height }) {
    const known = LAYOUTS.find((each) => each === layout) ?? 'correct';
    const bytes = sceneFile({ layout: known, seed, width, height });
    const name = `scene-${known}-${seed}-${width}x${height}.png`;
    return { name, blob: new Blob([bytes], { type: 'image/png' }) };
  },

  async generate(request) {
    generating?.abort();
    const cancel = new AbortController();
    generating = cancel;
    return generateImage(request, cancel.signal);
  },

  async cancelGenerate() {
    generating?.abort(new DOMException('Cancelled.', 'AbortError'));
  },
};

/** One after the other; what was found is told now and then and at the end. False when it was cancelled. */
async function measureItems(
  items: readonly SignalsItem[],
  measure: (item: SignalsItem) => Promise<SignalsFound>,
  onFound: (found: readonly SignalsFound[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let batch: SignalsFound[] = [];
  let told = performance.now();
  const tell = () => {
    if (batch.length > 0) onFound(batch);
    batch = [];
    told = performance.now();
  };
  for (const item of items) {
    if (signal.aborted) break;
    batch.push(await measure(item));
    if (performance.now() - told >= EVERY_MS) tell();
  }
  tell();
  return !signal.aborted;
}

/** A file that cannot be read or decoded gets a record of its own; the rest goes on. */
async function measureItem(
  { id, name, blob }: SignalsItem,
  definition: Definition,
  engine: SignalEngine,
): Promise<SignalsFound> {
  let sha256: string | null = null;
  try {
    const bytes = await bytesOf(blob);
    sha256 = (await sha256Large(bytes)).slice('sha256:'.length);
    const image = await decodeImage(bytes, name);
    const record = await measureImage(name, sha256, image, definition, engine);
    return { id, record, thumb: thumbOf(image) };
  } catch (error) {
    return { id, record: failedRecord(name, sha256, error), thumb: null };
  }
}

/** Throws `file_too_large` and `file_unreadable`. */
async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (blob.size > MAX_FILE_BYTES) {
    throw new PixelproofError('file_too_large', 'The file is larger than any picture that is read here.', {
      expected: `at most ${MAX_FILE_BYTES} bytes`,
      got: `${blob.size} bytes`,
    });
  }
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (cause) {
    throw new PixelproofError('file_unreadable', 'The file cannot be read.', {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

function definitionOf(json: JsonObject | null): Definition {
  return json === null ? FROZEN : parseDefinition(json);
}

async function requireEngine(id: string): Promise<SignalEngine> {
  const engine = await signalEngine(id);
  if (engine !== null) return engine;
  throw new PixelproofError('engine_missing', 'The engine that was chosen is not to be had here.', {
    expected: id,
    got: 'none',
  });
}

function requireOpen() {
  if (opened !== null) return opened;
  throw new PixelproofError('picture_not_open', 'No picture is open to be looked at.');
}

function sent(layer: LayerView): LayerView {
  return transfer(layer, [layer.rgba.buffer]);
}
