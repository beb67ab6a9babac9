import { anyObject } from '../bundle';
import { count, flag, integer, list, nothing, object, said, sha256, text } from '../forms';

const seed = said('Up to 2^64 - 1: read it with a parser that keeps whole numbers', integer);
const seedNode = object({
  version: text,
  root_seed_digest: sha256,
  split: text,
  episode_ordinal: count,
  namespace: text,
  parent_identities: list(object({ name: text, identity: sha256 })),
  seed_digest: sha256,
  seed_int64: seed,
});
export const bookkeeping = object({
  benchmark_identity: object({
    benchmark_version: text,
    contract_commit: text,
    generator_version: text,
    parent_audit_sha: text,
    parent_v3_sha: text,
    policy_artifact_id: sha256,
    reachability_tile_digest: sha256,
    reachability_tile_version: text,
    seed_digest: sha256,
    seed_material: text,
  }),
  episode_plan: object({
    version: text,
    seed_derivation_version: text,
    episode_id: text,
    split: text,
    ordinal: count,
    family_label: text,
    family_ordinal: count,
    episode_family: text,
    episode_disposition: text,
    denominator_class: text,
    final_observation_provenance: object({
      materialization_status: text,
      observation_payload_included: flag,
      provenance: text,
    }),
    mutation_kind: nothing,
    source_row_id: text,
    secondary_row_id: nothing,
    family_contract: anyObject,
    family_intervention: anyObject,
    derived_seed_identity: sha256,
    episode_seed: seed,
    frame_count: count,
    seed_lineage: object({ concrete_episode_seed: seedNode, root: seedNode }),
    frame_plans: list(object({ frame_index: count })),
    plan_digest: sha256,
  }),
});
