import type { OwnModelFacts, WorkerError } from '../../../../workers/api';
import { readModelName } from '../../../providers/audit/classifier-protocol';
import { failureOf } from '../../failure';
import { runner } from '../../workers';

/** A card is a page of text; a larger file was chosen by mistake and is not read. */
const MAX_CARD_FILE = 1024 * 1024;

/** The model file and card that a person has chosen in this tab. They are gone when it is reloaded. */
class OwnModelChoice {
  file: File | null = $state.raw(null);
  card: File | null = $state.raw(null);
  facts: OwnModelFacts | null = $state.raw(null);
  failure: WorkerError | null = $state.raw(null);
  busy = $state(false);

  /** Reads both when both are there. Resolves with what a plan calls them, null where they cannot be used or one is missing. */
  async take(chosen: { readonly file?: File; readonly card?: File }): Promise<string | null> {
    this.file = chosen.file ?? this.file;
    this.card = chosen.card ?? this.card;
    const { file, card } = this;
    this.facts = null;
    this.failure = null;
    if (file === null || card === null) return null;
    this.busy = true;
    try {
      const text = card.size > MAX_CARD_FILE ? '' : await card.text();
      const facts = await runner().lendModel(file, text);
      // Another file may have been chosen meanwhile.
      if (this.file !== file || this.card !== card) return null;
      this.facts = facts;
      return facts.identity;
    } catch (thrown) {
      this.failure = failureOf(thrown);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Whether a plan's model is the one that was chosen here. */
  has(model: string): boolean {
    return this.facts !== null && readModelName(model).base === this.facts.identity;
  }
}

export const ownModel = new OwnModelChoice();
