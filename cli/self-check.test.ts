import { expect, test } from 'vitest';
import { GROUPS } from '../src/lab/self-check/catalogue';
import { EXIT } from './exit';
import { run } from './testing/run';

interface Report {
  readonly format: string;
  readonly program: string;
  readonly place: string;
  readonly complete: boolean;
  readonly facts: readonly { readonly id: string; readonly state: string; readonly value: unknown }[];
}

test('self-check --json: what Node has, measured here, in the shape of the page', async () => {
  const { code, out, err } = await run('self-check', '--json');
  const report = JSON.parse(out) as Report;
  expect(report.facts.filter(({ state }) => state === 'no' || state === 'failed')).toEqual([]);
  expect(code).toBe(EXIT.complete);
  expect(report).toMatchObject({ format: 'pixelproof-self-check/1', complete: true });
  expect(report.place).toContain(process.versions.node);
  const value = Object.fromEntries(report.facts.map((fact) => [fact.id, fact.value]));
  expect(value).toMatchObject({
    wasm: true,
    wasm_simd: true,
    wasm_threads: true,
    own_png: true,
    own_jpeg: true,
    own_webp: true,
  });
  // Far below any machine that builds this, far above a measurement that measured nothing.
  expect(value.sha256_platform).toMatchObject({ mib_per_second: expect.toSatisfy(plausible(5, 20_000)) });
  expect(value.sha256_wasm).toMatchObject({ mib_per_second: expect.toSatisfy(plausible(5, 20_000)) });
  expect(value.atari).toMatchObject({ frames_per_second: expect.toSatisfy(plausible(200, 1_000_000)) });
  expect(value.png).toMatchObject({ steps_per_second: expect.toSatisfy(plausible(2, 100_000)) });
  expect(value.timer).toSatisfy(plausible(1, 20_000));
  const known = GROUPS.flatMap(({ lines }) => lines.map(({ id }) => id));
  for (const { id } of report.facts) expect(known).toContain(id);
  expect(err).toContain('checking the Atari core');
});

test('self-check in words: a line each, with its title', async () => {
  const { code, out } = await run('self-check');
  expect(code).toBe(EXIT.complete);
  expect(out).toMatch(/^pixelproof \d+\.\d+\.\d+; Node \d/);
  expect(out).toMatch(/^yes {7}WebAssembly SIMD: yes$/m);
  expect(out).toMatch(/^measured {2}Atari core: \d+ frames\/s/m);
});

function plausible(from: number, to: number) {
  return (value: unknown) => typeof value === 'number' && value >= from && value <= to;
}
