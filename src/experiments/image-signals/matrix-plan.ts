import { PixelproofError } from '../../errors';
import { canonicalId } from '../../evidence/identity/canonical';
import type { JsonObject, Sha256Id } from '../../evidence/identity/json';
import { sha256Hex } from '../../evidence/identity/sha256';
import {
  ARMS,
  type Arm,
  CANVAS,
  CELL,
  FROZEN_FILE,
  NON_CLAIMS,
  PROMPT,
  PROMPT_SHA256,
  REPETITIONS,
  RUBRIC,
} from './protocol';

/** The frozen matrix: the same prompt for every arm, so many repetitions each. */
export interface MatrixPlan {
  readonly plan_id: Sha256Id;
  readonly frozen: JsonObject;
  readonly arms: readonly Arm[];
  readonly repetitions: number;
}

/** Throws `prompt_altered` unless the text is the published one, byte for byte. */
export function verifyPrompt(text: string = PROMPT): void {
  const digest = sha256Hex(text);
  if (digest === PROMPT_SHA256) return;
  throw new PixelproofError(
    'prompt_altered',
    'The prompt is not the published one, so nothing can be compared.',
    {
      expected: PROMPT_SHA256,
      got: digest,
    },
  );
}

/** Checks the prompt and freezes the matrix. No clock and no machine enter its identity. */
export function planMatrix(arms: readonly Arm[] = ARMS): MatrixPlan {
  verifyPrompt();
  const frozen = {
    schema: 'pixelproof-matrix/1',
    cell: CELL,
    prompt: PROMPT,
    prompt_sha256: PROMPT_SHA256,
    canvas: CANVAS,
    seeded: false,
    repetitions: REPETITIONS,
    arms: arms.map(({ id, label, kind, blocked }) => ({ id, label, kind, blocked })),
    definition: JSON.parse(JSON.stringify(FROZEN_FILE)) as JsonObject,
    rubric: RUBRIC,
    non_claims: NON_CLAIMS,
  };
  return { plan_id: canonicalId(frozen), frozen, arms, repetitions: REPETITIONS };
}
