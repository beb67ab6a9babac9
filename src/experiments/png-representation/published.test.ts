import { describe, expect, test } from 'vitest';
import record from '../../../fixtures/png-representation/recorded-replies.json' with { type: 'json' };
import { pngRepresentation, replayDescription } from './index';
import { published, publishedCase, verifyPublished } from './published';
import { runInMemory, treeOf } from './testing/memory-run';

/** Section 15 of the specification: exact, equivalent, changing, rejected, correct; four factors; latencies; label. */
const TABLE = {
  'labelled-v1': [8, 0, 0, 0, 8, 8, 8, 8, 8, 2080155, 6454331, 'advance'],
  'unlabelled-v1': [3, 4, 1, 0, 7, 4, 5, 6, 8, 2047138, 2181562, undefined],
  'cooldown-shape-v1': [4, 3, 1, 0, 7, 4, 5, 7, 8, 1957883, 3164967, 'no_material_change'],
  'cooldown-dual-v1': [3, 4, 1, 0, 7, 4, 5, 5, 6, 1946052, 2173042, 'no_material_change'],
  'cooldown-redundant-v1': [3, 3, 2, 0, 6, 4, 5, 5, 5, 2008380, 2053426, 'regression'],
  'lane-enhanced-v1': [2, 3, 2, 1, 5, 4, 4, 4, 7, 1997680, 2039776, 'regression'],
};

const noAsk = () => () => Promise.reject(new Error('a replay asks nobody'));

describe('the published Stage 2E evidence', () => {
  test('every figure that can be recomputed is', async () => {
    const { checks, comparison, variants } = await published();
    expect(checks.filter((check) => !check.equal)).toEqual([]);
    expect(checks.length).toBeGreaterThan(200);
    const got = Object.fromEntries(
      [...variants].map(([variant, { run }]) => {
        const { summary: s } = run;
        const factors = s.factor_correct_counts;
        return [
          variant,
          [
            s.exact_count,
            s.action_equivalent_count,
            s.action_changing_count,
            s.rejected_count,
            s.action_correct_count,
            factors.cooldown,
            factors.tank_column,
            factors.target_column,
            factors.target_present,
            s.latency_median_us,
            s.latency_p95_us,
            comparison.classifications[variant]?.label,
          ],
        ];
      }),
    );
    expect(got).toEqual(TABLE);
  });

  test('only the rejected case id recomputes', async () => {
    const { variants } = await published();
    const all = [...variants.values()].flatMap((each) => each.cases);
    expect(all).toHaveLength(48);
    const recomputed = all.filter((each) => each.case_id_recomputes);
    expect(recomputed.map((each) => [each.variant, each.case_ordinal])).toEqual([['lane-enhanced-v1', 1]]);
    expect(all.filter((each) => !each.accepted)).toEqual(recomputed);
  });

  test('a replay rebuilds the published files byte for byte', async () => {
    const run = await runInMemory({ compile_reports: true }, replayDescription(), noAsk);
    const tree = await treeOf(run);
    expect(tree.get('comparison.md')).toBe(record.comparison_md_published_lf);
    expect(tree.get('comparison.csv')?.replaceAll('\r\n', '\n')).toBe(record.comparison_csv_published_lf);
    expect(JSON.parse(tree.get('comparison.json') ?? '')).toEqual(record.comparison);
    for (const [variant, entry] of Object.entries(record.variants)) {
      expect(JSON.parse(tree.get(`${variant}/run.json`) ?? '')).toEqual(entry.run);
      expect(JSON.parse(tree.get(`${variant}/summary.json`) ?? '')).toEqual(entry.summary_presentation);
      expect(JSON.parse(tree.get(`${variant}/report.json`) ?? '')).toEqual(entry.report);
    }
    const report = await pngRepresentation.report(run);
    expect(report.interpretation).toMatchObject({ attribution_allowed: false });
    expect(run.records.map((each) => each.detail.case_id_recomputes).filter(Boolean)).toHaveLength(1);
  });

  test('a changed record is refused or shown', () => {
    const changed = structuredClone(record);
    changed.variants['labelled-v1'].run.summary.exact_count = 7;
    expect(() => verifyPublished(changed)).toThrow(expect.objectContaining({ code: 'summary_id_mismatch' }));
    const other = structuredClone(record);
    const [first] = other.variants['labelled-v1'].cases;
    if (first?.prediction) first.prediction.tank_column = 5;
    expect(verifyPublished(other).checks.some((check) => !check.equal)).toBe(true);
    expect(() => verifyPublished({ provenance: {} })).toThrow(
      expect.objectContaining({ code: 'published_record' }),
    );
  });

  test('a case that was not published', async () => {
    await expect(publishedCase('combined-v1', 0)).rejects.toMatchObject({ code: 'published_case_missing' });
  });
});
