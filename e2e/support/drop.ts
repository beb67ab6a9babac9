import type { Locator } from '@playwright/test';

/** A drop as the browser makes it from the desktop: real files and folders, read through the drag's own entries. */
export async function dropFromDesktop(onto: Locator, paths: readonly string[]): Promise<void> {
  await onto.scrollIntoViewIfNeeded();
  const box = await onto.boundingBox();
  if (box === null) throw new Error('nothing to drop onto');
  const client = await onto.page().context().newCDPSession(onto.page());
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  }
}
