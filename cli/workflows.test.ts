import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from './testing/run';

const folder = mkdtempSync(join(tmpdir(), 'pixelproof-workflow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const workflow = readFileSync('docs/examples/evidence.yml', 'utf8');
const PARTS = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** The arguments of the workflow's commands, in the order in which they stand. */
function commands(): string[][] {
  return [...workflow.matchAll(/run: node scripts\/pixelproof\.mjs (.+)/g)].map(([, line]) =>
    (line ?? '').replace(/\$\{\{ matrix\.part \}\}/, '{part}').split(' '),
  );
}

it('runs the commands of the evidence workflow as they are documented', async () => {
  const [smoke, part, merge, verify, ...more] = commands();
  expect(more).toEqual([]);
  expect(smoke).toEqual(['smoke']);
  expect(workflow).toContain(`part: [${PARTS.join(', ')}]`);
  // Four states instead of 112: the rest of each command is the documented one.
  for (const number of PARTS) {
    const args = (part ?? []).map((word) =>
      word === 'part' ? join(folder, `parts/part-${number}`) : word.replace('{part}', number),
    );
    const { code, err } = await run(...args, '--max-cases', '4');
    expect(err).not.toMatch(/error|: expected/);
    expect(code).toBe(0);
  }
  const evidence = join(folder, 'evidence');
  const merged = (merge ?? []).flatMap((word) =>
    word === 'parts/*'
      ? PARTS.map((number) => join(folder, `parts/part-${number}`))
      : [word === 'evidence' ? evidence : word],
  );
  expect((await run(...merged)).code).toBe(0);
  expect((await run(...(verify ?? []).map((word) => (word === 'evidence' ? evidence : word)))).code).toBe(0);
});
