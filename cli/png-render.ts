import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { pyToPlain } from '../src/evidence/identity/python-json';
import {
  combinedParts,
  materialiseSteps,
  recipeOf,
  stateOfRow,
  variantOf,
} from '../src/experiments/png-representation';
import { writing } from './folder';
import { printJson, tell } from './output';

interface Options {
  readonly variant: string;
  readonly state: string;
  readonly combinedCooldown?: string;
  readonly combinedLane?: string;
  readonly out?: string;
  readonly json: boolean;
}

export function addRender(png: Command): void {
  png
    .command('render')
    .description('render one state through one recipe, with the digests of every step')
    .requiredOption('--variant <id>', 'one of the eleven variants')
    .requiredOption('--state <row>', 'a row id such as "tank=3|target=none|cooldown=1"')
    .option('--combined-cooldown <id>', 'for combined-v1: its cooldown part')
    .option('--combined-lane <id>', 'for combined-v1: its lane part')
    .option('--out <file>', 'write the final picture')
    .option('--json', 'print JSON', false)
    .action(async (options: Options) => {
      const variant = variantOf(options.variant);
      const given = options.combinedCooldown ?? options.combinedLane;
      if (variant !== 'combined-v1' && given !== undefined) {
        throw new PixelproofError('plan_combined', 'Only combined-v1 has parts to name.', {
          expected: 'combined-v1',
          got: `${variant} with ${given}`,
        });
      }
      const parts =
        variant === 'combined-v1' ? combinedParts(options.combinedCooldown, options.combinedLane) : null;
      const recipe = recipeOf(variant, parts);
      const made = await materialiseSteps(recipe, stateOfRow(options.state));
      const { out } = options;
      if (out !== undefined) await writing(out, () => writeFile(out, made.final.png));
      const result = {
        variant_id: variant,
        row_id: made.row_id,
        recipe_id: recipe.recipe_id,
        pixels_sha256: made.final.pixels_sha256,
        png_sha256: made.final.png_sha256,
        png_bytes: made.final.png.length,
        operation_chain_digest: made.operation_chain_digest,
        matrix_blob_id: made.matrix_blob_id,
        steps: made.steps.map((step, index) => ({
          index,
          operation: step.operation,
          operation_version: step.version,
          parameters: pyToPlain(step.parameters),
          pixels_sha256: step.pixels_sha256,
          png_sha256: step.png_sha256,
          png_bytes: step.png.length,
          thumb_sha256: step.thumb_sha256,
          parameter_digest: step.parameter_digest,
          operation_digest: step.operation_digest,
        })),
      };
      if (options.json) printJson(result);
      else {
        const lines = [
          `${result.variant_id}  ${result.row_id}`,
          `recipe  ${result.recipe_id}`,
          `pixels  ${result.pixels_sha256}`,
          `png     ${result.png_sha256}  (${result.png_bytes} bytes)`,
          ...result.steps.map((step) => `step ${step.index}  ${step.operation}  png ${step.png_sha256}`),
        ];
        tell(...lines);
      }
    });
}
