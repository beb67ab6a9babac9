import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cartridgeOf, fixture } from '../../fixtures/atari/read';
import { Console } from './console';
import { CPU_FIELDS, TIA_FIELDS, TIA_GROUPS } from './machine-view';

const source = readFileSync(new URL('../../wasm/atari/state.ts', import.meta.url), 'utf8');

/** Names of the 32-bit fields of a class of the core, in order. */
function fieldsOf(name: string): string[] {
  const body = source.slice(source.indexOf(`export class ${name} `)).split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {2}(\w+): i32;/gm)].map((match) => match[1] ?? '');
}

it('every register is read from the word where the core keeps it', () => {
  const cpu = fieldsOf('Cpu');
  for (const [, field, word] of CPU_FIELDS) expect(cpu[word]).toBe(field);
  const tia = fieldsOf('Tia');
  for (const { fields } of TIA_FIELDS) for (const [, field, word] of fields) expect(tia[word]).toBe(field);
});

it('a view has what the groups say, and looking changes nothing', async () => {
  const console = await Console.load(cartridgeOf(fixture('selftest-tia-2.json')));
  const before = Buffer.from(console.snapshot());
  const view = console.inspect();
  expect(view.tia).toHaveLength(TIA_GROUPS.reduce((sum, { count }) => sum + count, 0));
  expect(view.cpu[0]).toMatchObject({ name: 'PC', bits: 16 });
  for (const { name, value } of view.tia.filter(({ bits }) => bits === 0)) {
    expect(value, name).toBeGreaterThanOrEqual(0);
    expect(value, name).toBeLessThan(160);
  }
  expect(before.equals(console.snapshot())).toBe(true);
});
