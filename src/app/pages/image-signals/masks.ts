import type { Definition } from '../../../experiments/image-signals/definition';
import { BLOBS, masksOf } from '../../../experiments/image-signals/masks';

/** Every mask of a definition by name, components last where it has them. */
export function maskNames(definition: Definition): readonly string[] {
  const blobs = definition.signals.some((signal) => signal.statistic === 'components');
  return [...masksOf(definition).keys(), ...(blobs ? [BLOBS] : [])];
}
