import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import {
  isPyObject,
  type PyObject,
  type PyValue,
  pythonCanonical,
  pythonCanonicalId,
} from '../../evidence/identity/python-json';
import { RECIPE_VERSION } from './protocol';
import { BACKGROUND, GREEN, RED, WHITE } from './sprites';
import { type CombinedParts, type VariantId, variantOf } from './variants';

export type RenderMode = 'labelled' | 'unlabelled';

export type RecipeOperation = {
  readonly operation: string;
  readonly operation_version: string;
  readonly parameters: PyObject;
};

/** How a representation is made from a base render. The order of operations is part of the identity. */
export type Recipe = {
  readonly version: string;
  readonly variant_id: string;
  readonly base_render_mode: RenderMode;
  readonly operations: readonly RecipeOperation[];
  readonly metadata: PyObject;
  readonly recipe_id: Sha256Id;
};

const INDICATOR_BOX = [20, 18, 56, 54];
const OVERLAY_COLOURS = {
  position: INDICATOR_BOX,
  ready_color: GREEN,
  blocked_color: RED,
  background_color: BACKGROUND,
  outline_color: WHITE,
};

function operation(name: string, version: string, parameters: PyObject): RecipeOperation {
  return { operation: name, operation_version: version, parameters };
}

const SHAPE = operation('cooldown_shape_overlay', 'v1', OVERLAY_COLOURS);
const DUAL = operation('cooldown_dual_overlay', 'v1', OVERLAY_COLOURS);
const DUPLICATE = operation('cooldown_marker_duplicate', 'v1', {
  source_position: INDICATOR_BOX,
  target_position: [840, 18, 876, 54],
});
const LANES = operation('lane_separator_enhance', 'v1', {
  left: 42,
  right: 42,
  hud: 72,
  bottom: 488,
  width: 896,
  lanes: 7,
  separator_color: WHITE,
  separator_width: 4,
  marker_radius: 6,
});
const TEXT = operation('cooldown_text_overlay', 'v2', {
  position: INDICATOR_BOX,
  ready_color: GREEN,
  blocked_color: RED,
  text_position: [68, 27],
  text_color: WHITE,
});
const ERASE_TEXT = operation('cooldown_text_erase', 'v1', {
  text_position: [68, 27],
  background_color: BACKGROUND,
});
const ERASE_NUMERALS = operation('lane_numerals_erase', 'v1', {
  left: 42,
  right: 42,
  width: 896,
  lanes: 7,
  text_y: 480,
  background_color: BACKGROUND,
});

const SEMANTIC = { family: 'semantic', design: 'historical-labelled-hierarchical-ablation' };

type Ingredients = readonly [RenderMode, readonly RecipeOperation[], PyObject];
const TABLE: { readonly [variant in Exclude<VariantId, 'combined-v1'>]: Ingredients } = {
  'labelled-v1': ['labelled', [], { family: 'reference' }],
  'unlabelled-v1': ['unlabelled', [], { family: 'reference' }],
  'cooldown-shape-v1': ['unlabelled', [SHAPE], { family: 'cooldown' }],
  'cooldown-dual-v1': ['unlabelled', [DUAL], { family: 'cooldown' }],
  'cooldown-redundant-v1': ['unlabelled', [DUAL, DUPLICATE], { family: 'cooldown' }],
  'lane-enhanced-v1': ['unlabelled', [LANES], { family: 'lane' }],
  'footer-only-v1': ['labelled', [ERASE_TEXT, ERASE_NUMERALS], SEMANTIC],
  'lane-numerals-v1': ['labelled', [ERASE_TEXT], SEMANTIC],
  'cooldown-text-v1': ['unlabelled', [TEXT], SEMANTIC],
  'semantic-labelled-v1': ['labelled', [], { ...SEMANTIC, pixel_equivalent_to: 'labelled-v1' }],
};

/** A recipe with its identity: `recipe_id = CID(recipe without recipe_id)`. */
export function makeRecipe(
  variant_id: string,
  base_render_mode: RenderMode,
  operations: readonly RecipeOperation[],
  metadata: PyObject,
): Recipe {
  const content = { version: RECIPE_VERSION, variant_id, base_render_mode, operations, metadata };
  return { ...content, recipe_id: pythonCanonicalId(content) };
}

/** The published recipe of a variant. Throws `combined_parts` when combined-v1 comes without its parts. */
export function recipeOf(variant: VariantId, parts: CombinedParts | null = null): Recipe {
  if (variant !== 'combined-v1') return makeRecipe(variant, ...TABLE[variant]);
  if (parts === null) {
    throw new PixelproofError('combined_parts', 'combined-v1 has no default parts: name both of them.', {
      expected: 'a cooldown variant and a lane variant',
      got: 'none',
    });
  }
  const cooldown = recipeOf(parts.cooldown);
  const lane = recipeOf(parts.lane);
  return makeRecipe(variant, 'unlabelled', [...cooldown.operations, ...lane.operations], {
    family: 'combined',
    combined_cooldown: parts.cooldown,
    combined_lane: parts.lane,
  });
}

/**
 * Reads a stored recipe. Throws `recipe_shape` for another structure, `recipe_id_mismatch` when its id is not that of
 * its content, `recipe_unknown` when it is not the published recipe of its variant.
 */
export function loadRecipe(value: PyValue): Recipe {
  if (!isPyObject(value)) {
    throw new PixelproofError('recipe_shape', 'A stored recipe is not an object.', { got: String(value) });
  }
  const { recipe_id, ...content } = value;
  const id = pythonCanonicalId(content);
  if (recipe_id !== id) {
    throw new PixelproofError(
      'recipe_id_mismatch',
      'recipe id mismatch: the recipe is not what its id says.',
      {
        expected: id,
        got: String(recipe_id),
      },
    );
  }
  const metadata = content.metadata;
  if (typeof content.variant_id !== 'string' || !isPyObject(metadata)) {
    throw new PixelproofError('recipe_shape', 'A stored recipe lacks its variant or metadata.', {
      expected: 'version, variant_id, base_render_mode, operations, metadata, recipe_id',
      got: Object.keys(value).join(', '),
    });
  }
  const variant = variantOf(content.variant_id);
  const known =
    variant === 'combined-v1'
      ? recipeOf(variant, {
          cooldown: variantOf(String(metadata.combined_cooldown)),
          lane: variantOf(String(metadata.combined_lane)),
        })
      : recipeOf(variant);
  if (known.recipe_id !== id) {
    throw new PixelproofError('recipe_unknown', `The recipe is not the published one of ${variant}.`, {
      expected: pythonCanonical(known),
      got: pythonCanonical(value),
    });
  }
  return known;
}
