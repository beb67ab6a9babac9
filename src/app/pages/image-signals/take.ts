import { failureOf } from '../../failure';
import { later } from '../../later';
import { signals } from '../../workers';

/** Files looked at in one task, so that no task of the main thread grows long. */
const NAMED = 100;

export interface TakenFile {
  readonly name: string;
  readonly blob: Blob;
  /** Why nothing could be taken from it. It gets a line like any other file, and the rest goes on. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Files of a drop: single ones, many, folders walked to their ends, and what is in zips. */
export async function takeDrop(transfer: DataTransfer): Promise<TakenFile[]> {
  // The entries must be taken before the first await: the browser empties the transfer then.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return takeFiles([...transfer.files]);
  const files: TakenFile[] = [];
  for (const entry of entries) files.push(...(await walk(entry)));
  return opened(files);
}

export async function takeFiles(files: readonly File[]): Promise<TakenFile[]> {
  const taken: TakenFile[] = [];
  for (const [i, file] of files.entries()) {
    if (i % NAMED === 0) await later();
    taken.push({ name: file.webkitRelativePath || file.name, blob: file });
  }
  return opened(taken);
}

async function walk(entry: FileSystemEntry): Promise<TakenFile[]> {
  if (entry.isFile) {
    const name = entry.fullPath.replace(/^\//, '');
    try {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      return [{ name, blob: file }];
    } catch {
      const error = { code: 'file_unreadable', message: 'The file cannot be read.' };
      return [{ name, blob: new Blob([]), error }];
    }
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: TakenFile[] = [];
  for (;;) {
    // A browser hands out a folder in parts; an empty part is its end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await walk(inner)));
  }
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** A name that says picture spares looking into a thousand files; what is none gets its line when it is decoded. */
const PICTURE_NAME = /\.(?:png|jpe?g|webp)$/i;

/** Zips opened, hidden files left out, in name order. */
async function opened(files: readonly TakenFile[]): Promise<TakenFile[]> {
  const all: TakenFile[] = [];
  for (const file of files) {
    if (file.name.split('/').some((part) => part.startsWith('.'))) continue;
    if (!PICTURE_NAME.test(file.name) && (await isZip(file.blob))) all.push(...(await unpacked(file)));
    else all.push(file);
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function isZip(blob: Blob): Promise<boolean> {
  const head = await blob
    .slice(0, 4)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const bytes = new Uint8Array(head);
  return ZIP.every((byte, i) => bytes[i] === byte);
}

async function unpacked(zip: TakenFile): Promise<TakenFile[]> {
  try {
    const found = await signals().unpack(zip.blob);
    return found.map((inner) => ({ ...inner, name: `${zip.name}/${inner.name}` }));
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    return [{ ...zip, error: { code, message } }];
  }
}
