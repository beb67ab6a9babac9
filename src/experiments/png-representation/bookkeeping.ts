import type { Sha256Id } from '../../evidence/identity/json';
import { type PyObject, pythonCanonicalId } from '../../evidence/identity/python-json';
import { sha256 } from '../../evidence/identity/sha256';
import { POLICY_ARTIFACT_ID, policyAction } from './policy';
import { THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from './protocol';
import { stateOfRow } from './states';
import type { Materialised } from './steps';

/**
 * Names and plans that the reference's video harness keeps around every run: one identity and one episode plan a
 * variant. They enter no comparison, but the frame id, and with it the stamp, enters every case id.
 */
function episodeId(stamp: string, variant: string): string {
  return `development:arcade-png-representation-benchmark-${stamp}-${variant}`;
}

/** The word development stands twice in the reference's frame ids. */
export function frameId(stamp: string, variant: string, ordinal: number): string {
  return `development:${episodeId(stamp, variant)}:frame-${String(ordinal).padStart(2, '0')}`;
}

function clipId(stamp: string, variant: string): string {
  return `development:${episodeId(stamp, variant)}:clip`;
}

/** Digest of the reachability tile that the reference's identities name; its content is not part of the benchmark. */
const REACHABILITY_TILE_DIGEST = 'sha256:fef2bc5fd795bb92d3bd564bccdc2d32e1b23319aba55dffed5e0391e795a5df';

/** `model` is the raw model argument. */
export function benchmarkIdentity(model: string, stamp: string, variant: string) {
  const seed_material = `local-model-arcade:${model}:${stamp}-${variant}`;
  return {
    benchmark_version: 'zeromodel-video-action-set-reachability-benchmark/v1',
    generator_version: 'zeromodel-video-action-set-reachability-generator/v1',
    contract_commit: 'local-model-zero-arcade-example',
    seed_material,
    seed_digest: sha256(seed_material),
    policy_artifact_id: POLICY_ARTIFACT_ID,
    parent_audit_sha: 'n/a',
    parent_v3_sha: 'n/a',
    reachability_tile_version: 'zeromodel-video-policy-reachability-tile/v1',
    reachability_tile_digest: REACHABILITY_TILE_DIGEST,
  };
}

const SEED_DERIVATION = 'zeromodel-video-action-set-seed-derivation/v1';

function seedNode(
  root_seed_digest: string,
  namespace: string,
  parents: readonly { readonly name: string; readonly identity: string }[],
) {
  const payload = {
    version: SEED_DERIVATION,
    root_seed_digest,
    split: 'development',
    episode_ordinal: 0,
    namespace,
    parent_identities: parents,
  };
  const seed_digest: Sha256Id = pythonCanonicalId(payload);
  return { ...payload, seed_digest, seed_int64: seedInteger(seed_digest) };
}

/** The first 16 hexadecimal digits as an integer, up to 2^64 - 1; a bare number where it is safe, as parsing gives. */
function seedInteger(digest: Sha256Id): number | bigint {
  const value = BigInt(`0x${digest.slice(7, 23)}`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** The plan of a variant's one episode, with its digest. */
export function episodePlan(model: string, stamp: string, variant: string, frames: number): PyObject {
  const { seed_digest } = benchmarkIdentity(model, stamp, variant);
  const root = seedNode(seed_digest, 'root', []);
  const concrete = seedNode(seed_digest, 'concrete_episode_seed', [
    { name: 'root', identity: root.seed_digest },
  ]);
  const content = {
    version: 'zeromodel-video-action-set-sealed-episode-plan/v1',
    seed_derivation_version: SEED_DERIVATION,
    episode_id: episodeId(stamp, variant),
    split: 'development',
    ordinal: 0,
    family_label: 'valid',
    family_ordinal: 0,
    episode_family: 'valid',
    episode_disposition: 'valid_episode',
    denominator_class: 'valid',
    final_observation_provenance: {
      materialization_status: 'materialized',
      observation_payload_included: true,
      provenance: 'in_memory_generation',
    },
    mutation_kind: null,
    source_row_id: 'local-model-arcade:source',
    secondary_row_id: null,
    family_contract: {},
    family_intervention: {},
    derived_seed_identity: concrete.seed_digest,
    episode_seed: concrete.seed_int64,
    frame_count: frames,
    seed_lineage: { concrete_episode_seed: concrete, root },
    frame_plans: Array.from({ length: frames }, (_, frame_index) => ({ frame_index })),
  };
  return { ...content, plan_digest: pythonCanonicalId(content) };
}

/** Which pixels an observation's digest covers; free text in the reference. */
const PIXEL_NOTE =
  'matrix blob holds the 28x16 luma thumbnail; full-resolution PNG digests are in the operation chain';

/** The observation of one frame: what was shown, with the digests of the thumbnail that stands for it. */
export function observation(made: Materialised, stamp: string, ordinal: number) {
  const variant = made.recipe.variant_id;
  const frame_id = frameId(stamp, variant, ordinal);
  const descriptor = {
    version: 'zeromodel-image-observation/v1',
    raw_digest: made.image_observation_raw_digest,
    shape: [THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH],
    timestamp: null,
    source_id: frame_id,
    metadata: {},
  };
  const action = policyAction(stateOfRow(made.row_id));
  return {
    frame_id,
    clip_id: clipId(stamp, variant),
    episode_id: episodeId(stamp, variant),
    sequence_number: ordinal,
    event_type: 'frame',
    family: 'arcade_png_representation_benchmark',
    expected_row: made.row_id,
    expected_action: action,
    actual_executed_action: action,
    expected_disposition: 'valid',
    frame_disposition: 'valid_frame_payload',
    matrix_blob_id: made.matrix_blob_id,
    observation_pixel_digest: made.final.thumb_sha256,
    operation_chain_digest: made.operation_chain_digest,
    provider_observation_descriptor: descriptor,
    provider_observation_digest: pythonCanonicalId({
      version: 'zeromodel-video-action-set-provider-observation-boundary/v1',
      descriptor,
    }),
    metadata: {
      variant_id: variant,
      recipe_id: made.recipe.recipe_id,
      base_render_mode: made.recipe.base_render_mode,
      source_full_resolution_image_sha256: made.steps[0]?.png_sha256 ?? made.final.png_sha256,
      final_full_resolution_image_sha256: made.final.png_sha256,
      operation_count: made.recipe.operations.length,
      pixel_note: PIXEL_NOTE,
    },
  };
}
