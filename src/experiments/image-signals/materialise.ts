import { PixelproofError } from '../../errors';
import { sha256Large } from '../../evidence/identity/sha256';
import type { CaseKey } from '../../runner/experiment';
import type { SignalsHost } from './host';
import { pictureOf, type SignalsPlan } from './plan';
import { sceneFile } from './scene-file';

/** A file, whole, and the digest that the plan knows it by. */
export interface Material {
  readonly file: string;
  readonly sha256: `sha256:${string}`;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Draws or finds the file of a case. Throws `picture_missing` and `picture_changed`. */
export async function materialiseCase(plan: SignalsPlan, key: CaseKey, host: SignalsHost): Promise<Material> {
  const { file, sha256, scene } = pictureOf(plan, key);
  const bytes = scene === null ? await host.picture(sha256) : sceneFile(scene);
  if (bytes === null) {
    throw new PixelproofError(
      'picture_missing',
      `The file of ${file} is not here; drop the same files again and the run can go on.`,
      { expected: sha256, got: 'nothing' },
    );
  }
  const found = await sha256Large(bytes);
  if (found !== sha256) {
    throw new PixelproofError('picture_changed', `${file} is not the file that the plan names.`, {
      expected: sha256,
      got: found,
    });
  }
  return { file, sha256: found, bytes };
}
