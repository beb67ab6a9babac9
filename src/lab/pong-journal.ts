import { PixelproofError } from '../errors';
import { isPyObject, PyFloat, type PyObject } from '../evidence/identity/python-json';
import { parsePythonJson } from '../evidence/identity/python-json-parse';
import { sha256, sha256Large } from '../evidence/identity/sha256';
import type { Artifact, RunHeader } from '../evidence/run';
import type { RunStore } from '../evidence/store/store';
import { leftIn, type RunTree } from '../experiments/pong-controls';
import type {
  DecisionAttempt,
  DecisionCall,
  DecisionQuestion,
  ExchangeRecord,
  Provider,
} from '../providers/provider';

/**
 * A provider that first hands out what the journal has of an episode that was cut off, in the order in which it was
 * recorded: no call is made twice. Then it asks. Throws `run_question_changed` where the episode now asks something else.
 */
export function resumedDecisions(live: Provider, journal: readonly ExchangeRecord[]): Provider {
  const left = [...journal];
  return {
    description: live.description,
    capabilities: live.capabilities,
    start: (signal) => live.start(signal),
    async decide(question: DecisionQuestion, call: DecisionCall) {
      while (left.length > 0) {
        const kept = left.shift();
        if (kept === undefined) break;
        const asked = sha256(question.body);
        if (kept.request_sha256 !== asked) {
          throw new PixelproofError(
            'run_question_changed',
            'The journalled answer is about another observation than the one asked about now.',
            { expected: kept.request_sha256, got: asked },
          );
        }
        call.reserve();
        const attempt = attemptOf(kept);
        await call.record(attempt);
        if (attempt.cause === null) return attempt;
      }
      if (live.decide === undefined) {
        throw new PixelproofError('answers_no_states', 'This provider cannot be asked about a state.', {
          got: live.capabilities,
        });
      }
      return live.decide(question, call);
    },
  };
}

function attemptOf({ reply_text, response_metadata_text, cause }: ExchangeRecord): DecisionAttempt {
  const entry = parsePythonJson(response_metadata_text);
  const { status, elapsed_seconds }: PyObject = isPyObject(entry) ? entry : {};
  const response = reply_text === null ? null : parsePythonJson(reply_text);
  return {
    status: typeof status === 'number' ? status : 'transport_error',
    seconds: elapsed_seconds instanceof PyFloat ? elapsed_seconds.value : 0,
    response: isPyObject(response) ? response : null,
    cause,
  };
}

const MEDIA: readonly (readonly [end: string, media_type: string])[] = [
  ['.jsonl', 'application/jsonl'],
  ['.png', 'image/png'],
];

/** Keeps the files of an episode that the protocol did not let end, and notes in the run's header where they are. */
export async function keepLeft(
  store: Pick<RunStore, 'keep' | 'update'>,
  run: string,
  files: RunTree,
  at: { readonly seed: number; readonly arm: string },
): Promise<void> {
  const artifacts: Artifact[] = [];
  const listed: { path: string; sha256: string; media_type: string }[] = [];
  for (const path of files.paths) {
    const bytes = await files.read(path);
    if (bytes === null) continue;
    const media_type = MEDIA.find(([end]) => path.endsWith(end))?.[1] ?? 'application/json';
    const digest = await sha256Large(bytes);
    artifacts.push({ sha256: digest, media_type, bytes });
    listed.push({ path, sha256: digest, media_type });
  }
  await store.keep(run, artifacts);
  await store.update(run, { note: { left: { seed: at.seed, arm: at.arm, files: listed } } });
}

/** Throws `pong_stopped` for a run that the protocol does not let go on. A cancelled one and one that was cut off may. */
export function requireResumable({ note, stopped }: RunHeader): void {
  if (leftIn(note) === null) return;
  throw new PixelproofError(
    'pong_stopped',
    'By the protocol a failed call ends the comparison; start a new one.',
    {
      expected: 'a run that was cancelled or cut off',
      got: stopped === null ? 'a stopped one' : `${stopped.code}: ${stopped.message}`,
    },
  );
}
