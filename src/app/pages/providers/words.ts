import type { Capability } from '../../../providers/provider';

/** What a capability is good for here: the experiment that asks it. */
export const ASKED_BY: {
  readonly [capability in Capability]: { readonly page: string; readonly text: string };
} = {
  'image-text-to-text': { page: 'png-representation', text: 'reads a picture in words' },
  'image-text-to-choices': { page: 'vision-controls', text: 'scores choices about a picture' },
  'state-to-choices': { page: 'pong-controls', text: 'decides from a state' },
  'text-to-image': { page: 'image-signals', text: 'draws a picture' },
};
