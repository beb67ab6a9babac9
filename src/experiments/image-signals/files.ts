import { PixelproofError } from '../../errors';
import type { BundleFile } from '../../evidence/bundle/file';
import { canonicalJson } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { csvColumns, csvHeader, csvRow } from './csv';
import { mediaType } from './judge';
import { markdownReport } from './markdown';
import { contentsOf, type SignalsPlan } from './plan';
import { NON_CLAIMS, PROMPT, PROMPT_SHA256 } from './protocol';
import { recordJson } from './record-json';
import { recordOfCase } from './record-of-case';
import { reportOf, summaryOf } from './report';
import { agreements } from './review';

const utf8 = new TextEncoder();
const CHUNK = 64 * 1024;

/** The output tree, in a fixed order. Everything but the pictures follows from plan and cases, byte for byte. */
export async function* outputFiles(source: RunSource<SignalsPlan>): AsyncIterable<BundleFile> {
  const { definition, cells, reviews } = contentsOf(source.plan);
  const report = await reportOf(source);
  const columns = csvColumns(definition);
  yield text('experiment.json', 'application/json', () =>
    json({
      cell: definition.id,
      prompt: PROMPT,
      prompt_sha256: PROMPT_SHA256,
      definition: source.plan.frozen.definition ?? null,
      non_claims: NON_CLAIMS,
    }),
  );
  yield streamed('records.jsonl', 'application/jsonl', source, (record) =>
    json(recordJson(recordOfCase(record, definition)) as JsonObject),
  );
  yield streamed(
    'records.csv',
    'text/csv',
    source,
    (record) => csvRow(columns, recordOfCase(record, definition)),
    csvHeader(columns),
  );
  yield text('matrix.json', 'application/json', () =>
    json({ cells: cells as unknown as Json, arms: report.arms ?? null, non_claims: NON_CLAIMS }),
  );
  yield text('reviews.json', 'application/json', () =>
    json({ reviews: reviews as unknown as Json, agreements: agreements(reviews) as unknown as Json }),
  );
  yield text('report.json', 'application/json', () => json(report));
  const summary = await summaryOf(source);
  yield text('report.md', 'text/markdown', () => markdownReport(summary));
  for await (const record of source.cases()) yield await image(source, record);
}

/** `images/<arm>/0000.png`: by place, because a file's own name comes from outside. */
export function imagePath({ arm, ordinal }: { arm: string; ordinal: number }, media_type: string): string {
  const end = EXTENSIONS[media_type] ?? 'bin';
  return `images/${arm}/${String(ordinal).padStart(4, '0')}.${end}`;
}
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

async function image(source: RunSource<SignalsPlan>, record: CaseRecord): Promise<BundleFile> {
  const sha256 = String(record.evidence.image_sha256);
  const bytes = async () => {
    const found = await source.artifact(sha256);
    if (found !== null) return found;
    throw new PixelproofError('image_missing', 'The run has lost a picture that its case names.', {
      expected: sha256,
      got: 'nothing',
    });
  };
  const media_type = mediaType(await bytes());
  return {
    path: imagePath(record, media_type),
    media_type,
    role: 'image',
    content: async function* () {
      yield await bytes();
    },
  };
}

function json(value: Json): string {
  return `${canonicalJson(value)}\n`;
}

function text(path: string, media_type: string, content: () => string): BundleFile {
  return { path, media_type, role: 'circumstance', content: () => [utf8.encode(content())] };
}

function streamed(
  path: string,
  media_type: string,
  source: RunSource<SignalsPlan>,
  line: (record: CaseRecord) => string,
  head = '',
): BundleFile {
  return {
    path,
    media_type,
    role: 'circumstance',
    content: async function* () {
      let chunk = head;
      for await (const record of source.cases()) {
        chunk += line(record);
        if (chunk.length < CHUNK) continue;
        yield utf8.encode(chunk);
        chunk = '';
      }
      if (chunk !== '') yield utf8.encode(chunk);
    },
  };
}
