import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeReceipt, verdictRecord } from './receipt-gate';
import { readReceipt } from './receipt-read';
import { BOUNDARY, SCENARIO_RESULTS } from './testing/published';
import { bareReceipt, type Receipt, SCENARIOS } from './testing/receipts';

const judge = (receipt: unknown, gate?: 'smoke' | 'consumer') => judgeReceipt(JSON.stringify(receipt), gate);
const published = readFileSync(
  new URL('../../../fixtures/vision-controls/consumer-receipt.json', import.meta.url),
  'utf8',
);
const perfect = () => bareReceipt(SCENARIOS.perfect);
const control = (receipt: Receipt, index: number) =>
  receipt.visual_controls[index] as Record<string, unknown>;

function changed(change: (receipt: Receipt) => void): Receipt {
  const receipt = perfect();
  change(receipt);
  return receipt;
}

describe('reference scenarios', () => {
  for (const [name, [verdict, cause, [counted, hits, uncounted], ordered, least]] of Object.entries(
    SCENARIO_RESULTS,
  )) {
    it(name, () => {
      const found = verdictRecord(judge(bareReceipt(SCENARIOS[name as keyof typeof SCENARIOS])));
      expect(found).toMatchObject({ verdict, hits: { counted, hits, uncounted }, stored_differences: [] });
      expect(found.cause).toEqual(cause === null ? null : expect.stringContaining(cause));
      const pairs = found.paired_ordering as { ordered: boolean; margin: number }[];
      expect(pairs.filter((pair) => pair.ordered)).toHaveLength(ordered);
      expect(Math.min(...pairs.map(({ margin }) => margin))).toBe(least);
    });
  }

  it('six rows make eighteen controls', () => {
    const found = judge(bareReceipt(SCENARIOS.perfect, 'six-row'));
    expect(found.verdict).toBe('pass');
    expect(found.judgement?.hits).toEqual({ counted: 12, hits: 12, uncounted: 6 });
  });
});

describe('the boundary of 0.10', () => {
  it.each(BOUNDARY)('%d against %d: %s', (fox, other, verdict) => {
    const probability = (image: string | null, isFox: boolean) =>
      image === null ? 0.5 : isFox ? fox : other;
    expect(judge(bareReceipt({ probability })).verdict).toBe(verdict);
  });
});

describe('the published consumer receipt', () => {
  it('is judged again from its matrix: four margins, tokens 507 against 94', () => {
    const found = judgeReceipt(published);
    expect(found).toMatchObject({ verdict: 'pass', cause: null, stored_differences: [] });
    expect(found.judgement?.attachment).toMatchObject({ checked: true, min_growth: 413, ok: true });
    expect(found.judgement?.paired_ordering.map(({ row_id, margin }) => [row_id, margin])).toEqual([
      ['cmcc8u6yc00v91p1yw2eruz95', 0.9999994808224107],
      ['cmcc8u6yd00wv1p1yy8guorre', 0.9999994808224107],
      ['cmcc8u6ym018l1p1yxhf18gc2', 0.9999996980314801],
      ['cmcc8u6yc00va1p1ydsdu52zy', 0.9999996980314801],
    ]);
    expect(judgeReceipt(published, 'consumer').verdict).toBe('pass');
  });

  it('names each figure that was changed, and refuses what cannot be judged', () => {
    const change = (edit: (receipt: Receipt) => void) => {
      const receipt = JSON.parse(published);
      edit(receipt);
      return judge(receipt);
    };
    expect(
      change((r: Receipt) => {
        (r.paired_ordering as { margin: number }[])[1] = { margin: 0.5, unique_data_id: 'x' } as never;
        r.judgment_call_count = 15;
        r.scoring_request_count = 17;
        r.manifest_sha256 = 'ab';
      }).stored_differences.map(({ path }) => path),
    ).toEqual(['judgment_call_count', 'scoring_request_count', 'manifest_sha256', 'paired_ordering x']);
    for (const edit of [
      (r: Receipt) => {
        (r.matrix_rows as { unique_data_id: string }[])[0] = { unique_data_id: 'nobody' };
      },
      (r: Receipt) => {
        (r.matrix_rows as { leg: string }[])[0] = { ...(r.matrix_rows as object[])[0], leg: 'other' };
      },
      (r: Receipt) => {
        const rows = r.matrix_rows as { condition: string }[];
        rows[12] = { ...rows[12], condition: 'present' };
      },
      (r: Receipt) => {
        const rows = r.matrix_rows as { answers: Record<string, Record<string, unknown>> }[];
        const category = rows[12]?.answers.category;
        if (category !== undefined) category.probabilities = { BROWSER_TASK: 0.9, COMPUTER_TASK: 0.2 };
      },
      (r: Receipt) => {
        const rows = r.matrix_rows as { answers: Record<string, Record<string, unknown>> }[];
        const visual = rows[0]?.answers.shows_fox_news_chrome;
        if (visual !== undefined) visual.noul = 1.5;
      },
    ])
      expect(change(edit)).toMatchObject({ verdict: 'refused', judgement: null });
    // A whole row is missing: incomplete, because the frozen cases name it.
    expect(
      change((r: Receipt) => {
        r.matrix_rows = (r.matrix_rows as object[]).slice(3) as never;
      }),
    ).toMatchObject({ verdict: 'incomplete' });
  });
});

