import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { toyExchange, toyExperiment } from '../../runner/testing/toy';
import { collected, toyDirectory, toyJson, toyRun, toyZip } from '../../runner/testing/toy-run';
import { COMPANION_PATHS } from '../bundle/companions';
import { bundleContents } from '../bundle/contents';
import { writeZipBundle } from '../bundle/zip-writer';
import { canonicalJson } from '../identity/canonical';
import type { CaseRecord, JournalledExchange, StoredRun } from '../run';
import { Findings } from './findings';
import { type VerifyOptions, type VerifyResult, verifyBundle } from './verify';

const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));
const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';
/** Computed apart from this program, as docs/evidence-format.md shows. */
const RECORD = 'sha256:01df4ab62fc86c5db25f2e02752a01c50ce61c7fa0163f9022520073c8ed4201';
const EXPERIMENTS = [toyExperiment];

const failures = (result: VerifyResult) => result.findings.filter(({ level }) => level === 'failure');
const codes = (result: VerifyResult) => failures(result).map(({ code }) => code);

async function verifyRun(change: Partial<StoredRun>, options: VerifyOptions = {}): Promise<VerifyResult> {
  const run = await toyRun(2);
  const changed = { ...run, ...change };
  const contents = bundleContents(changed, () => toyExperiment.files(run as never));
  return verifyBundle(await collected(writeZipBundle(contents)), EXPERIMENTS, options);
}

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

async function casesOf(): Promise<CaseRecord[]> {
  const cases: CaseRecord[] = [];
  for await (const one of (await toyRun(2)).cases()) cases.push(one);
  return cases;
}

describe('a bundle that stands', () => {
  it.each(['toy.zip', 'toy-zip1.zip', 'toy.json'])('%s', async (name) => {
    const told: string[] = [];
    const result = await verifyBundle(fixture(name), EXPERIMENTS, {
      expectedRoot: ROOT,
      onProgress: ({ now }) => told.push(now),
    });
    expect(failures(result)).toEqual([]);
    expect(result).toMatchObject({
      ok: true,
      experiment: 'toy',
      kind: 'wiring',
      complete: true,
      counts: { files: 9, not_inlined: 0, cases: 4, exchanges: 6, artifacts: 2, failure: 0, warning: 0 },
      root_digest: { expected: ROOT, got: ROOT },
    });
    expect(told).toContain('cases.jsonl');
  });

  it('in a folder, with a note of its owner beside it', async () => {
    const directory = await toyDirectory(await toyRun(2));
    expect((await verifyBundle(directory, EXPERIMENTS)).counts).toMatchObject({ failure: 0, warning: 0 });
    directory.files.set('notes.txt', strToU8('mine') as Uint8Array<ArrayBuffer>);
    const result = await verifyBundle(directory, EXPERIMENTS);
    expect(result.ok).toBe(true);
    expect(result.findings.find(({ level }) => level === 'warning')?.code).toBe('bundle_file_unlisted');
    directory.files.set('cases.jsonl', strToU8('') as Uint8Array<ArrayBuffer>);
    expect(codes(await verifyBundle(directory, EXPERIMENTS))).toContain('bundle_length');
  });

  it('without its pictures', async () => {
    const result = await verifyBundle(await toyJson(await toyRun(2), false), EXPERIMENTS);
    expect(result.counts.not_inlined).toBe(2);
    expect(failures(result)).toEqual([]);
  });

  it('of an experiment that this build does not know: whole is not verified', async () => {
    const result = await verifyBundle(await toyJson(await toyRun(2), true), []);
    expect(result.ok).toBe(false);
    expect(codes(result)).toEqual(['experiment_unknown']);
  });

  it('packed again by another program: the contents are intact, the container is not', async () => {
    const files = unzipSync(fixture('toy.zip'));
    const again = zipSync(files, { level: 9, mtime: '2020-02-02' }) as Uint8Array<ArrayBuffer>;
    const strict = await verifyBundle(again, EXPERIMENTS);
    expect(codes(strict)).toEqual(['bundle_container']);
    expect(failures(strict)[0]?.message).toMatch(/contents are intact.*byte \d+/);
    const lenient = await verifyBundle(again, EXPERIMENTS, { repacked: true });
    expect(lenient.ok).toBe(true);
    expect(lenient.counts.warning).toBe(1);
    const more = zipSync({ ...files, 'more.txt': strToU8('x') }) as Uint8Array<ArrayBuffer>;
    expect(codes(await verifyBundle(more, EXPERIMENTS))).toContain('bundle_file_unlisted');
  });

  it('laid out by rules of another time', async () => {
    const result = await verifyBundle(
      forged(({ manifest }) => {
        manifest.container = 'zip/9';
      }),
      EXPERIMENTS,
    );
    expect(result.ok).toBe(true);
    expect(result.findings.find(({ level }) => level === 'warning')?.code).toBe('bundle_container_unknown');
  });

  it('whose ZIP carries companions, unpacked into a folder: they are known there too', async () => {
    const files = unzipSync(fixture('toy.zip')) as Record<string, Uint8Array<ArrayBuffer>>;
    const directory = await toyDirectory(await toyRun(2));
    for (const [path, bytes] of Object.entries(files)) directory.files.set(path, bytes);
    const result = await verifyBundle(directory, EXPERIMENTS);
    expect(result.ok).toBe(true);
    expect(result.findings.map(({ code }) => code)).not.toContain('bundle_file_unlisted');
  });

  it('of an unfinished run', async () => {
    const run = await toyRun(2);
    const result = await verifyRun({
      header: { ...run.header, status: 'incomplete', done: 0 },
      cases: () => each([]),
      exchanges: () => each([]),
      artifacts: () => each([]),
    });
    expect(codes(result)).toEqual([]);
    expect(result.findings.find(({ level }) => level === 'warning')?.code).toBe('bundle_partial');
  });
});

