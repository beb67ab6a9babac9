import { POLICY_ARTIFACT_ID } from '../../../experiments/png-representation/policy';
import { PROMPT_DIGEST } from '../../../experiments/png-representation/prompt';
import { PROTOCOL_VERSION } from '../../../experiments/png-representation/protocol';
import type { Definition } from '../../parts/definition';

/** What no choice on the page can change. */
export const FIXED: readonly Definition[] = [
  {
    term: 'Picture',
    text: '896 × 512, RGB, PNG',
    note: 'Composed byte by byte. No canvas touches what is evidence.',
  },
  {
    term: 'Prompt',
    text: PROMPT_DIGEST,
    digest: true,
    note: 'The same for every variant.',
  },
  { term: 'Reply protocol', text: PROTOCOL_VERSION, code: true },
  {
    term: 'Policy',
    text: POLICY_ARTIFACT_ID,
    digest: true,
    note: 'Compiled table of 112 states and four actions.',
  },
  {
    term: 'Decoding',
    text: 'temperature 0, at most 128 tokens, no thinking',
    note: 'Of whoever writes text; a classifier writes none.',
  },
  { term: 'Comparison baseline', text: 'unlabelled-v1, else the first by name' },
];
