import { PixelproofError } from '../../errors';
import type { ExchangeRecord } from '../../providers/provider';
import { canonicalJson } from '../identity/canonical';
import type { Json } from '../identity/json';
import { caseLine } from '../root';
import type { JournalledExchange, RunHeader, StoredRun } from '../run';
import { requireImported } from '../store/rules';
import type { BundleFile } from './file';

/** Files that every bundle has, whatever its experiment. An experiment's own tree may not use these names. */
export const OURS = {
  /** One line a case: exactly the bytes that the root digest is taken over. */
  cases: 'cases.jsonl',
  /** One line a case: what the report needs beside the evidence (latencies, raw replies, …). */
  details: 'details.jsonl',
  /** One line an attempt, failed ones included. */
  exchanges: 'exchanges.jsonl',
  /** When, where and with what choices; enters no identity. */
  environment: 'environment.json',
  /** What was running behind the provider, or null. */
  runtime: 'runtime.json',
  /** One line for each artifact: its digest, media type and size. */
  artifacts: 'artifacts.jsonl',
} as const;

/** How a manifest lists a file, before its content is known. */
export type Listed = Pick<BundleFile, 'path' | 'media_type' | 'role'>;

const EVIDENCE: readonly string[] = [OURS.cases, OURS.artifacts];

/** A file of ours as a manifest lists it. */
export function ourFile(path: string): Listed {
  const media_type = path.endsWith('.jsonl') ? 'application/jsonl' : 'application/json';
  return { path, media_type, role: EVIDENCE.includes(path) ? 'evidence' : 'circumstance' };
}

const utf8 = new TextEncoder();
const CHUNK = 64 * 1024;

/** What goes into a bundle, before its container is chosen. */
export interface BundleContents {
  readonly run: StoredRun;
  /** In the order in which they are written. Each file's content is read once. */
  files(): AsyncIterable<BundleFile>;
}

/**
 * Everything a run has, as files: ours, then the experiment's output tree, then every artifact that the tree does
 * not hold already. An unfinished run has no tree yet; its cases, exchanges and artifacts can be exported, and
 * what it has written so far where the experiment gives `unfinished`. Throws `import_unfinished`.
 */
export function bundleContents(
  run: StoredRun,
  tree: (run: StoredRun) => AsyncIterable<BundleFile>,
  unfinished?: (run: StoredRun) => AsyncIterable<BundleFile>,
): BundleContents {
  requireImported(run.header);
  return {
    run,
    files: async function* () {
      yield lines(OURS.cases, run.cases(), caseLine);
      yield lines(OURS.details, run.cases(), ({ arm, ordinal, detail }) => line({ arm, ordinal, detail }));
      yield lines(OURS.exchanges, run.exchanges(), exchangeLine);
      yield json(OURS.environment, {
        run: run.header.run,
        created_at: run.header.created_at,
        circumstances: run.plan.circumstances,
        environment: run.environment,
      });
      yield json(OURS.runtime, run.runtime === null ? null : { ...run.runtime });
      yield lines(OURS.artifacts, run.artifacts(), ({ sha256, media_type, size }) =>
        line({ sha256, media_type, bytes: size }),
      );
      if (isWhole(run.header)) yield* tree(run);
      else if (unfinished !== undefined) yield* unfinished(run);
    },
  };
}

/**
 * Every planned case is there. A run that was cut off between its last case and its seal is whole too: its cases give
 * its root digest, and a bundle that called it unfinished would contradict itself.
 */
export function isWhole({ status, done, total }: RunHeader): boolean {
  return status === 'complete' || (total > 0 && done === total);
}

/** The place of an artifact that the experiment's tree does not hold. */
export function artifactPlace(sha256: string, media_type: string): Listed {
  const path = `artifacts/${sha256.slice('sha256:'.length)}${media_type === 'image/png' ? '.png' : '.bin'}`;
  return { path, media_type, role: media_type.startsWith('image/') ? 'image' : 'evidence' };
}

export function artifactFile(run: StoredRun, sha256: string, media_type: string): BundleFile {
  return {
    ...artifactPlace(sha256, media_type),
    content: async function* () {
      const bytes = await run.artifact(sha256);
      if (bytes === null) {
        throw new PixelproofError('bundle_artifact_missing', 'The run has lost an artifact that it lists.', {
          got: sha256,
        });
      }
      yield bytes;
    },
  };
}

function line(value: Json): string {
  return `${canonicalJson(value)}\n`;
}

function exchangeLine({ key, index, exchange }: JournalledExchange): string {
  return line({ ...key, index, exchange: exchangeJson(exchange) });
}

/** An attempt field by field: an allow-list, so that nothing a provider hangs on its record is ever exported. */
function exchangeJson(exchange: ExchangeRecord): { readonly [key: string]: Json } {
  const { request_sha256, image_sha256, attempt, status, cause, reply_text, model_in_reply } = exchange;
  const { latency_us, tokens, response_metadata_text, reply_error } = exchange;
  return {
    request_sha256,
    image_sha256,
    attempt,
    status,
    cause: cause === null ? null : { code: cause.code, message: cause.message },
    reply_text,
    model_in_reply,
    latency_us,
    tokens: tokens === null ? null : { prompt: tokens.prompt, completion: tokens.completion },
    response_metadata_text,
    reply_error,
  };
}

function json(path: string, value: Json): BundleFile {
  return {
    ...ourFile(path),
    content: () => [utf8.encode(line(value))],
  };
}

/** A JSON Lines file, written in chunks of about 64 KiB whatever the number of records. */
function lines<T>(path: string, records: AsyncIterable<T>, text: (record: T) => string): BundleFile {
  return {
    ...ourFile(path),
    content: async function* () {
      let chunk = '';
      for await (const record of records) {
        chunk += text(record);
        if (chunk.length < CHUNK) continue;
        yield utf8.encode(chunk);
        chunk = '';
      }
      if (chunk !== '') yield utf8.encode(chunk);
    },
  };
}
