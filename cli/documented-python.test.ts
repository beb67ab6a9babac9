import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PYTHON = process.env.PYTHON ?? 'python3';
const known = spawnSync(PYTHON, ['--version'], { encoding: 'utf8' });
const version = known.status === 0 ? known.stdout.trim() : null;
if (version === null) console.log('docs/evidence-format.md: its Python was not run, there is no Python here');

/** The bundle of the worked example, and what docs/evidence-format.md says its root digest is. */
const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';

function block(): string {
  const page = readFileSync('docs/evidence-format.md', 'utf8');
  return /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
}

function inFolder(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'documented-python-'));
  try {
    copyFileSync('fixtures/evidence/toy.zip', join(folder, 'toy.zip'));
    return spawnSync(PYTHON, ['-I', '-'], { cwd: folder, input: program, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.skipIf(version === null)(
  'the Python of docs/evidence-format.md checks its bundle with nothing installed',
  () => {
    const { status, stdout, stderr } = inFolder(block());
    expect(stderr).toBe('');
    expect([status, stdout]).toEqual([0, `${ROOT}\n`]);
  },
);

it.skipIf(version === null)('and stops where a digest is another one', () => {
  const { status, stderr } = inFolder(
    block().replace('cases = bundle.read("cases.jsonl")', 'cases = b"{}\\n"'),
  );
  expect(status).toBe(1);
  expect(stderr).toContain('AssertionError');
});
