import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toyPlan } from '../../runner/testing/toy';
import {
  collected,
  memoryDirectory,
  toyDirectory,
  toyJson,
  toyRun,
  toyZip,
} from '../../runner/testing/toy-run';
import { sha256 } from '../identity/sha256';
import type { StoredRun } from '../run';
import { bundleContents } from './contents';
import { writeDirectoryBundle } from './directory';
import type { BundleFile } from './file';
import { writeJsonBundle } from './json-writer';
import { openBundle } from './open';
import { bundleCases, bundleExchanges, bundleRun } from './records';
import { writeZipBundle } from './zip-writer';

const utf8 = new TextEncoder();
const fixture = (name: string) => new Uint8Array(readFileSync(`fixtures/evidence/${name}`));

const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function file(
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  media_type = 'text/plain',
): BundleFile {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  return { path, media_type, role: 'evidence', content: () => [bytes] };
}

async function zipWith(files: readonly BundleFile[], run?: StoredRun): Promise<Uint8Array<ArrayBuffer>> {
  const source = run ?? (await toyRun(1));
  return collected(writeZipBundle(bundleContents(source, () => toAsync(files))));
}

async function* toAsync<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}

describe('writing', () => {
  it('gives the committed bytes', async () => {
    const run = await toyRun(2);
    expect(await toyZip(run)).toEqual(fixture('toy.zip'));
    expect(await toyJson(run, true)).toEqual(fixture('toy.json'));
  });

  it('gives the same ZIP whatever the chunks of a file', async () => {
    const noise = utf8.encode(Array.from({ length: 40_000 }, (_, n) => sha256(String(n >> 3))).join('\n'));
    const cut = (size: number): BundleFile => ({
      ...file('noise.txt', noise),
      *content() {
        for (let at = 0; at < noise.length; at += size) yield noise.slice(at, at + size);
      },
    });
    const run = await toyRun(1);
    const whole = await zipWith([file('noise.txt', noise)], run);
    expect(sha256(await zipWith([cut(999)], run))).toBe(sha256(whole));
    expect(sha256(await zipWith([cut(200_001)], run))).toBe(sha256(whole));
    expect(sha256(await (await openBundle(whole)).read('noise.txt'))).toBe(sha256(noise));
  });

  it.each([1, 2, 3, 4, 5, 1000])('escapes text cut every %i bytes', async (size) => {
    const text = 'a"\\\u0000\u001f é € 😀 \u2028 ￿';
    const bytes = utf8.encode(text);
    const cut: BundleFile = {
      ...file('text.txt', bytes),
      *content() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
      },
    };
    const binary: BundleFile = { ...cut, path: 'text.bin', media_type: 'application/octet-stream' };
    const run = await toyRun(1);
    const json = await collected(
      writeJsonBundle(
        bundleContents(run, () => toAsync([cut, binary])),
        { inlineImages: false },
      ),
    );
    const bundle = await openBundle(json);
    expect(await bundle.text('text.txt')).toBe(text);
    expect(await bundle.read('text.bin')).toEqual(bytes);
    expect(await bundle.containerDifference()).toBeNull();
  });

  it.each<[string, BundleFile[]]>([
    ['bundle_path', [file('../out', 'x')]],
    ['bundle_path', [file('/etc/x', 'x')]],
    ['bundle_path', [file('a\\b', 'x')]],
    ['bundle_path', [file('a//b', 'x')]],
    ['bundle_path', [file('é', 'x')]],
    ['bundle_path', [file(`${'a'.repeat(300)}`, 'x')]],
    ['bundle_duplicate', [file('a', 'x'), file('A', 'x')]],
    ['bundle_duplicate', [file('a', 'x'), file('a/b', 'x')]],
    ['bundle_duplicate', [file('a/b', 'x'), file('a', 'x')]],
    ['bundle_duplicate', [file('cases.jsonl', 'x')]],
    ['bundle_duplicate', [file('pixelproof.json', 'x')]],
    ['bundle_path_reserved', [file('artifacts/a', 'x')]],
  ])('refuses %s', async (code, files) => {
    await expect(zipWith(files)).rejects.toMatchObject({ code });
  });

  it('refuses text that is not UTF-8 in a JSON bundle', async () => {
    const run = await toyRun(1);
    for (const bytes of [new Uint8Array([0xff, 0x20]), new Uint8Array([0x20, 0xe2, 0x82])]) {
      const contents = bundleContents(run, () => toAsync([file('a.txt', bytes)]));
      const writing = collected(writeJsonBundle(contents, { inlineImages: false }));
      await expect(writing).rejects.toMatchObject({ code: 'bundle_utf8' });
    }
  });

  it('refuses what no reader would take', async () => {
    const run = await toyRun(1);
    const piece = new Uint8Array(0);
    Object.defineProperty(piece, 'length', { value: 600 * 1024 * 1024 });
    const large = file('large.bin', piece);
    const directory = memoryDirectory();
    directory.write = async (_path, content) => {
      for await (const _ of content);
    };
    const writing = writeDirectoryBundle(
      bundleContents(run, () => toAsync([large])),
      directory,
    );
    await expect(writing).rejects.toMatchObject({ code: 'bundle_too_large' });
  });

  it('refuses a run that lost an artifact', async () => {
    const run = await toyRun(1);
    const broken: StoredRun = { ...run, artifact: async () => null };
    await expect(zipWith([], broken)).rejects.toMatchObject({ code: 'bundle_artifact_missing' });
  });

  it('leaves the output tree out of an unfinished run', async () => {
    const run = await toyRun(1);
    const partial: StoredRun = { ...run, header: { ...run.header, status: 'incomplete', done: 0 } };
    const bundle = await openBundle(await zipWith([file('tree.txt', 'x')], partial));
    expect(bundle.has('tree.txt')).toBe(false);
    expect(bundle.manifest.complete).toBe(false);
  });
});

describe('reading', () => {
  it.each(['zip', 'json', 'directory'] as const)('gives back everything from a %s', async (form) => {
    const run = await toyRun(2);
    const input =
      form === 'zip'
        ? await toyZip(run)
        : form === 'json'
          ? await toyJson(run, true)
          : await toyDirectory(run);
    const bundle = await openBundle(input);
    expect(bundle.container).toBe(form);
    expect(bundle.manifest.root_digest).toBe(ROOT);
    expect(bundle.unlisted).toEqual([]);
    expect(await collect(bundleCases(bundle))).toEqual(await collect(run.cases()));
    expect(await collect(bundleExchanges(bundle))).toEqual(await collect(run.exchanges()));
    const source = await bundleRun(bundle);
    expect(source.plan).toEqual(await toyPlan(2));
    expect(source.runtime).toEqual(run.runtime);
    expect(await collect(source.cases('twice'))).toEqual(await collect(run.cases('twice')));
    for await (const { sha256: id } of run.artifacts()) {
      expect(await source.artifact(id)).toEqual(await run.artifact(id));
    }
    expect(await source.artifact(sha256('nothing'))).toBeNull();
    await expect(bundle.read('nothing')).rejects.toMatchObject({ code: 'bundle_file_missing' });
  });

  it('names a picture that a JSON bundle does not carry', async () => {
    const bundle = await openBundle(await toyJson(await toyRun(2), false));
    expect(bundle.has('toy/images/grey-0.png')).toBe(true);
    await expect(bundle.read('toy/images/grey-0.png')).rejects.toMatchObject({ code: 'bundle_not_inlined' });
    expect(await (await bundleRun(bundle)).artifact(sha256('picture of grey 0'))).toBeNull();
  });
});
