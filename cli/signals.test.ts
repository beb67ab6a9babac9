import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { FROZEN, FROZEN_FILE } from '../src/experiments/image-signals/protocol';
import { oddFiles } from '../src/pixels/testing/odd-files';
import { runSignals, type SignalsOptions } from './signals';
import { readPicture } from './signals-files';
import { measureAll } from './signals-pool';

const golden = fileURLToPath(new URL('../fixtures/image-signals/golden', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pixelproof-signals-'));
afterAll(() => rmSync(folder, { recursive: true }));
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

async function run(
  paths: readonly string[],
  options: SignalsOptions = {},
  signal = new AbortController().signal,
) {
  let text = '';
  const code = await runSignals(paths, options, signal, async (more) => {
    text += more;
  });
  return { code, text };
}

describe('pixelproof signals', () => {
  test('a folder with another file in it: an array in name order, code 1, the rest measured', async () => {
    const { code, text } = await run([golden]);
    const records: { file: string; error?: { code: string } }[] = JSON.parse(text);
    expect(code).toBe(1);
    expect(records).toHaveLength(48);
    expect(records.filter(({ error }) => error !== undefined)).toMatchObject([
      { file: join(golden, 'expected.json'), error: { code: 'image_format_unknown' } },
    ]);
    expect(records.map(({ file }) => file)).toEqual([...records.map(({ file }) => file)].sort());
  });

  test('files, in the order given, code 0; folders inside folders; nothing in an empty one', async () => {
    const files = ['g35_scene_256.png', 'g01_white.png'].map((name) => join(golden, name));
    const { code, text } = await run(files, { json: true });
    expect(code).toBe(0);
    expect(JSON.parse(text).map((record: { file: string }) => record.file)).toEqual(files);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    expect(await run([folder])).toEqual({ code: 0, text: '[]\n' });
    writeFileSync(join(folder, 'a/b/x.png'), '');
    writeFileSync(join(folder, 'a/.hidden'), '');
    expect(JSON.parse((await run([folder])).text)).toMatchObject([{ file: join(folder, 'a/b/x.png') }]);
  });

  test('CSV, and a definition of one’s own', async () => {
    const path = join(folder, 'definition.json');
    writeFileSync(
      path,
      // With the byte order mark that some editors write.
      `\uFEFF${JSON.stringify({ ...FROZEN_FILE, id: 'mine', signals: FROZEN_FILE.signals.slice(0, 1) })}`,
    );
    const { code, text } = await run([join(golden, 'g35_scene_256.png')], { csv: true, definition: path });
    const [header, row] = text.split('\r\n');
    expect(code).toBe(0);
    expect(header).not.toContain('yellow');
    expect(row).toContain(',mine,');
  });

  test('wrong usage is refused by name', async () => {
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(run([golden], { json: true, csv: true })).rejects.toThrow(refused('usage_conflict'));
    await expect(run([golden], { definition: join(folder, 'none.json') })).rejects.toThrow(
      refused('definition_unreadable'),
    );
    writeFileSync(join(folder, 'bad.json'), '{}');
    await expect(run([golden], { definition: join(folder, 'bad.json') })).rejects.toThrow(
      refused('definition_invalid'),
    );
    const { code, text } = await run([join(folder, 'none.png')]);
    expect([code, JSON.parse(text)]).toMatchObject([
      1,
      [{ sha256: null, error: { code: 'file_unreadable' } }],
    ]);
  });

  test('odd files: one clear line each, and the rest goes on', async () => {
    const odd = oddFiles();
    const place = mkdtempSync(join(folder, 'odd-'));
    for (const { name, bytes } of odd) writeFileSync(join(place, name), bytes);
    const { code, text } = await run([place]);
    const records: { file: string; error?: { code: string }; warnings?: { code: string }[] }[] =
      JSON.parse(text);
    expect(code).toBe(1);
    expect(
      records.map(({ file, error, warnings }) => [
        file.slice(place.length + 1),
        error?.code ?? null,
        (warnings ?? []).map((warning) => warning.code),
      ]),
    ).toEqual(odd.map(({ name, refused, warned }) => [name, refused, warned]));
  });

  test('what is no file is not read: a device that never ends, a folder behind a link, a loop of links', async () => {
    const place = mkdtempSync(join(folder, 'links-'));
    symlinkSync('.', join(place, 'self'));
    symlinkSync('loop', join(place, 'loop'));
    symlinkSync('/dev/zero', join(place, 'zero.png'));
    const { code, text } = await run([place]);
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject(
      ['loop', 'self', 'zero.png'].map((name) => ({
        file: join(place, name),
        sha256: null,
        error: { code: 'file_unreadable' },
      })),
    );
  });

  test('it streams: what comes first is written before what comes last is read', async () => {
    const place = mkdtempSync(join(folder, 'many-'));
    const picture = readFileSync(join(golden, 'g35_scene_256.png'));
    const names = Array.from({ length: 60 }, (_, i) => join(place, `p${String(i).padStart(2, '0')}.png`));
    for (const name of names) writeFileSync(name, picture);
    const written: string[] = [];
    const code = await runSignals([place], {}, new AbortController().signal, async (text) => {
      written.push(text);
      // With the first record on its way out, the last file becomes another.
      if (written.length === 2) writeFileSync(names.at(-1) ?? '', 'no picture');
    });
    const records: { file: string; error?: { code: string } }[] = JSON.parse(written.join(''));
    expect(code).toBe(1);
    expect(records.map(({ file }) => file)).toEqual(names);
    expect(records.flatMap(({ error }, i) => (error === undefined ? [] : [[i, error.code]]))).toEqual([
      [59, 'image_format_unknown'],
    ]);
  });

  test('no more paths are taken than are measured or waited for', async () => {
    let [taken, yielded] = [0, 0];
    async function* paths() {
      for (; taken < 30; taken++) yield join(golden, 'g09_1x1_red.png');
    }
    for await (const record of measureAll(paths(), FROZEN, new AbortController().signal)) {
      expect(record).toMatchObject({ width: 1 });
      yielded += 1;
      expect(taken - yielded).toBeLessThanOrEqual(1);
    }
    expect(yielded).toBe(30);
  });

  test('it can be cancelled', async () => {
    await expect(run([golden], {}, AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });

  test('a file larger than any picture is not read', async () => {
    const fs = await import('node:fs/promises');
    const path = join(folder, 'large');
    await fs.writeFile(path, '');
    await fs.truncate(path, 2 ** 31);
    await expect(readPicture(path)).rejects.toThrow(expect.objectContaining({ code: 'file_too_large' }));
  });
});
