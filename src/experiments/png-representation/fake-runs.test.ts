import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import fake from '../../../fixtures/png-representation/fake-run/fake-run.json' with { type: 'json' };
import type { ImageQuestion } from '../../providers/provider';
import { pngRepresentation, VARIANTS } from './index';
import { PROMPT } from './prompt';
import { runInMemory, SCRIPTED, scriptedAsk, treeOf } from './testing/memory-run';

const reference = (name: string) =>
  readFileSync(new URL(`../../../fixtures/png-representation/fake-run/${name}`, import.meta.url), 'utf8');
const all = {
  variants: VARIANTS,
  combined_cooldown: 'cooldown-dual-v1',
  combined_lane: 'lane-enhanced-v1',
  compile_reports: true,
};

describe('the reference harness with the scripted provider', () => {
  test('smoke: every run, summary, report, case line and comparison file', async () => {
    const seen: ImageQuestion[] = [];
    const run = await runInMemory({ ...all, fixture: 'smoke' }, SCRIPTED, (plan) =>
      scriptedAsk(plan, null, seen),
    );
    const tree = await treeOf(run);
    for (const name of ['comparison.json', 'comparison.csv', 'comparison.md']) {
      expect(tree.get(name), name).toBe(reference(`smoke-${name}`));
    }
    for (const variant of VARIANTS) {
      const expected = fake.smoke[variant];
      expect(JSON.parse(tree.get(`${variant}/run.json`) ?? '')).toEqual(expected.run);
      expect(JSON.parse(tree.get(`${variant}/summary.json`) ?? '')).toEqual(expected.summary);
      expect(JSON.parse(tree.get(`${variant}/report.json`) ?? '')).toEqual(expected.report);
      expect(tree.get(`${variant}/cases.jsonl`)).toBe(`${expected.cases_jsonl_lines.join('\n')}\n`);
    }
    expect(new Set(seen.map((question) => question.promptMode))).toEqual(new Set(['unlabelled']));
    expect(new Set(seen.map((question) => question.prompt))).toEqual(new Set([PROMPT]));
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      'answer',
      'image',
      'mediaType',
      'prompt',
      'promptMode',
    ]);
    expect([...tree.keys()].filter((path) => path.endsWith('.png'))).toHaveLength(88);
    const report = await pngRepresentation.report(run);
    expect(report.complete).toBe(true);
    expect(report.interpretation).toMatchObject({ attribution_allowed: false });
  });

  test('canonical: ids of 11 runs with 112 cases each, reports and comparison files', async () => {
    const run = await runInMemory({ ...all, fixture: 'canonical' }, SCRIPTED, scriptedAsk);
    const tree = await treeOf(run);
    for (const name of ['comparison.json', 'comparison.csv', 'comparison.md']) {
      expect(tree.get(name), name).toBe(reference(`canonical-${name}`));
    }
    for (const variant of VARIANTS) {
      const expected = fake.canonical[variant];
      const stored = JSON.parse(tree.get(`${variant}/run.json`) ?? '') as {
        run_id: string;
        case_ids: string[];
        summary: { summary_id: string };
      };
      expect({
        run_id: stored.run_id,
        summary_id: stored.summary.summary_id,
        case_ids: stored.case_ids,
        report: JSON.parse(tree.get(`${variant}/report.json`) ?? ''),
      }).toEqual(expected);
    }
  });
});