interface Forgery {
  readonly files: Record<string, Uint8Array>;
  readonly manifest: {
    container: string;
    root_digest: string;
    record_digest: string;
    complete: boolean;
    files: { path: string; sha256: string; bytes: number }[];
  };
}

/** The fixture ZIP without companions, with something changed, and the manifest id made right again. */
function forged(change: (forgery: Forgery) => void): Uint8Array<ArrayBuffer> {
  const files = unzipSync(fixture('toy.zip'));
  // Keys of the fixture's manifest are in canonical order already, and stay so.
  const { manifest_id: _, ...manifest } = JSON.parse(new TextDecoder().decode(files['pixelproof.json']));
  for (const path of COMPANION_PATHS) delete files[path];
  change({ files, manifest });
  // The record digest from its documented parts, in canonical order, as any other program computes it.
  const { case_count, complete, experiment, kind, plan_id, provider, root_digest } = manifest;
  const listed = manifest.files.map(
    ({ bytes, media_type, path, role, sha256 }: (typeof manifest)['files'][number]) => {
      return { bytes, media_type, path, role, sha256 };
    },
  );
  const format = 'pixelproof-record/1';
  const record = {
    case_count,
    complete,
    experiment,
    files: listed,
    format,
    kind,
    plan_id,
    provider,
    root_digest,
  };
  if (manifest.record_digest !== 'kept') manifest.record_digest = sha256Of(JSON.stringify(record));
  else manifest.record_digest = RECORD;
  const manifest_id = sha256Of(JSON.stringify(manifest));
  const text = canonicalJson({ ...manifest, manifest_id });
  return zipSync({ ...files, 'pixelproof.json': strToU8(`${text}\n`) }) as Uint8Array<ArrayBuffer>;
}

