import { canonicalId } from '../evidence/identity/canonical';
import type { Sha256Id } from '../evidence/identity/json';

/** What one smoke run came to. */
export interface SmokeRoot {
  readonly experiment: string;
  readonly provider: string;
  readonly root_digest: string;
}

/**
 * One digest over all smoke runs: SHA-256 of the RFC 8785 text of the list of their roots, in the order of experiment and
 * provider by UTF-16 code units, whatever order they ran in.
 */
export function overallDigest(roots: readonly SmokeRoot[]): Sha256Id {
  const plain = roots.map(({ experiment, provider, root_digest }) => ({ experiment, provider, root_digest }));
  return canonicalId(
    plain.sort((a, b) => inOrder(a.experiment, b.experiment) || inOrder(a.provider, b.provider)),
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
