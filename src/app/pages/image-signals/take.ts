import { dropItems } from '../../drop-items';
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
  const items = await dropItems(transfer);
  return opened(
    items.flatMap(({ files }) =>
      files.map(({ name, file }) =>
        file === null ? { name, blob: new Blob([]), error: UNREADABLE } : { name, blob: file },
      ),
    ),
  );
}

const UNREADABLE = { code: 'file_unreadable', message: 'The file cannot be read.' };

export async function takeFiles(files: readonly File[]): Promise<TakenFile[]> {
  const taken: TakenFile[] = [];
  for (const [i, file] of files.entries()) {
    if (i % NAMED === 0) await later();
    taken.push({ name: file.webkitRelativePath || file.name, blob: file });
  }
  return opened(taken);
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
