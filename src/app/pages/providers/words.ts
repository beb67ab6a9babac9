import type { Capability } from '../../../providers/provider';

/** What a capability is good for here: the experiment that asks it. */
export const ASKED_BY: {
  readonly [capability in Capability]: {
    readonly page: string;
    readonly title: string;
    readonly text: string;
  };
} = {
  'image-text-to-text': {
    page: 'png-representation',
    title: 'PNG representation',
    text: 'reads a picture in words',
  },
  'image-text-to-choices': {
    page: 'vision-controls',
    title: 'Vision controls',
    text: 'scores choices about a picture',
  },
  'state-to-choices': { page: 'pong-controls', title: 'Pong controls', text: 'decides from a state' },
  'text-to-image': { page: 'image-signals', title: 'Image signals', text: 'draws a picture' },
};
