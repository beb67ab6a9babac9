import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { caseLine, rootOf } from './root';

const page = readFileSync('docs/evidence-format.md', 'utf8');
const cases_sha256 = 'sha256:cc8e58ef5b4c6e6d8180f9569ad4c773e8fc183d2fadbf2fe40c4856f9be0cb2';
const plan_id = 'sha256:5ceac8009c5fe7b7da1b8e4057e0c307cb3f1cd280ce663b3b9f5147877b3d72';
const ROOT = 'sha256:2325fd67689387f609b94e19be4618872247270aefc00e51bd4900912f8791d4';

describe('the root digest', () => {
  it('is the one of the worked example, which another program computed', () => {
    expect(rootOf({ experiment: 'toy', plan_id, case_count: 4, cases_sha256 })).toBe(ROOT);
  });

  it('is explained by the page as it is', () => {
    const line = page
      .split('\n')
      .find((one) => one.startsWith('{"case_count":4,"cases_sha256":"sha256:cc8e'));
    expect(
      `sha256:${createHash('sha256')
        .update(line ?? '')
        .digest('hex')}`,
    ).toBe(ROOT);
    expect(page).toContain(ROOT);
  });

  it('is taken over a line that leaves the detail out', () => {
    const record = { arm: 'a', ordinal: 0, outcome: 'x', evidence: { z: 1, b: 'é' }, detail: { latency: 9 } };
    expect(caseLine(record)).toBe('{"arm":"a","evidence":{"b":"é","z":1},"ordinal":0,"outcome":"x"}\n');
  });
});
