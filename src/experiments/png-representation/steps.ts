import { PixelproofError } from '../../errors';
import { joinBytes, labelled } from '../../evidence/identity/framing';
import type { Sha256Id } from '../../evidence/identity/json';
import { type PyObject, pythonCanonical, pythonCanonicalId } from '../../evidence/identity/python-json';
import { sha256, sha256Hex, sha256Large } from '../../evidence/identity/sha256';
import { encodeSurface } from '../../pixels/png-encode';
import type { RgbImage } from '../../pixels/rgb-image';
import { Surface } from '../../pixels/surface';
import { Thumbnailer } from '../../pixels/thumbnail';
import { applyOperation } from './operations';
import {
  CANVAS_HEIGHT,
  CANVAS_WIDTH,
  CHAIN_VERSION,
  PROTOCOL_VERSION,
  THUMBNAIL_HEIGHT,
  THUMBNAIL_WIDTH,
} from './protocol';
import type { Recipe } from './recipes';
import { renderBase } from './renderer';
import { type ArcadeState, rowId } from './states';

/** A picture with its three digests: of the file, of the pixels, of the thumbnail. Never mixed up. */
interface Picture {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly png_sha256: Sha256Id;
  /** Of the 1,376,256 RGB bytes: the check that depends on no encoder. */
  readonly pixels_sha256: Sha256Id;
  /** 448 luma bytes, 16 rows of 28. */
  readonly thumbnail: Uint8Array<ArrayBuffer>;
  readonly thumb_sha256: Sha256Id;
}

/** One step: 0 is the base render, k the result of the recipe's k-th operation. */
export interface Step extends Picture {
  readonly operation: string;
  readonly version: string;
  /** As the operation record holds them: the recipe's, and this step's file digest. */
  readonly parameters: PyObject;
  readonly parameter_digest: Sha256Id;
  readonly operation_digest: Sha256Id;
}
export interface StepWithPixels extends Step {
  readonly rgb: RgbImage;
}

export interface Materialised<S extends Step = Step> {
  readonly recipe: Recipe;
  readonly row_id: string;
  readonly steps: readonly S[];
  readonly final: S;
  /** The operation chain record, with its digest. */
  readonly chain: PyObject;
  readonly operation_chain_digest: Sha256Id;
  /** Bare hex, as the reference writes it. */
  readonly matrix_blob_id: string;
  readonly image_observation_raw_digest: Sha256Id;
}

const surface = new Surface(CANVAS_WIDTH, CANVAS_HEIGHT);
const thumbnailer = new Thumbnailer(CANVAS_WIDTH, CANVAS_HEIGHT, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT);

/**
 * Pictures by base, state and operations so far: the domain is finite (eleven recipes share two bases and some
 * prefixes of operations, 112 states), so this never holds more than some 1,200 pictures of about 4 kB.
 */
const pictures = new Map<string, Promise<Picture>>();

/** Forgets all pictures; for measuring. */
export function forgetPictures(): void {
  pictures.clear();
}

/** All steps of a recipe on a state, with their digests. Throws as `applyOperation` does, and `operation_no_change`. */
export async function materialiseSteps(recipe: Recipe, state: ArcadeState): Promise<Materialised> {
  return assemble(recipe, state, await Promise.all(render(recipe, state, null)));
}

/** The same with every step's pixels, for looking at: 1.4 MB a step. */
export async function materialiseStepsWithPixels(
  recipe: Recipe,
  state: ArcadeState,
): Promise<Materialised<StepWithPixels>> {
  const images: RgbImage[] = [];
  const found = await Promise.all(render(recipe, state, images));
  const plain = assemble(recipe, state, found);
  const steps = plain.steps.map((step, i) => ({ ...step, rgb: images[i] ?? surface.image() }));
  return { ...plain, steps, final: lastOf(steps) };
}

/**
 * Renders what is not known yet. Synchronous up to the hashing of pixels, so that two callers never share the surface
 * half drawn: `sha256Large` has copied its input when it returns its promise.
 */
