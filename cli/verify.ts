import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { type BundleInput, containerBegun, HEAD_BYTES, LIMITS } from '../src/evidence/bundle';
import { isSha256Id } from '../src/evidence/identity/sha256';
import { type VerifyResult, verifyBundle } from '../src/evidence/verify';
import { verifiers } from '../src/lab/lab';
import { EXIT } from './exit';
import { folderBundle, JOURNAL } from './folder';
import { printJson, say, tell } from './output';
import type { Session } from './session';
import { SHARD_FILE } from './shard';

/** Bytes read at once. */
const PIECE = 1024 * 1024;

interface Options {
  readonly repacked: boolean;
  readonly root?: string;
  readonly record?: string;
  readonly json: boolean;
}

export function addVerifyCommand(program: Command, session: Session): void {
  program
    .command('verify')
    .description('recompute everything in a bundle from the bundle alone and name what differs')
    .argument('<path>', 'a bundle: zip, JSON or folder')
    .option('--repacked', 'accept a container that was packed again by other tools', false)
    .option('--root <digest>', 'a root digest known from elsewhere, which the bundle must have')
    .option('--record <digest>', 'the same for the record digest, which covers every file of the bundle')
    .option('--json', 'print the result as JSON', false)
    .action(async (path: string, options: Options) => {
      requireDigest('--root', options.root);
      requireDigest('--record', options.record);
      const result = await verifyBundle(await inputAt(path, session.signal), verifiers, {
        repacked: options.repacked,
        signal: session.signal,
        ...(options.root === undefined ? {} : { expectedRoot: options.root }),
        ...(options.record === undefined ? {} : { expectedRecord: options.record }),
      });
      if (options.json) printJson(result);
      else sayResult(path, result);
      session.exit(result.ok ? EXIT.complete : EXIT.difference);
    });
}

/** A misspelt digest would only ever look like a forged bundle. Throws `option_digest`. */
function requireDigest(option: string, text: string | undefined): void {
  if (text === undefined || isSha256Id(text)) return;
  throw new PixelproofError('option_digest', `${option} names no digest.`, {
    expected: 'sha256: and 64 lowercase hexadecimal digits',
    got: text,
  });
}

/** A bundle at a path. Throws `input_unreadable`, `bundle_too_large`, `bundle_unfinished`. */
export async function inputAt(path: string, signal: AbortSignal): Promise<BundleInput> {
  try {
    const there = statSync(path);
    if (there.isDirectory()) {
      requireFinished(path);
      return folderBundle(path);
    }
    if (there.size > LIMITS.zipBytes) throw tooLarge(path, there.size);
    return await bytesAt(path, signal);
  } catch (cause) {
    if (signal.aborted || cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('input_unreadable', `${path} cannot be read.`, {
      got: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

/** A run that was killed leaves its journal and no bundle yet. Throws `bundle_unfinished`. */
function requireFinished(folder: string): void {
  const has = (name: string) => existsSync(join(folder, name));
  if (has('pixelproof.json') || !has(JOURNAL) || has(SHARD_FILE)) return;
  throw new PixelproofError(
    'bundle_unfinished',
    `The run in ${folder} was interrupted; go on with it: the command that began it, with --resume --out ${folder}.`,
    { expected: 'pixelproof.json', got: JOURNAL },
  );
}

/** Read in pieces: a pipe or a device says no size and may never end. What begins as no bundle is read no further. */
async function bytesAt(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of createReadStream(path, { signal, highWaterMark: PIECE })) {
    parts.push(part);
    size += part.length;
    if (size > LIMITS.zipBytes) throw tooLarge(path, size);
    if (parts.length === 1 && part.length >= HEAD_BYTES && containerBegun(part) === null) break;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function tooLarge(path: string, got: number): PixelproofError {
  const expected = `at most ${LIMITS.zipBytes} bytes`;
  return new PixelproofError('bundle_too_large', `${path} is too large to be a bundle.`, { expected, got });
}

function sayResult(path: string, { ok, counts, findings, root_digest, record_digest }: VerifyResult): void {
  for (const { level, code, where, message, expected, got } of findings) {
    if (level === 'pass') continue;
    say(`${level}  ${code}  ${where}`);
    say(`  ${message}`);
    if (expected !== undefined) say(`  expected: ${expected}`);
    if (got !== undefined) say(`  got:      ${got}`);
  }
  const verdict = ok
    ? 'verified'
    : `NOT verified: ${counts.failure} ${counts.failure === 1 ? 'difference' : 'differences'}`;
  tell(`${path}: ${verdict} (${counts.files} files, ${counts.cases} cases, ${counts.pass} checks held)`);
  if (root_digest.got !== null) tell(`root digest   ${root_digest.got}`);
  if (record_digest.got !== null) tell(`record digest ${record_digest.got}`);
}
