import { expect, it } from 'vitest';
import { type DropItem, itemOf } from './drop-items';
import { bundlesIn, NO_BUNDLE, skippedWords } from './given-bundles';

const file = (name: string): File => new File(['x'], name);

function folder(name: string, ...paths: readonly string[]): DropItem {
  const files = paths.map((path) => ({ name: `${name}/${path}`, file: file(path.split('/').at(-1) ?? '') }));
  return { folder: name, files };
}

function told(...items: readonly DropItem[]) {
  const { bundles, skipped, empty } = bundlesIn(items);
  const named = bundles.map(({ name, source }) =>
    source instanceof File ? name : [name, ...source.map(({ path }) => path)],
  );
  return { bundles: named, skipped, empty };
}

it('a file by itself is taken whatever it is called; one that cannot be read is named', () => {
  expect(told(itemOf(file('a.zip')), itemOf(file('notes.txt')))).toEqual({
    bundles: ['a.zip', 'notes.txt'],
    skipped: [],
    empty: [],
  });
  expect(told({ folder: null, files: [{ name: 'gone.zip', file: null }] }).skipped).toEqual(['gone.zip']);
});

it('of a folder what looks like a bundle is taken, in order, hidden files are nothing, the rest is named', () => {
  const runs = folder('runs', 'b.ZIP', 'inner/a.json', 'notes.txt', '.DS_Store', '.git/x.json');
  expect(told(runs)).toEqual({
    bundles: ['runs/b.ZIP', 'runs/inner/a.json'],
    skipped: ['runs/notes.txt'],
    empty: [],
  });
});

it('a folder with a manifest is one bundle, at the top or deeper, and no file of it another', () => {
  expect(told(folder('out', 'pixelproof.json', 'environment.json', 'images/a.png')).bundles).toEqual([
    ['out', 'environment.json', 'images/a.png', 'pixelproof.json'],
  ]);
  const two = folder('all', 'one/pixelproof.json', 'one/deep/pixelproof.json', 'one-more.zip', 'read.me');
  expect(told(two)).toEqual({
    bundles: [['all/one', 'deep/pixelproof.json', 'pixelproof.json'], 'all/one-more.zip'],
    skipped: ['all/read.me'],
    empty: [],
  });
});

it('a folder without a bundle is told, an empty one too', () => {
  expect(told(folder('photos', 'a.png'), folder('nothing'))).toEqual({
    bundles: [],
    skipped: ['photos/a.png'],
    empty: ['photos', 'nothing'],
  });
  expect(NO_BUNDLE.code).toBe('drop_no_bundle');
});

it('many that are left out are counted, and no name turns the sentence around', () => {
  expect(skippedWords([])).toBe('');
  const names = ['a\u202Eb', '2', '3', '4', '5', '6', '7'];
  expect(skippedWords(names)).toMatch(/^Not taken: a\uFFFDb, 2, 3, 4, 5 and 2 more\. /);
  expect(skippedWords(['1'])).toMatch(/^Not taken: 1\. /);
});