function sha256Of(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

describe('a bundle that does not stand', () => {
  it('another root digest was expected', async () => {
    const result = await verifyBundle(fixture('toy.zip'), EXPERIMENTS, { expectedRoot: 'sha256:other' });
    expect(codes(result)).toEqual(['root_digest_expected']);
  });

  it('the root digest is made up, or its cases are written in another form', async () => {
    const made_up = forged(({ manifest }) => {
      manifest.root_digest = sha256Of('anything');
    });
    expect(codes(await verifyBundle(made_up, EXPERIMENTS, { repacked: true }))).toEqual(['root_digest']);
    const spaced = forged(({ files, manifest }) => {
      const text = new TextDecoder().decode(files['cases.jsonl']).replaceAll(',"', ', "');
      files['cases.jsonl'] = strToU8(text);
      const listed = manifest.files.find(({ path }) => path === 'cases.jsonl');
      Object.assign(listed ?? {}, { bytes: text.length, sha256: sha256Of(text) });
    });
    expect(codes(await verifyBundle(spaced, EXPERIMENTS, { repacked: true }))).toEqual(['cases_form']);
  });

  it('the record digest is of another record, or another one was asked for', async () => {
    const changed = forged(({ files, manifest }) => {
      const text = new TextDecoder()
        .decode(files['exchanges.jsonl'])
        .replace('"latency_us":1000', '"latency_us":9');
      files['exchanges.jsonl'] = strToU8(text);
      const listed = manifest.files.find(({ path }) => path === 'exchanges.jsonl');
      Object.assign(listed ?? {}, { bytes: text.length, sha256: sha256Of(text) });
      manifest.record_digest = 'kept';
    });
    const repacked = true;
    const result = await verifyBundle(changed, EXPERIMENTS, { repacked });
    expect(codes(result)).toEqual(['record_digest']);
    // Whoever computes every digest anew is found out only by one that is known from elsewhere.
    const anew = forged(({ files, manifest }) => {
      const text = new TextDecoder()
        .decode(files['exchanges.jsonl'])
        .replace('"latency_us":1000', '"latency_us":9');
      files['exchanges.jsonl'] = strToU8(text);
      const listed = manifest.files.find(({ path }) => path === 'exchanges.jsonl');
      Object.assign(listed ?? {}, { bytes: text.length, sha256: sha256Of(text) });
    });
    expect(codes(await verifyBundle(anew, EXPERIMENTS, { repacked, expectedRoot: ROOT }))).toEqual([]);
    expect(codes(await verifyBundle(anew, EXPERIMENTS, { repacked, expectedRecord: RECORD }))).toEqual([
      'record_digest_expected',
    ]);
  });

  it('the record digest is the same for every container', async () => {
    const run = await toyRun(2);
    for (const input of [fixture('toy.zip'), await toyJson(run, false), await toyDirectory(run)]) {
      const { record_digest } = await verifyBundle(input, EXPERIMENTS, { expectedRecord: RECORD });
      expect(record_digest).toEqual({ expected: RECORD, got: RECORD });
    }
  });

  it('a full run that calls itself unfinished, and an unfinished one with a tree', async () => {
    const full = forged(({ manifest }) => {
      manifest.complete = false;
    });
    expect(codes(await verifyBundle(full, EXPERIMENTS, { repacked: true }))).toEqual([
      'complete_mismatch',
      'file_unexpected',
      'file_unexpected',
    ]);
  });

  it('a run that was cut off before its seal is exported as the full run that it is', async () => {
    const run = await toyRun(2);
    const result = await verifyRun({ header: { ...run.header, status: 'incomplete' } });
    expect(codes(result)).toEqual([]);
    expect(result.complete).toBe(true);
  });

  it('the runtime record is gone', async () => {
    expect(codes(await verifyRun({ runtime: null }))).toEqual(['runtime_missing']);
  });

  it('the plan is not the one of its id', async () => {
    const run = await toyRun(2);
    const result = await verifyRun({ plan: { ...run.plan, frozen: { other: 1 } } });
    expect(codes(result)).toContain('plan_id');
  });

  it('cases are missing, come twice, or out of order', async () => {
    const [a, b, c, d] = await casesOf();
    if (!a || !b || !c || !d) throw new Error('four cases');
    expect(codes(await verifyRun({ cases: () => each([a, b, c]) }))).toContain('case_count');
    expect(codes(await verifyRun({ cases: () => each([a, a, b, c, d]) }))).toEqual(
      expect.arrayContaining(['case_duplicate', 'case_count']),
    );
    expect(codes(await verifyRun({ cases: () => each([b, a, c, d]) }))).toContain('case_order');
    expect(codes(await verifyRun({ cases: () => each([a, c, b, d]) }))).toContain('case_order');
    const run = await toyRun(2);
    const header = { ...run.header, status: 'incomplete' as const };
    expect(
      codes(await verifyRun({ header, cases: () => each([a, b, c, d, { ...d, ordinal: 2 }]) })),
    ).toContain('case_count');
  });

  it('the summary is not that of its cases', async () => {
    const cases = (await casesOf()).map((one) => ({ ...one, outcome: 'wrong' }));
    expect(codes(await verifyRun({ cases: () => each(cases) }))).toEqual(['toy_summary']);
  });

  it('exchanges do not fit the cases', async () => {
    const all: {
      key: { arm: string; ordinal: number };
      index: number;
      exchange: ReturnType<typeof toyExchange>;
    }[] = [];
    for await (const one of (await toyRun(2)).exchanges()) all.push(one);
    const [first, second] = all;
    if (!first || !second) throw new Error('six exchanges');
    const failed = { ...first, exchange: toyExchange(null, { cause: { code: 'x', message: 'y' } }) };
    const check = async (exchanges: typeof all) =>
      codes(await verifyRun({ exchanges: () => each(exchanges) }));
    expect(await check([failed, ...all])).toEqual([]);
    expect(await check([failed, ...all.slice(1)])).toEqual(['exchange_unanswered']);
    expect(await check([first, ...all])).toEqual(['exchange_repeated']);
    expect(await check([{ ...first, index: 1 }, ...all.slice(1)])).toEqual(['exchange_order']);
    expect(await check([...all, { ...first, key: { arm: 'other', ordinal: 0 } }])).toEqual([
      'exchange_without_case',
    ]);
    expect(
      await check([...all.slice(0, -1), all[5] ?? first].map((one, n) => (n === 5 ? failed : one))),
    ).toContain('exchange_without_case');
  });

  it('an exchange contradicts itself', async () => {
    const all: JournalledExchange[] = [];
    for await (const one of (await toyRun(2)).exchanges()) all.push(one);
    const check = async (more: Partial<JournalledExchange['exchange']>) => {
      const [first, ...rest] = all;
      if (first === undefined) throw new Error('six exchanges');
      const changed = { ...first, exchange: { ...first.exchange, ...more } };
      return codes(await verifyRun({ exchanges: () => each([changed, ...rest]) }));
    };
    expect(await check({ attempt: 2 })).toEqual(['exchange_attempt']);
    expect(await check({ status: 500 })).toEqual(['exchange_status']);
    expect(await check({ cause: { code: 'provider_http_status', message: 'x' } })).toContain(
      'exchange_status',
    );
    expect(await check({ reply_text: null })).toEqual(['exchange_reply']);
    expect(await check({ response_metadata_text: '[]' })).toEqual(['exchange_metadata']);
    expect(await check({ latency_us: -1 })).toContain('bundle_record');
  });

  it('the list of artifacts lacks one, or has one twice, out of order, or as something else', async () => {
    const run = await toyRun(2);
    const listed: { sha256: `sha256:${string}`; media_type: string; size: number }[] = [];
    for await (const one of run.artifacts()) listed.push(one);
    const [a, b] = listed;
    if (a === undefined || b === undefined) throw new Error('two artifacts');
    const check = async (lines: typeof listed) => {
      let calls = 0;
      // The list is written first; the files are taken from the true one.
      const artifacts = () => each(calls++ === 0 ? lines : listed);
      return codes(await verifyRun({ artifacts }));
    };
    expect(await check([a])).toEqual(['artifact_unlisted']);
    expect(await check([b])).toEqual(['artifact_unlisted']);
    expect(await check([])).toEqual(['artifact_unlisted', 'artifact_unlisted']);
    expect(await check([a, a, b])).toEqual(['artifact_repeated']);
    expect(await check([b, a])).toEqual(['artifact_order']);
    expect(await check([{ ...a, media_type: 'image/webp' }, b])).toEqual(['artifact_media_type']);
    expect(await check([{ ...a, size: 1 }, b])).toEqual(['artifact_missing']);
  });

  it('an artifact is not among its files', async () => {
    const run = await toyRun(2);
    let calls = 0;
    const result = await verifyRun({
      artifacts: () => {
        calls += 1;
        // Listed once, and gone when the writer looks which files it still has to add.
        return calls === 1 ? run.artifacts() : each([]);
      },
    });
    expect(codes(result)).toEqual(['artifact_missing']);
  });

  it('an experiment that breaks is a finding, not an exception', async () => {
    const next = async () => {
      throw new Error('bug');
    };
    const breaking = { id: 'toy', verify: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) };
    expect(codes(await verifyBundle(fixture('toy.zip'), [breaking]))).toEqual(['verify_internal']);
  });

  it('can be cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(verifyBundle(fixture('toy.zip'), EXPERIMENTS, { signal })).rejects.toThrow();
  });

  it('has a million faults in bounded memory', () => {
    const findings = new Findings();
    for (let n = 0; n < 2000; n += 1) findings.fail('x', String(n), 'y');
    expect(findings.list).toHaveLength(500);
    expect(findings.counts.failure).toBe(2000);
  });
});

describe('the writer', () => {
  it('gives the fixture that every check above used', async () => {
    expect(await toyZip(await toyRun(2))).toEqual(fixture('toy.zip'));
  });
});
