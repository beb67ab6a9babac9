import type { Sha256Id } from '../../evidence/identity/json';
import { CARD_SCHEMA, type ClassifierCard, VARIABLES } from './card';

export const ARCADE_READER = 'arcade-reader';
export const ARCADE_READER_MODEL = 'arcade-reader-1';
/** Below `models/`. */
export const ARCADE_READER_FILE = 'arcade-reader/model.onnx';

/** What follows from the bytes of a model that ships with the site. */
export interface ShippedFile {
  readonly sha256: Sha256Id;
  readonly bytes: number;
  /** Version of the standard operators, as the file itself says. */
  readonly opset: number;
}

/** Every model that was ever shipped under a name, so that a verifier knows the weights of an old run. */
export const ARCADE_READER_MODELS: ReadonlyMap<string, ShippedFile> = new Map<string, ShippedFile>([
  [
    ARCADE_READER_MODEL,
    {
      sha256: 'sha256:aebfb0f0e7b94401be3d920517b064e7a5df97729aa814b355f9cb78112230fe',
      bytes: 138150,
      opset: 13,
    },
  ],
]);

/** How arcade-reader is asked. public/models/arcade-reader/card.json says how it was made and how often it is wrong. */
export const ARCADE_READER_CARD: ClassifierCard = {
  schema: CARD_SCHEMA,
  name: ARCADE_READER_MODEL,
  licence: 'MIT',
  input: {
    name: 'image',
    layout: 'NCHW',
    width: 112,
    height: 64,
    channels: 'RGB',
    resize: 'area',
    divide_by: 255,
    mean: [0.5, 0.5, 0.5],
    std: [0.5, 0.5, 0.5],
  },
  outputs: [
    { name: 'tank', variable: 'tank_column', classes: [...VARIABLES.tank_column], scores: 'logits' },
    { name: 'target', variable: 'target_column', classes: [...VARIABLES.target_column], scores: 'logits' },
    { name: 'cooldown', variable: 'cooldown', classes: [...VARIABLES.cooldown], scores: 'logits' },
  ],
};
