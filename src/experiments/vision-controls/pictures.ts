import { PixelproofError } from '../../errors';
import { sha256Large } from '../../evidence/identity/sha256';
import { sniffImage } from '../../pixels/decode/sniff';
import type { Manifest, Screenshot } from './manifest';

/** A file as it was handed over, under whatever name. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A file that is the picture of a row, by its digest. */
interface AssignedPicture {
  readonly unique_data_id: string;
  readonly name: string;
  /** `sha256:` and 64 digits, over the file's bytes. */
  readonly sha256: string;
}

export interface Assignment {
  readonly assigned: readonly AssignedPicture[];
  /** Rows whose picture is not among the files. */
  readonly missing: readonly string[];
  /** Files of no row: refused for this fixture, and material for pictures of one's own. */
  readonly foreign: readonly { readonly name: string; readonly sha256: string }[];
}

/** Gives each file to the row whose digest it has; names do not matter. A file that comes twice is taken once. */
export async function assignPictures(
  { rows }: Pick<Manifest, 'rows'>,
  files: Iterable<GivenFile> | AsyncIterable<GivenFile>,
): Promise<Assignment> {
  const assigned: AssignedPicture[] = [];
  const foreign: { name: string; sha256: string }[] = [];
  for await (const { name, bytes } of files) {
    const sha256 = await sha256Large(bytes);
    const of = rows.filter(({ screenshot }) => `sha256:${screenshot.sha256}` === sha256);
    if (of.length === 0) foreign.push({ name, sha256 });
    for (const { unique_data_id } of of) {
      if (assigned.some((one) => one.unique_data_id === unique_data_id)) continue;
      assigned.push({ unique_data_id, name, sha256 });
    }
  }
  const there = new Set(assigned.map(({ unique_data_id }) => unique_data_id));
  return {
    assigned,
    missing: rows.map(({ unique_data_id }) => unique_data_id).filter((id) => !there.has(id)),
    foreign,
  };
}

const PNG_HEADER = 24;

/**
 * Checks a picture against its row before anything reaches a model. Throws `picture_changed` for another digest,
 * `picture_length`, `picture_kind` for a file that is not of the type its row says, and `picture_size` for a PNG whose
 * header names other sides.
 */
export async function requirePicture(screenshot: Screenshot, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { file_name, sha256, byte_count, mime_type, width, height } = screenshot;
  const found = await sha256Large(bytes);
  if (found !== `sha256:${sha256}`) {
    throw new PixelproofError('picture_changed', `${file_name} is not the file that the plan names.`, {
      expected: `sha256:${sha256}`,
      got: found,
    });
  }
  if (bytes.length !== byte_count) {
    throw new PixelproofError('picture_length', `${file_name} has another length than its row says.`, {
      expected: byte_count,
      got: bytes.length,
    });
  }
  const { format } = sniffImage(bytes);
  if (mime_type !== `image/${format}`) {
    throw new PixelproofError('picture_kind', `${file_name} is not the kind of picture that its row says.`, {
      expected: mime_type,
      got: format ?? 'no picture',
    });
  }
  if (format !== 'png' || bytes.length < PNG_HEADER) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const sides = `${view.getUint32(16)} x ${view.getUint32(20)}`;
  if (sides === `${width} x ${height}`) return;
  throw new PixelproofError('picture_size', `${file_name} has other sides than its row says.`, {
    expected: `${width} x ${height}`,
    got: sides,
  });
}
