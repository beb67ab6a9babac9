import referenceUrl from '../../fixtures/png-representation/golden.json?url';
import { PixelproofError } from '../../src/errors';
import { pyToJson } from '../../src/evidence/identity/python-json';
import {
  combinedParts,
  materialiseSteps,
  materialiseStepsWithPixels,
  recipeOf,
  type Step,
  stateOfRow,
  VARIANTS,
  variantOf,
} from '../../src/experiments/png-representation';
import { decodePng } from '../../src/pixels/decode/png';
import { diffImages, type ImageDiff } from '../../src/pixels/image-diff';
import type { DiffView, PixelsApi, RenderRequest, RenderView } from '../api';
import { everyRender } from './every-render';

let reproducing: AbortController | null = null;

export const api: PixelsApi = {
  async render(request) {
    const recipe = recipeOfRequest(request);
    const made = await materialiseStepsWithPixels(recipe, stateOfRow(request.row_id));
    const steps = made.steps.map((step, index) => {
      const before = made.steps[index - 1];
      return {
        index,
        operation: step.operation,
        operation_version: step.version,
        parameters: pyToJson(step.parameters) as RenderView['steps'][number]['parameters'],
        png: step.png,
        ...digestsOf(step),
        changed_pixels: before === undefined ? null : diffImages(before.rgb, step.rgb).count,
      };
    });
    return {
      variant: request.variant,
      row_id: made.row_id,
      recipe_id: recipe.recipe_id,
      operation_chain_digest: made.operation_chain_digest,
      matrix_blob_id: made.matrix_blob_id,
      steps,
    };
  },

  async diff(a, b) {
    const [left, right] = [decodePng(a), decodePng(b)];
    return viewOfDiff(diffImages(left, right), largestDifference(left.data, right.data));
  },

  async reproduceAll(onProgress) {
    reproducing?.abort();
    const cancel = new AbortController();
    reproducing = cancel;
    const reference = await referenceText();
    return everyRender(reference, VARIANTS, materialise, onProgress, cancel.signal);
  },

  async cancelReproduce() {
    reproducing?.abort();
  },
};

function recipeOfRequest({ variant, combined_cooldown, combined_lane }: RenderRequest) {
  const id = variantOf(variant);
  return recipeOf(id, id === 'combined-v1' ? combinedParts(combined_cooldown, combined_lane) : null);
}

/** The reference's combined-v1 is dual and lane. */
const REFERENCE_PARTS = combinedParts('cooldown-dual-v1', 'lane-enhanced-v1');

async function materialise(variant: string, row: string) {
  const made = await materialiseSteps(recipeOf(variantOf(variant), REFERENCE_PARTS), stateOfRow(row));
  return {
    row_id: made.row_id,
    pixels_sha256: made.steps.map((step) => step.pixels_sha256),
    png_sha256: made.steps.map((step) => step.png_sha256),
    png_bytes: made.steps.map((step) => step.png.length),
    thumb_sha256: made.steps.map((step) => step.thumb_sha256),
    parameter_digests: made.steps.map((step) => step.parameter_digest),
    operation_digests: made.steps.map((step) => step.operation_digest),
    operation_chain_digest: made.operation_chain_digest,
    matrix_blob_id: made.matrix_blob_id,
  };
}

function digestsOf({ png_sha256, pixels_sha256, thumb_sha256, parameter_digest, operation_digest }: Step) {
  return { png_sha256, pixels_sha256, thumb_sha256, parameter_digest, operation_digest };
}

async function referenceText(): Promise<string> {
  const response = await fetch(new URL(referenceUrl, import.meta.url));
  if (!response.ok) {
    throw new PixelproofError(
      'reference_missing',
      'The reference digests that come with this site did not load.',
      {
        expected: 'HTTP 200',
        got: `HTTP ${response.status}`,
      },
    );
  }
  return response.text();
}

function largestDifference(a: Uint8Array, b: Uint8Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  return most;
}

/** Magenta where the pictures differ: a colour no channel-by-channel reader mistakes for the picture's own. */
function viewOfDiff({ width, height, count, mask, box }: ImageDiff, most: number): DiffView {
  const rgba = new Uint32Array(width * height);
  for (let i = 0; i < mask.length; i++) if (mask[i] === 255) rgba[i] = 0xffb000ff;
  return {
    width,
    height,
    differing_pixels: count,
    max_channel_difference: most,
    box: box === null ? null : [box.x0, box.y0, box.x1, box.y1],
    mask: new Uint8ClampedArray(rgba.buffer),
  };
}
