/** A file of a drop. */
export interface DropFile {
  /** Of a file in a folder its path, from the name of the dropped folder on. */
  readonly name: string;
  /** Null where it cannot be read. */
  readonly file: File | null;
}

/** One thing that was dropped. */
export interface DropItem {
  /** The name of a folder; null for a file. */
  readonly folder: string | null;
  /** The file, or all that is in the folder, walked to its end. */
  readonly files: readonly DropFile[];
}

export function itemOf(file: File): DropItem {
  return { folder: null, files: [{ name: file.name, file }] };
}

/** What was dropped, for whoever takes files only: folders by their names. Called while the event is being handled. */
export function apart(transfer: Pick<DataTransfer, 'items'>): {
  readonly files: readonly File[];
  readonly folders: readonly string[];
} {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of transfer.items) {
    const entry = item.webkitGetAsEntry();
    const file = entry?.isDirectory === true ? null : item.getAsFile();
    if (entry?.isDirectory === true) folders.push(entry.name);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}

/** What was dropped, folders walked. Called while the event is being handled; never rejects. */
export async function dropItems(transfer: DataTransfer): Promise<readonly DropItem[]> {
  // The entries must be taken before the first await: the browser empties the transfer then.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map(itemOf);
  const items: DropItem[] = [];
  for (const entry of entries) {
    items.push({ folder: entry.isDirectory ? entry.name : null, files: await walk(entry) });
  }
  return items;
}

async function walk(entry: FileSystemEntry): Promise<DropFile[]> {
  const name = entry.fullPath.replace(/^\//, '');
  try {
    if (entry.isFile) return [{ name, file: await fileOf(entry as FileSystemFileEntry) }];
    const found: DropFile[] = [];
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // A browser hands out a folder in parts; an empty part is its end.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (part.length === 0) return found;
      for (const inner of part) found.push(...(await walk(inner)));
    }
  } catch {
    return [{ name, file: null }];
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
