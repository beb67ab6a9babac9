import { version } from '../../package.json';
import type { JsonObject } from '../../src/evidence/identity/json';

/** Where a run was made. Exported beside the evidence and part of no identity. */
export function environmentRecord(): JsonObject {
  return {
    program: `pixelproof ${version}`,
    platform: 'browser',
    user_agent: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    cross_origin_isolated: self.crossOriginIsolated,
  };
}
