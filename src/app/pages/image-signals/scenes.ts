import { LAYOUTS, type SceneOptions } from '../../../experiments/image-signals/scene';

/** One drawing of every layout, each from a seed of its own. */
export const SCENE_SET: readonly SceneOptions[] = LAYOUTS.map((layout, i) => ({
  layout,
  seed: 11 + i,
  width: 512,
  height: 512,
}));
