import * as layout from '../../wasm/atari/layout';
import { PixelproofError } from '../errors';
import { sha256Hex } from '../evidence/identity/sha256';
import type { Core } from './core';
import { hexOf } from './hex';

/** What the host knows beside the core's memory. */
export interface SnapshotHead {
  readonly md5: string;
  readonly pal: boolean;
  readonly height: number;
  readonly terminated: boolean;
  readonly score: number;
}

// Little-endian: magic, version, MD5 of the ROM, flags, height, score, then the core's state: everything before the
// pictures, and the shown rows of both pictures; last SHA-256 of all that. The state holds addresses in the core's
// memory, so a damaged one must never reach it.
const MAGIC = 0x53413250;
const MD5_AT = 8;
const FLAGS_AT = 24;
const HEIGHT_AT = 26;
const SCORE_AT = 28;
const STATE_AT = 32;
const CHIPS = layout.PICTURE_A - layout.STATE_BEGIN;
const DIGEST_BYTES = 32;

/** Writes the state of a machine. Length: 32 + 8192 + 2 x 160 x height + 32 bytes. */
export function writeSnapshot(core: Core, head: SnapshotHead): Uint8Array<ArrayBuffer> {
  const picture = head.height * layout.PICTURE_WIDTH;
  const bytes = new Uint8Array(STATE_AT + CHIPS + 2 * picture + DIGEST_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, layout.STATE_VERSION, true);
  putHex(bytes, MD5_AT, head.md5);
  view.setUint16(FLAGS_AT, (head.pal ? 1 : 0) | (head.terminated ? 2 : 0), true);
  view.setUint16(HEIGHT_AT, head.height, true);
  view.setInt32(SCORE_AT, head.score, true);
  bytes.set(core.bytes.subarray(layout.STATE_BEGIN, layout.PICTURE_A), STATE_AT);
  bytes.set(core.bytes.subarray(layout.PICTURE_A, layout.PICTURE_A + picture), STATE_AT + CHIPS);
  bytes.set(core.bytes.subarray(layout.PICTURE_B, layout.PICTURE_B + picture), STATE_AT + CHIPS + picture);
  const end = bytes.length - DIGEST_BYTES;
  putHex(bytes, end, sha256Hex(bytes.subarray(0, end)));
  return bytes;
}

/**
 * Puts a snapshot's state into a machine with the same cartridge. Throws `atari_snapshot_invalid`,
 * `atari_snapshot_version` or `atari_snapshot_rom` before it has changed anything.
 */
export function readSnapshot(core: Core, bytes: Uint8Array, md5: string): SnapshotHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < STATE_AT || view.getUint32(0, true) !== MAGIC) {
    throw new PixelproofError('atari_snapshot_invalid', 'These bytes are not a saved state.');
  }
  const version = view.getUint32(4, true);
  if (version !== layout.STATE_VERSION) {
    throw new PixelproofError(
      'atari_snapshot_version',
      'The saved state is of another version of the core.',
      {
        expected: layout.STATE_VERSION,
        got: version,
      },
    );
  }
  const savedMd5 = hexOf(bytes.subarray(MD5_AT, MD5_AT + 16));
  if (savedMd5 !== md5) {
    throw new PixelproofError('atari_snapshot_rom', 'The saved state belongs to another ROM.', {
      expected: md5,
      got: savedMd5,
    });
  }
  const height = view.getUint16(HEIGHT_AT, true);
  const picture = height * layout.PICTURE_WIDTH;
  const end = STATE_AT + CHIPS + 2 * picture;
  if (height === 0 || height > 256 || bytes.length !== end + DIGEST_BYTES) {
    throw new PixelproofError('atari_snapshot_invalid', 'The saved state is incomplete.', {
      expected: `${end + DIGEST_BYTES} bytes`,
      got: `${bytes.length} bytes`,
    });
  }
  const expected = hexOf(bytes.subarray(end));
  const got = sha256Hex(bytes.subarray(0, end));
  if (got !== expected) {
    throw new PixelproofError('atari_snapshot_invalid', 'The saved state is damaged.', { expected, got });
  }
  const flags = view.getUint16(FLAGS_AT, true);
  core.bytes.set(bytes.subarray(STATE_AT, STATE_AT + CHIPS), layout.STATE_BEGIN);
  core.bytes.set(bytes.subarray(STATE_AT + CHIPS, STATE_AT + CHIPS + picture), layout.PICTURE_A);
  core.bytes.set(bytes.subarray(STATE_AT + CHIPS + picture, end), layout.PICTURE_B);
  return {
    md5,
    pal: (flags & 1) !== 0,
    height,
    terminated: (flags & 2) !== 0,
    score: view.getInt32(SCORE_AT, true),
  };
}

function putHex(bytes: Uint8Array, at: number, hex: string): void {
  for (let i = 0; i < hex.length / 2; i += 1) {
    bytes[at + i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  }
}
