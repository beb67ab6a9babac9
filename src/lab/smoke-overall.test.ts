import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { overallDigest } from './smoke-overall';
import { SMOKE_OVERALL, SMOKE_RUNS } from './smoke-runs';

const ROOTS = SMOKE_RUNS.map(({ request, root }) => ({
  experiment: request.experiment,
  provider: request.provider.id,
  root_digest: root,
}));

it('the published overall digest is that of the published roots, by another hand', () => {
  const lines = ROOTS.map(
    ({ experiment, provider, root_digest }) =>
      `{"experiment":"${experiment}","provider":"${provider}","root_digest":"${root_digest}"}`,
  );
  const text = `[${lines.sort().join(',')}]`;
  expect(SMOKE_OVERALL).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
});

it('does not depend on the order of the runs, and changes with any of them', () => {
  expect(overallDigest(ROOTS)).toBe(SMOKE_OVERALL);
  expect(overallDigest(ROOTS.toReversed())).toBe(SMOKE_OVERALL);
  ROOTS.forEach((_, at) => {
    const other = ROOTS.map((root, i) =>
      i === at ? { ...root, root_digest: `sha256:${'0'.repeat(64)}` } : root,
    );
    expect(overallDigest(other)).not.toBe(SMOKE_OVERALL);
  });
  expect(overallDigest(ROOTS.slice(1))).not.toBe(SMOKE_OVERALL);
});
