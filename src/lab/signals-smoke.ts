import { sha256Hex } from '../evidence/identity/sha256';
import { FROZEN, planSignals } from '../experiments/image-signals';
import { decodeImage } from '../pixels/decode/decode';
import { wasmEngine } from '../pixels/signals/engine';
import { check, type SmokeCheck } from './smoke-check';

/** Reads one file of `fixtures/image-signals/golden/`. */
export type ReadGolden = (file: string) => Promise<Uint8Array<ArrayBuffer>>;

/** Every reference picture: file digest, pixel digest, the four signals, the mask's total and the gates passed. */
export async function* signalsSmokeChecks(read: ReadGolden, signal: AbortSignal): AsyncIterable<SmokeCheck> {
  const { default: golden } = await import('../../fixtures/image-signals/golden/expected.json');
  for (const image of golden.images) {
    signal.throwIfAborted();
    const { file, sha256, width, height, rgb_sha256, nonwhite_total, gates_passed } = image;
    const { left_red_dominance, right_blue_dominance, bottom_yellow_presence, nonwhite_blob_count } = image;
    const bytes = await read(file);
    const decoded = await decodeImage(bytes, file);
    const plan = planSignals(FROZEN, decoded.width, decoded.height);
    const found = plan.signals(await wasmEngine.measure(decoded, plan.task));
    const expected = {
      sha256,
      width,
      height,
      rgb_sha256,
      signals: { left_red_dominance, right_blue_dominance, bottom_yellow_presence, nonwhite_blob_count },
      nonwhite_total,
      gates_passed,
    };
    const got = {
      sha256: sha256Hex(bytes),
      width: decoded.width,
      height: decoded.height,
      rgb_sha256: sha256Hex(decoded.data),
      signals: found.values,
      nonwhite_total: found.mask_total,
      gates_passed: found.gates_passed,
    };
    yield check(`reference picture ${file}`, sorted(expected), sorted(got));
  }
}

/** JSON text with keys in one order, so that only values can differ. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
