import { SAMPLED } from '../../../providers/audit/chat-protocol';
import type { CatalogueEntry } from '../../../providers/catalogue';

/** What a score of this provider may count for; docs/vision-controls.md says what the letters mean. */
export function creditOf({ id, runs }: CatalogueEntry): string {
  if (runs === 'recorded') return 'no credit: replayed';
  if (runs === 'wiring') return 'no credit: wiring';
  if (id === 'llama-server') return 'A with Gemma 3 turns, B with Gemma 4';
  if (id === 'transformers') return 'B';
  // What was read in the pixels is counted, and no score of a model.
  if (id === 'ocr') return 'D: never a pass';
  return id.endsWith(SAMPLED) ? 'D: never a pass' : 'B, or C where a control is not listed';
}
