import type { Dtype } from '../../audit/vlm-protocol';

/** A model that is offered by name. Sizes are what its files weigh together, in millions of bytes, rounded up. */
export interface KnownModel {
  /** On the hub: `owner/name`. */
  readonly id: string;
  readonly licence: string;
  readonly parameters: string;
  readonly precisions: readonly { readonly dtype: Dtype; readonly megabytes: number }[];
}

/** Where models are downloaded from; it forwards to storage hosts of its own. */
export const HUB = 'https://huggingface.co';

/**
 * The SmolVLM family, smallest first. The sizes are estimates: decoder and embeddings from the hub's file lists, the
 * vision encoder from its 93 million parameters; the download itself says what each file weighs.
 */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    id: 'HuggingFaceTB/SmolVLM-256M-Instruct',
    licence: 'Apache-2.0',
    parameters: '256 million',
    precisions: [
      { dtype: 'int8', megabytes: 270 },
      { dtype: 'fp16', megabytes: 520 },
      { dtype: 'fp32', megabytes: 1040 },
    ],
  },
  {
    id: 'HuggingFaceTB/SmolVLM2-256M-Video-Instruct',
    licence: 'Apache-2.0',
    parameters: '256 million',
    precisions: [
      { dtype: 'int8', megabytes: 270 },
      { dtype: 'fp16', megabytes: 520 },
    ],
  },
  {
    id: 'HuggingFaceTB/SmolVLM-500M-Instruct',
    licence: 'Apache-2.0',
    parameters: '500 million',
    precisions: [
      { dtype: 'int8', megabytes: 540 },
      { dtype: 'fp16', megabytes: 1040 },
    ],
  },
];

export const DEFAULT_VLM = 'HuggingFaceTB/SmolVLM-256M-Instruct int8';

/** The address of a file of a model on the hub. */
export function hubAddress(id: string, path: string): string {
  return `${HUB}/${id}/resolve/main/${path}`;
}
