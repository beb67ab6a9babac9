import { sha256Large } from '../../evidence/identity/sha256';
import { encodePng } from '../../pixels/png-encode';
import { drawScene, type SceneOptions } from './scene';

/** A drawn scene as a PNG file: the same options give the same bytes everywhere. Throws `scene_size`. */
export function sceneFile(scene: SceneOptions): Uint8Array<ArrayBuffer> {
  return encodePng(drawScene(scene));
}

/** Name and digest of a drawn scene's file. */
export async function sceneIdentity(scene: SceneOptions): Promise<{ file: string; sha256: string }> {
  const { layout, seed, width, height } = scene;
  return {
    file: `scene-${layout}-${seed}-${width}x${height}.png`,
    sha256: await sha256Large(sceneFile(scene)),
  };
}
