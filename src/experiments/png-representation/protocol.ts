/**
 * Frozen constants of the benchmark "controlled PNG representation" (ZeroModel stages 2E and 2F). Each is part of some
 * published identity, so none may be edited; a changed protocol is another protocol version.
 */
export const EXPERIMENT_ID = 'png-representation';
export const PROTOCOL_VERSION = 'zeromodel-local-model-arcade-text-state/v2';
export const RECIPE_VERSION = 'arcade-png-intervention-recipe/v1';
export const CHAIN_VERSION = 'zeromodel-video-observation-operation-chain/v1';
export const CONFIGURATION_VERSION = 'zeromodel-video-action-set-provider-evaluation-configuration/v1';
export const CASE_VERSION = 'zeromodel-video-action-set-provider-evaluation-case/v1';
export const RAW_RESPONSE_VERSION = 'zeromodel-video-action-set-provider-evaluation-raw-response/v1';
export const SUMMARY_VERSION = 'zeromodel-video-action-set-provider-evaluation-summary/v1';
export const RUN_VERSION = 'zeromodel-video-action-set-provider-evaluation-run/v1';

/** Size of every image, in pixels. */
export const CANVAS_WIDTH = 896;
export const CANVAS_HEIGHT = 512;
/** Size of the luma thumbnail that chain and blob digests cover. */
export const THUMBNAIL_WIDTH = 28;
export const THUMBNAIL_HEIGHT = 16;

/** The provider is called with this render-mode argument for every variant, labelled ones included. */
export const PROMPT_MODE = 'unlabelled';

/** Stamp of the reference's frozen-clock runs: with it, deterministic providers reproduce the published ids. */
export const FROZEN_STAMP = '20260101T000000Z';

/** Default of the reference's model argument. It enters run metadata even when the provider ignores it. */
export const DEFAULT_MODEL = 'qwen3.5';

/** Seconds; the reference's default for each call. */
export const DEFAULT_TIMEOUT_SECONDS = 180;

export type FixtureName = 'smoke' | 'canonical';

export const FIXTURES: {
  readonly [name in FixtureName]: { readonly identity: string; readonly case_mode: string };
} = {
  smoke: { identity: 'arcade-png-representation-benchmark:smoke', case_mode: 'arcade-smoke-v1' },
  canonical: {
    identity: 'arcade-png-representation-benchmark:canonical',
    case_mode: 'arcade-canonical-v1',
  },
};
