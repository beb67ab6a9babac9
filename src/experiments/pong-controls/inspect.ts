import { PixelproofError } from '../../errors';
import { isPyObject, type PyObject, type PyValue } from '../../evidence/identity/python-json';
import { parsePythonJson } from '../../evidence/identity/python-json-parse';
import { backendOf } from './backends';
import { digestOf } from './json';
import { seenIn } from './observation';
import { parseProgram, programHash } from './programs';
import { Recorded } from './recorded';
import { RULE_4PX, ruleAction } from './rule';
import type { RunTree } from './tree';

/** One decision with all that is known of it. The first four fields are the published ones. */
export interface InspectedStep {
  /** The row of `transitions.jsonl`. */
  readonly decision: PyObject;
  readonly request: PyValue;
  readonly response: PyValue;
  readonly input_origin:
    | 'recorded-json-exchange'
    | 'reconstructed-from-recorded-program-and-observation'
    | 'unavailable';
  /** What the 4 px rule would do with the same observation, and whether it was done. */
  readonly rule_4px_action: number;
  readonly follows_rule_4px: boolean;
  /** The lines of `frames.jsonl` of this decision, empty where there is no such file. */
  readonly frames: readonly PyObject[];
}

/**
 * Looks up a decision of an episode. Throws `pong_decision` where there is none, `pong_exchange` where the exchange that
 * it names is missing or is about another observation, and `pong_record`.
 */
export async function inspectStep(tree: RunTree, decision: number): Promise<InspectedStep> {
  const recorded = new Recorded(tree);
  const row = await rowOf(recorded, decision);
  const frames: PyObject[] = [];
  for await (const { record } of recorded.lines('frames.jsonl'))
    if (record.decision === decision) frames.push(record);
  const rule = ruleAction(RULE_4PX, seenIn(row.observation).boxes);
  return {
    decision: row,
    ...(await inputOf(recorded, row)),
    rule_4px_action: rule,
    follows_rule_4px: rule === row.action,
    frames,
  };
}

async function rowOf(recorded: Recorded, decision: number): Promise<PyObject> {
  let rows = 0;
  for await (const { record } of recorded.lines('transitions.jsonl')) {
    if (record.decision === decision) return record;
    rows += 1;
  }
  throw new PixelproofError('pong_decision', 'The episode has no such decision.', {
    expected: rows === 0 ? 'none was recorded' : `0 to ${rows - 1}`,
    got: decision,
  });
}

type Input = Pick<InspectedStep, 'request' | 'response' | 'input_origin'>;

async function inputOf(recorded: Recorded, row: PyObject): Promise<Input> {
  const prediction: PyObject = isPyObject(row.prediction) ? row.prediction : {};
  const id = prediction.exchange_id;
  if (typeof id === 'number' && recorded.has('model-exchanges.jsonl')) {
    for await (const { record } of recorded.lines('model-exchanges.jsonl')) {
      if (record.exchange_id !== id) continue;
      const { request = null, response = null } = record;
      const backend = backendOf(String(prediction.backend));
      const asked = observationOf(request, backend?.id ?? '');
      if (asked === undefined || digestOf(asked) !== digestOf(row.observation ?? null)) {
        throw new PixelproofError(
          'pong_exchange',
          'The exchange of this decision is about another observation.',
          {
            expected: `the observation of decision ${row.decision}`,
            got: `exchange ${id}`,
          },
        );
      }
      return { request, response, input_origin: 'recorded-json-exchange' };
    }
    throw new PixelproofError('pong_exchange', 'The exchange of this decision is not in the file.', {
      expected: `exchange ${id}`,
      got: 'none',
    });
  }
  return (
    (await rebuilt(recorded, row, prediction)) ?? {
      request: null,
      response: null,
      input_origin: 'unavailable',
    }
  );
}

/** The observation in a request's state; a chat request holds it as text, which is rebuilt and compared elsewhere. */
function observationOf(request: PyValue, backend: string): PyValue | undefined {
  const state = isPyObject(request) ? request.state : undefined;
  if (backend === 'openai-chat') return chatObservation(request);
  return isPyObject(state) ? state.observation : undefined;
}

function chatObservation(request: PyValue): PyValue | undefined {
  const messages: PyValue | undefined = isPyObject(request) ? request.messages : undefined;
  const last: PyValue | undefined = Array.isArray(messages) ? messages[1] : undefined;
  if (!isPyObject(last) || typeof last.content !== 'string') return undefined;
  const content = parsePythonJson(last.content);
  const state = isPyObject(content) ? content.state : undefined;
  return isPyObject(state) ? state.observation : undefined;
}

async function rebuilt(recorded: Recorded, row: PyObject, prediction: PyObject): Promise<Input | null> {
  const backend = backendOf(String(prediction.backend ?? ''));
  if (backend === null || !recorded.has('manifest.json')) return null;
  const { question_program } = await recorded.document('manifest.json');
  if (question_program === undefined) return null;
  const program = parseProgram(question_program);
  if (programHash(program) !== prediction.program_hash) return null;
  return {
    request: backend.request(String(prediction.requested_model), program, row.observation ?? null),
    response: null,
    input_origin: 'reconstructed-from-recorded-program-and-observation',
  };
}