function render(recipe: Recipe, state: ArcadeState, images: RgbImage[] | null): Promise<Picture>[] {
  let key = `${recipe.base_render_mode} ${rowId(state)}`;
  const found: Promise<Picture>[] = [];
  // How many steps the surface shows at present; -1 when it shows another state or recipe.
  let shown = -1;
  for (let index = 0; index <= recipe.operations.length; index++) {
    const operation = recipe.operations[index - 1];
    if (operation !== undefined) key += ` ${pythonCanonical(operation)}`;
    let picture = pictures.get(key);
    if (picture === undefined || images !== null) {
      if (shown < 0) {
        renderBase(recipe.base_render_mode, state, surface);
        shown = 0;
      }
      for (; shown < index; shown++) {
        const next = recipe.operations[shown];
        if (next !== undefined) applyOperation(surface, next);
      }
      images?.push(surface.image());
    }
    if (picture === undefined) {
      picture = take();
      pictures.set(key, picture);
    }
    found.push(picture);
  }
  return found;
}

function take(): Promise<Picture> {
  const pixels = sha256Large(surface.view());
  const png = encodeSurface(surface);
  const thumbnail = thumbnailer.reduce(surface);
  const digests = { png, png_sha256: sha256(png), thumbnail, thumb_sha256: sha256(thumbnail) };
  return pixels.then((pixels_sha256) => ({ ...digests, pixels_sha256 }));
}

function assemble(recipe: Recipe, state: ArcadeState, found: readonly Picture[]): Materialised {
  const steps: Step[] = [];
  const records: PyObject[] = [];
  let previous: Picture | null = null;
  for (const [index, picture] of found.entries()) {
    const applied = recipe.operations[index - 1];
    if (applied !== undefined && previous?.png_sha256 === picture.png_sha256) {
      throw new PixelproofError(
        'operation_no_change',
        `intervention operation '${applied.operation}' produced no pixel change`,
        { expected: `another picture than ${picture.png_sha256}`, got: picture.png_sha256 },
      );
    }
    const operation = applied?.operation ?? 'render_frame';
    const version = applied?.operation_version ?? PROTOCOL_VERSION;
    const parameters: PyObject = {
      ...(applied?.parameters ?? { render_mode: recipe.base_render_mode }),
      full_resolution_png_sha256: picture.png_sha256,
    };
    const parameter_digest = pythonCanonicalId(parameters);
    const record = {
      index,
      operation,
      operation_version: version,
      input_digests: [previous === null ? null : previous.thumb_sha256],
      parameters,
      output_digest: picture.thumb_sha256,
      parameter_digest,
    };
    const operation_digest = pythonCanonicalId(record);
    records.push({ ...record, operation_digest });
    steps.push({ ...picture, operation, version, parameters, parameter_digest, operation_digest });
    previous = picture;
  }
  const final = lastOf(steps);
  const chain = { version: CHAIN_VERSION, operations: records, final_emitted_digest: final.thumb_sha256 };
  const operation_chain_digest = pythonCanonicalId(chain);
  return {
    recipe,
    row_id: rowId(state),
    steps,
    final,
    chain: { ...chain, operation_chain_digest },
    operation_chain_digest,
    matrix_blob_id: matrixBlobId(final),
    image_observation_raw_digest: imageObservationRawDigest(final.thumbnail),
  };
}

function lastOf<S>(steps: readonly S[]): S {
  const last = steps.at(-1);
  if (last === undefined) throw new PixelproofError('recipe_shape', 'A recipe gave no step at all.');
  return last;
}

const SHAPE_TEXT = `[${THUMBNAIL_HEIGHT},${THUMBNAIL_WIDTH}]`;

function matrixBlobId({ thumbnail, thumb_sha256 }: Picture): string {
  return sha256Hex(
    joinBytes([
      labelled('format', 'zeromodel.matrix-blob.identity.v1'),
      labelled('version', 'zeromodel-matrix-blob/v1'),
      labelled('dtype', 'uint8'),
      labelled('shape', SHAPE_TEXT),
      labelled('quantization', pythonCanonical({ scale: null, zero_point: null })),
      labelled(
        'metadata',
        pythonCanonical({ kind: 'video_action_set_frame_pixels', pixel_digest: thumb_sha256 }),
      ),
      labelled('data', thumbnail),
    ]),
  );
}

function imageObservationRawDigest(thumbnail: Uint8Array): Sha256Id {
  const head = new TextEncoder().encode(`zeromodel.image-observation.raw.v1\0${SHAPE_TEXT}`);
  return sha256(joinBytes([head, thumbnail]));
}
