import type { OwnModel } from '../../src/lab/models';
import { readOwnModel, requireModelSize } from '../../src/lab/own-model';
import type { OwnModelFacts } from '../api';

const lent = new Map<string, OwnModel>();

/** Models of this tab's own, by identity. Blobs are handles: their bytes are read when a run opens them. */
export const ownModels = {
  get: (identity: string): OwnModel | null => lent.get(identity) ?? null,

  async take(file: Blob, cardText: string): Promise<OwnModelFacts> {
    requireModelSize(file.size);
    const bytes = async () => new Uint8Array(await file.arrayBuffer());
    const { card, identity, sha256, opset } = await readOwnModel(await bytes(), cardText);
    lent.set(identity, { card, bytes });
    const { name, licence } = card;
    return { identity, name, licence, sha256, bytes: file.size, opset };
  },
};
