import { fileNameOf } from '../../outside-words';

/** Hands a file to the person through the browser's own download. */
export function save(content: Blob | string, name: string, type = 'application/octet-stream'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileNameOf(name);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
