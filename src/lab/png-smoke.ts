import {
  combinedParts,
  materialiseSteps,
  POLICY_ARTIFACT_ID,
  PROMPT_DIGEST,
  published,
  recipeOf,
  stateOfRow,
  VARIANTS,
} from '../experiments/png-representation';
import { check, type SmokeCheck } from './smoke-check';

/** The reference's combined-v1. */
const PARTS = combinedParts('cooldown-dual-v1', 'lane-enhanced-v1');

/** The PNG experiment against its reference figures: identities, every step of every render, the published evidence. */
export async function* pngSmokeChecks(signal: AbortSignal): AsyncIterable<SmokeCheck> {
  const { default: golden } = await import('../../fixtures/png-representation/golden.json');
  yield check('policy artifact id', golden.policy.policy_artifact_id, POLICY_ARTIFACT_ID);
  yield check('prompt digest', golden.prompts.unlabelled.sha256, PROMPT_DIGEST);
  for (const variant of VARIANTS) {
    const reference = golden.variants[variant];
    const recipe = recipeOf(variant, PARTS);
    yield check(`${variant}: recipe id`, reference.recipe.recipe_id, recipe.recipe_id);
    let equal = 0;
    let first: string | null = null;
    for (const row of reference.rows) {
      signal.throwIfAborted();
      const made = await materialiseSteps(recipe, stateOfRow(row.row_id));
      const same =
        made.operation_chain_digest === row.operation_chain_digest &&
        made.matrix_blob_id === row.matrix_blob_id &&
        made.steps.every(
          (step, i) =>
            step.png_sha256 === row.png_sha256[i] &&
            step.pixels_sha256 === row.pixels_sha256[i] &&
            step.thumb_sha256 === row.thumb_sha256[i] &&
            step.operation_digest === row.operation_digests[i],
        );
      if (same) equal += 1;
      else first ??= row.row_id;
    }
    const all = reference.rows.length;
    yield check(
      `${variant}: states with every digest equal`,
      `${all} of ${all}`,
      `${equal} of ${all}${first === null ? '' : `, first difference at ${first}`}`,
    );
  }
  for (const { what, expected, got } of (await published()).checks)
    yield check(`published evidence, ${what}`, expected, got);
}
