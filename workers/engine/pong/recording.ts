import { PixelproofError } from '../../../src/errors';
import { canonicalId } from '../../../src/evidence/identity/canonical';
import { isPyObject, type PyObject } from '../../../src/evidence/identity/python-json';
import { parsePythonJson } from '../../../src/evidence/identity/python-json-parse';
import { sha256Large } from '../../../src/evidence/identity/sha256';
import { RecordedDecisions } from '../../../src/providers/recorded-decisions';
import type { PongFile } from '../../pong-api';

/** Recorded exchanges, ready to answer in the place of a provider. */
export interface Recording {
  readonly lines: readonly string[];
  /** Over the files' digests, whatever their order. */
  readonly digest: string;
  readonly backend: string;
  readonly model: string;
  readonly expectedModel: string | null;
  provider(): RecordedDecisions;
}

/** Gathers the exchanges of files and folders. Throws `recording_invalid` where there is none. */
export async function recordingOf(files: readonly PongFile[]): Promise<Recording> {
  const named = files.filter(({ path }) => path.endsWith('model-exchanges.jsonl'));
  const chosen = named.length > 0 ? named : files.filter(({ path }) => path.endsWith('.jsonl'));
  const lines: string[] = [];
  const digests: string[] = [];
  for (const { blob } of chosen) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    digests.push(await sha256Large(bytes));
    for (const line of new TextDecoder().decode(bytes).split('\n')) if (line !== '') lines.push(line);
  }
  const first = lines[0] === undefined ? null : parsePythonJson(lines[0]);
  const { request, response, transport }: PyObject = isPyObject(first) ? first : {};
  if (!isPyObject(request) || !isPyObject(transport)) {
    throw new PixelproofError('recording_invalid', 'There is no recorded exchange in what was chosen.', {
      expected: 'a model-exchanges.jsonl, alone or in a folder or zip',
      got:
        files
          .map(({ path }) => path)
          .slice(0, 3)
          .join(', ') || 'no file',
    });
  }
  const model = String(transport.requested_model ?? request.model);
  const answered = isPyObject(response) ? String(response.model) : model;
  const backend = 'messages' in request ? 'openai-chat' : /^~?typesafe\//.test(model) ? 'openrouter' : 'jev';
  return {
    lines,
    digest: canonicalId(digests.sort()),
    backend,
    model,
    expectedModel: answered === model ? null : answered,
    provider: () => new RecordedDecisions(lines, { id: backend, model }),
  };
}
