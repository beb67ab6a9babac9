import { Unzip, UnzipInflate } from 'fflate';
import { PixelproofError } from '../../src/errors';

/** What one archive may unpack to: files, and bytes in all. A bomb stops here. */
const MAX_FILES = 10_000;
const MAX_BYTES = 4 * 1024 * 1024 * 1024;
const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** The library calls itself once for each file of a piece: small pieces keep thousands of tiny files off the stack. */
const PIECE = 16 * 1024;
/** Methods of the format that are read. */
const STORED = 0;
const DEFLATED = 8;

interface Unpacked {
  readonly name: string;
  readonly blob: Blob;
}

/**
 * The files of a zip from anywhere, streamed: each becomes a blob, which the browser may keep on disk. Folders and names
 * that begin with a dot are left out. Throws `zip_damaged`, `zip_bomb`, `zip_unsupported`.
 */
export async function unpackPictures(zip: Blob): Promise<readonly Unpacked[]> {
  const found: Unpacked[] = [];
  let total = 0;
  let open = 0;
  let fault: PixelproofError | null = null;
  const stop = (error: PixelproofError) => {
    fault ??= error;
  };
  const unzip = new Unzip((file) => {
    if (fault !== null) return;
    const base = file.name.split('/').at(-1) ?? '';
    if (base === '' || base.startsWith('.') || file.name.startsWith('__MACOSX/')) return;
    if (found.length >= MAX_FILES) return stop(bomb('files', MAX_FILES));
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    const index = found.length;
    found.push({ name: file.name, blob: new Blob([]) });
    file.ondata = (error, chunk, final) => {
      if (fault !== null) return;
      if (error !== null) {
        return stop(
          new PixelproofError('zip_damaged', 'The archive is damaged.', {
            got: `${file.name}: ${error.message}`,
          }),
        );
      }
      size += chunk.length;
      total += chunk.length;
      if (size > MAX_FILE_BYTES || total > MAX_BYTES) return stop(bomb('bytes', MAX_BYTES));
      parts.push(chunk.slice());
      if (!final) return;
      open -= 1;
      found[index] = { name: file.name, blob: new Blob(parts) };
      parts = [];
    };
    if (file.compression !== STORED && file.compression !== DEFLATED) {
      return stop(
        new PixelproofError('zip_unsupported', 'The archive is packed in a way that is not read here.', {
          expected: 'stored or deflated files',
          got: `${file.name}: method ${file.compression}`,
        }),
      );
    }
    open += 1;
    file.start();
  });
  unzip.register(UnzipInflate);
  const reader = zip.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (fault !== null) break;
    try {
      const bytes = value ?? new Uint8Array(0);
      let at = 0;
      do {
        const end = Math.min(at + PIECE, bytes.length);
        unzip.push(bytes.subarray(at, end), done && end === bytes.length);
        at = end;
      } while (at < bytes.length && fault === null);
    } catch (cause) {
      stop(new PixelproofError('zip_damaged', 'The archive is damaged.', { cause }));
    }
    if (done || fault !== null) break;
  }
  await reader.cancel().catch(() => undefined);
  if (fault !== null) throw fault;
  if (open > 0) {
    throw new PixelproofError('zip_damaged', 'The archive is damaged.', {
      got: 'an end in the middle of a file',
    });
  }
  return found.filter(({ blob }) => blob.size > 0);
}

function bomb(what: string, expected: number): PixelproofError {
  return new PixelproofError('zip_bomb', `The archive would unpack to too many ${what}.`, { expected });
}
