import { canonicalId } from '../../evidence/identity/canonical';
import type { JsonObject } from '../../evidence/identity/json';

const lanes = [0, 1, 2, 3, 4, 5, 6];

/**
 * The form that a structured reply is held to: the five fields of the reference's structured check (`checkFields`), and
 * nothing beside them. Ranges are lists and words, because some servers refuse `minimum` and `maximum`.
 */
export const STATE_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['tank_column', 'target_present', 'target_column', 'cooldown', 'confidence'],
  properties: {
    tank_column: { type: 'integer', enum: lanes, description: 'Lane of the cyan tank.' },
    target_present: { type: 'boolean', description: 'Whether a magenta alien is visible.' },
    target_column: {
      type: 'integer',
      enum: [-1, ...lanes],
      description: 'Lane of the alien; -1 without one.',
    },
    cooldown: { type: 'integer', enum: [0, 1], description: '0 for READY, 1 for BLOCKED.' },
    confidence: { type: 'number', description: 'From 0 to 1.' },
  },
};

/** The schema enters a plan's identity by its digest. */
export const STATE_SCHEMA_ID = canonicalId(STATE_SCHEMA);
