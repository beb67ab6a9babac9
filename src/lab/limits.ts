import type { JsonObject } from '../evidence/identity/json';
import { DEFAULT_LIMITS, type Limits } from '../providers/call-policy';

/** The limits that a person chose, and the usual ones for the rest. */
export function limitsOf({ max_in_flight, min_interval_ms }: JsonObject): Limits {
  return {
    maxInFlight: typeof max_in_flight === 'number' ? max_in_flight : DEFAULT_LIMITS.maxInFlight,
    minIntervalMs: typeof min_interval_ms === 'number' ? min_interval_ms : DEFAULT_LIMITS.minIntervalMs,
  };
}
