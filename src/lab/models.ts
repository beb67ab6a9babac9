import { PixelproofError } from '../errors';
import type { ClassifierCard } from '../providers/in-page/card';
import type { ModelHost } from '../providers/in-page/model-host';

/** A model of a person's own: a file of theirs with its card. */
export interface OwnModel {
  readonly card: ClassifierCard;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface LentModels extends ModelHost {
  /** What a person brought under this identity (`classifierIdentity`), null for nothing. */
  own(identity: string): OwnModel | null;
}

const nowhere = async (): Promise<never> => {
  throw new PixelproofError('model_no_host', 'No model can run here: nobody lent a place to run one.');
};
let host: LentModels = { file: nowhere, open: nowhere, own: () => null };

/** Called once by whoever can run models (the runner's worker, the command line). */
export function lendModels(lent: LentModels): void {
  host = lent;
}

/** Where models run, asked when one is needed: a provider may be described before anybody lent a place. */
export const lentModels: LentModels = {
  file: (...asked) => host.file(...asked),
  open: (...asked) => host.open(...asked),
  own: (identity) => host.own(identity),
};

/** Throws `model_not_lent` where the person has not brought the model that a plan names. */
export function ownModel(identity: string): OwnModel {
  const found = host.own(identity);
  if (found !== null) return found;
  throw new PixelproofError(
    'model_not_lent',
    'The run asks a model of your own that is not here; choose its file and its card, then resume.',
    { expected: identity, got: 'no such file' },
  );
}
