import { expect, it } from 'vitest';
import { apart } from './drop-items';

it('whoever takes files only gets them without the folders, which are named', () => {
  const rom = new File(['x'], 'pong.bin');
  const item = (entry: object | null, file: File | null) => ({
    webkitGetAsEntry: () => entry,
    getAsFile: () => file,
  });
  const items = [
    // A browser makes a file of a folder too, which cannot be read.
    item({ isDirectory: true, name: 'roms' }, new File([], 'roms')),
    item({ isDirectory: false, name: 'pong.bin' }, rom),
    item(null, null),
  ];
  expect(apart({ items: items as never })).toEqual({ files: [rom], folders: ['roms'] });
});
