import { describe, expect, test } from 'vitest';
import golden from '../../../fixtures/png-representation/golden.json' with { type: 'json' };
import { recipeOf } from './recipes';
import { stateOfRow } from './states';
import { materialiseSteps, materialiseStepsWithPixels } from './steps';
import { VARIANTS } from './variants';

const parts = { cooldown: 'cooldown-dual-v1', lane: 'lane-enhanced-v1' } as const;

describe('steps', () => {
  test('all 2464 steps of 11 variants on 112 states have the reference digests', async () => {
    let steps = 0;
    const shown = new Map<string, { png: string[]; thumb: string[] }>();
    for (const variant of VARIANTS) {
      const recipe = recipeOf(variant, parts);
      const seen = { png: [] as string[], thumb: [] as string[] };
      shown.set(variant, seen);
      for (const row of golden.variants[variant].rows) {
        const made = await materialiseSteps(recipe, stateOfRow(row.row_id));
        expect({
          row_id: made.row_id,
          pixels_sha256: made.steps.map((step) => step.pixels_sha256),
          png_sha256: made.steps.map((step) => step.png_sha256),
          png_bytes: made.steps.map((step) => step.png.length),
          thumb_sha256: made.steps.map((step) => step.thumb_sha256),
          parameter_digests: made.steps.map((step) => step.parameter_digest),
          operation_digests: made.steps.map((step) => step.operation_digest),
          operation_chain_digest: made.operation_chain_digest,
          matrix_blob_id: made.matrix_blob_id,
        }).toEqual(row);
        steps += made.steps.length;
        seen.png.push(made.final.png_sha256);
        seen.thumb.push(made.final.thumb_sha256);
      }
    }
    expect(steps).toBe(2464);
    for (const [variant, { png, thumb }] of shown) {
      expect([new Set(png).size, new Set(thumb).size], variant).toEqual([112, 112]);
    }
    expect(shown.get('semantic-labelled-v1')).toEqual(shown.get('labelled-v1'));
    expect(new Set([...shown.values()].map(({ png }) => png.join())).size).toBe(10);
  });

  test('the worked example: chain, thumbnail and observation digest', async () => {
    const example = golden.worked_example;
    const recipe = recipeOf('cooldown-redundant-v1');
    const made = await materialiseStepsWithPixels(recipe, stateOfRow(example.row_id));
    expect(made.chain).toEqual(example.operation_chain);
    expect(Buffer.from(made.final.thumbnail).toString('base64')).toBe(example.thumbnail_base64);
    expect(made.image_observation_raw_digest).toBe(example.image_observation_raw_digest);
    expect(made.steps.map((step) => step.rgb.data.length)).toEqual([1376256, 1376256, 1376256]);
  });
});
