import type { PixelproofError } from '../errors';
import type { Json, JsonObject } from '../evidence/identity/json';

/** What a session of a vision run came to: the rows of the published result table, and what stops a run without one. */
type VisionResult = 'pass' | 'fail' | 'incomplete' | 'skip' | 'error' | 'cancelled';

export interface VisionOutcome {
  readonly result: VisionResult;
  /** One sentence, null for a pass. */
  readonly cause: string | null;
}

/** A server that cannot be asked at all. Before the first score that is a skip, and a skip is no evidence. */
const SKIPS: { readonly [code: string]: string } = {
  provider_unreachable:
    'server unreachable: it is not running, the port is another one, it refuses this page (CORS), or the browser may not reach the local network',
  provider_timeout: 'server unreachable: no answer in time',
  provider_forbidden: 'the server refuses this origin',
  provider_unauthorised: 'API key needed',
  provider_key_refused: 'the server does not accept this API key',
  provider_loading: 'the server is still loading its model',
  provider_model_missing: 'model id not in the catalogue',
  provider_text_only: 'text-only input modalities: the server has no projector for this model',
};

/** A refusal before any score that the result table calls a failure. */
const FAILURES: { readonly [code: string]: string } = {
  provider_template: 'served template',
};

/**
 * The outcome from how the run stands, what stopped it, how many questions were answered, and its report. After the first
 * scored control a failing server is an infrastructure error: no verdict, and the run can be resumed.
 */
export function visionOutcome(
  status: string,
  error: PixelproofError | null,
  { calls, answered }: { readonly calls: number; readonly answered: number },
  report: JsonObject,
): VisionOutcome {
  if (status === 'complete') {
    const { verdict, cause } = report;
    return { result: resultOf(verdict), cause: typeof cause === 'string' ? cause : null };
  }
  if (status === 'cancelled') return { result: 'cancelled', cause: 'cancelled' };
  if (error === null) return { result: 'incomplete', cause: 'not finished' };
  const said = `${error.message}${error.got === undefined ? '' : ` Found: ${error.got}.`}`;
  // A scored call that never ends is not a server that is down: it took the question.
  const stalled = error.code === 'provider_timeout' && calls > 0;
  const [skip, failure] = [stalled ? undefined : SKIPS[error.code], FAILURES[error.code]];
  if (answered === 0 && skip !== undefined) return { result: 'skip', cause: `${skip}. ${said}` };
  if (answered === 0 && failure !== undefined) return { result: 'fail', cause: `${failure}. ${said}` };
  return { result: 'error', cause: `${error.code}: ${said}` };
}

function resultOf(verdict: Json | undefined): VisionResult {
  return verdict === 'pass' || verdict === 'fail' ? verdict : 'incomplete';
}