describe('what is refused', () => {
  const refused: [string, (receipt: Receipt) => void][] = [
    ['a control twice', (r) => r.visual_controls.push({ ...control(r, 0) })],
    ['a row without one control', (r) => r.visual_controls.splice(1, 1)],
    ['an unknown condition', (r) => Object.assign(control(r, 0), { condition: 'blurred' })],
    ['a probability above 1', (r) => Object.assign(control(r, 0), { probability: 1.0000001 })],
    ['a probability below 0', (r) => Object.assign(control(r, 0), { probability: -1e-12 })],
    ['a probability as text', (r) => Object.assign(control(r, 0), { probability: '0.9' })],
    ['no probability', (r) => Object.assign(control(r, 0), { probability: null })],
    ['a token count that is no whole number', (r) => Object.assign(control(r, 0), { tokens_evaluated: 1.5 })],
    ['a negative token count', (r) => Object.assign(control(r, 0), { tokens_evaluated: -1 })],
    ['no token count at all', (r) => delete control(r, 0).tokens_evaluated],
    ['two token counts that differ', (r) => Object.assign(control(r, 0), { usage: { input_tokens: 1 } })],
    ['gold of an omitted control', (r) => Object.assign(control(r, 1), { expected: true })],
    ['a picture of an omitted control', (r) => Object.assign(control(r, 1), { image_unique_data_id: 'x' })],
    ['gold that is flipped', (r) => Object.assign(control(r, 0), { expected: false })],
    [
      'gold that is flipped everywhere',
      (r) => {
        for (const each of r.visual_controls) if (each.expected !== null) each.expected = !each.expected;
      },
    ],
    [
      'a present control with another picture',
      (r) => Object.assign(control(r, 0), { image_unique_data_id: 'x' }),
    ],
    ['a family that changes inside a row', (r) => Object.assign(control(r, 2), { visual_family: 'non_fox' })],
    ['a row that is not listed', (r) => r.rows.splice(0, 5, { unique_data_id: 'other' })],
    ['no list of controls', (r) => Object.assign(r, { visual_controls: {} })],
  ];
  it.each(refused)('%s', (_name, change) => {
    const found = judge(changed(change));
    expect(found).toMatchObject({ verdict: 'refused', judgement: null });
    expect(found.cause).not.toBe('');
    expect(verdictRecord(found)).toMatchObject({
      paired_ordering: [],
      hits: null,
      threshold_diagnostic: null,
    });
  });

  it('and says which field, what must stand there and what does', () => {
    expect(() => readReceipt('{"rows":[],"visual_controls":{}}')).toThrow(
      expect.objectContaining({ code: 'receipt_field' }),
    );
  });

  it('text that is no receipt', () => {
    for (const text of ['', '[]', '{', '{"a":1}', '{"visual_controls":[],"visual_controls":[]}', 'NaN'])
      expect(judgeReceipt(text).verdict).toBe('refused');
  });

  it('whatever the JSON, never a pass and never a throw', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(14),
        fc.constantFrom('probability', 'expected', 'condition'),
        (value, at, key) => {
          const receipt = changed((r) => Object.assign(control(r, at), { [key]: value }));
          const before = control(perfect(), at)[key];
          const { verdict } = judge(receipt);
          if (key !== 'probability' && JSON.stringify(value) !== JSON.stringify(before))
            expect(verdict).toBe('refused');
          expect(['pass', 'fail', 'incomplete', 'refused']).toContain(verdict);
          expect(judge(value).verdict).toBe('refused');
        },
      ),
    );
  });
});

describe('what is incomplete, and what fails', () => {
  it('a missing row', () => {
    const without = changed((r) => r.visual_controls.splice(3, 3));
    expect(judge(without)).toMatchObject({ verdict: 'incomplete' });
    expect(judge(without).cause).toContain('cmcc8u6yc00v91p1yw2eruz95');
    // Not listed either: the published fixture still has it.
    without.rows.splice(1, 1);
    expect(judge(without).verdict).toBe('incomplete');
  });

  it('controls in any order', () => {
    const receipt = changed((r) => r.visual_controls.reverse());
    expect(verdictRecord(judge(receipt))).toEqual(verdictRecord(judge(perfect())));
  });

  it('tokens that are not known show no attachment, and no pass', () => {
    const none = bareReceipt({ ...SCENARIOS.perfect, imaged: null, omitted: null });
    expect(judge(none)).toMatchObject({ verdict: 'incomplete' });
    expect(judge(none).judgement?.attachment).toMatchObject({ checked: false, min_growth: null, ok: null });
    // A growth that is too small is shown by one row alone.
    const one = bareReceipt(SCENARIOS.dropped);
    for (const each of one.visual_controls.slice(3)) each.tokens_evaluated = null;
    expect(judge(one).cause).toContain('image was not attached');
  });

  it('200 tokens are enough and 199 are not', () => {
    expect(judge(bareReceipt({ ...SCENARIOS.perfect, imaged: 304 })).verdict).toBe('pass');
    expect(judge(bareReceipt({ ...SCENARIOS.perfect, imaged: 303 })).verdict).toBe('fail');
  });

  it('another template: growth above zero, equal for pictures of equal size, and never level A', () => {
    const gemma4 = (edit: (r: Receipt) => void = () => {}) =>
      changed((r) => {
        r.web = { template_class: 'native_gemma4_turn' };
        for (const each of r.visual_controls) if (each.condition !== 'omitted') each.tokens_evaluated = 150;
        edit(r);
      });
    expect(judge(gemma4()).verdict).toBe('pass');
    expect(judge(gemma4((r) => Object.assign(control(r, 0), { tokens_evaluated: 151 }))).verdict).toBe(
      'fail',
    );
  });

  it('an omitted control that is stored as credited fails the run', () => {
    for (const key of ['counts_as_semantic_hit', 'semantic_hit']) {
      const found = judge(changed((r) => Object.assign(control(r, 1), { [key]: true })));
      expect(found).toMatchObject({ verdict: 'fail', cause: expect.stringContaining('omitted') });
      expect(found.stored_differences).toHaveLength(1);
    }
  });

  it('attachment comes first, then the omitted, then the pairs', () => {
    const all = bareReceipt({ ...SCENARIOS.blind, imaged: 134 });
    Object.assign(control(all, 1), { semantic_hit: true });
    expect(judge(all).cause).toContain('not attached');
    for (const each of all.visual_controls) if (each.condition !== 'omitted') each.tokens_evaluated = 363;
    expect(judge(all).cause).toContain('omitted');
  });

  it('the gate consumer also fails on the wrong side of 0.5', () => {
    const receipt = bareReceipt(SCENARIOS.historical);
    expect(judge(receipt, 'smoke').verdict).toBe('pass');
    const found = judge(receipt, 'consumer');
    expect(found).toMatchObject({ verdict: 'fail', cause: expect.stringContaining('wrong side') });
    expect(found.judgement?.threshold_diagnostic.mismatches).toHaveLength(2);
  });

  it('stored figures that contradict are listed', () => {
    const receipt = changed((r) => {
      Object.assign(control(r, 0), { polarity: false, semantic_hit: false });
      r.threshold_diagnostic = { threshold: 0.6, summary: { counted: 10, hits: 9, uncounted: 5 } };
      r.paired_ordering = [
        { unique_data_id: control(r, 0).unique_data_id, margin: 0.98, ordered: false, fox_probability: 0.99 },
      ];
      r.annotation_present_only = [
        {
          category: { predicted: 'BROWSER_TASK', expected: 'BROWSER_TASK', gold_match: false },
          requires_login: { probability: 0.1, polarity: true, expected: false, gold_match: true },
        },
      ];
      r.rows[0] = {
        ...r.rows[0],
        unique_data_id: String(r.rows[0]?.unique_data_id),
        screenshot_sha256: 'ab',
      };
    });
    const found = judge(receipt);
    expect(found.verdict).toBe('pass');
    expect(found.stored_differences.map(({ path }) => path.replace(/cmcc\w+/, 'ID'))).toEqual([
      'visual_controls 0 (ID present) polarity',
      'visual_controls 0 (ID present) semantic_hit',
      'annotation_present_only 0 category gold_match',
      'annotation_present_only 0 requires_login polarity',
      'rows 0 screenshot_sha256',
      'threshold_diagnostic threshold',
      'threshold_diagnostic summary hits',
      'paired_ordering ID ordered',
    ]);
  });

  it('a swap that borrowed another picture than the rule says', () => {
    const found = judge(
      changed((r) => Object.assign(control(r, 2), { image_unique_data_id: control(r, 12).unique_data_id })),
    );
    expect(found.stored_differences).toMatchObject([
      { stored: 'cmcc8u6yd00wr1p1yj7aot3ae', recomputed: 'cmcc8u6yd00wv1p1yy8guorre' },
    ]);
  });

  it('a weak credit level is never a pass', () => {
    const level = (credit_level: string, more: object = {}) =>
      judge(changed((r) => Object.assign(r, { web: { credit_level, ...more } })));
    expect(level('B').verdict).toBe('pass');
    expect(level('D')).toMatchObject({ verdict: 'incomplete', cause: expect.stringContaining('level D') });
    const first = control(perfect(), 0);
    const bounds = (reading: object) => ({
      controls: [{ unique_data_id: first.unique_data_id, condition: 'present', reading }],
    });
    // A bound that decides the margin does; one that leaves it open does not.
    expect(level('C', bounds({ low: 0.99, high: 1 })).verdict).toBe('pass');
    expect(level('C', bounds({ low: 0, high: 0.99 }))).toMatchObject({ verdict: 'incomplete' });
    expect(level('C', bounds({ low: 0.2, high: 0.3 })).verdict).toBe('refused');
  });
});
