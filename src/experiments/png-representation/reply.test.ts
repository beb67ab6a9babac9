import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import cases from '../../../fixtures/png-representation/parser-cases.json' with { type: 'json' };
import { pyFloat, pyToPlain } from '../../evidence/identity/python-json';
import { policyAction } from './policy';
import { basisPoints, checkFields, predictionPayload, readReply } from './prediction';
import { parseReply } from './reply';

const REST = '\nTARGET_COLUMN: 1\nCOOLDOWN: BLOCKED\nCONFIDENCE: 95';
const read = (raw: string) => {
  const verdict = readReply(raw, 'labelled-lines');
  return verdict.ok ? verdict.value.row_id : verdict.reason;
};

describe('the reply grammar', () => {
  test.each(cases.cases)('reference verdict $#', (expected) => {
    const verdict = readReply(expected.raw, 'labelled-lines');
    if (!verdict.ok) {
      expect(verdict.reason).toBe(expected.reason);
      expect(expected.accepted).toBe(false);
      return;
    }
    expect(pyToPlain(predictionPayload(verdict.value))).toEqual(expected.prediction);
    expect(basisPoints(verdict.value.confidence)).toBe(expected.confidence_basis_points);
    expect(policyAction(verdict.value.state)).toBe(expected.action);
  });

  test('a conflict lists all matches in order, repeated ones too', () => {
    expect(read(`TANK_COLUMN: 3 TANK_COLUMN: 4 TANK_COLUMN: 3${REST}`)).toBe(
      "ValueError: model text has conflicting tank column values: ['3', '4', '3']",
    );
    expect(read('TANK: 3\nTARGET: NONE\nCOOLDOWN: GREEN\nCOOLDOWN: READY\nCONFIDENCE: 5')).toBe(
      "ValueError: model text has conflicting cooldown values: ['GREEN', 'READY']",
    );
  });

  test.each(['\u001c', '\u001d', '\u001e', '\u001f', '\u0085', '\u00a0', '\u2003', '\u2028', '\u3000', '\v'])(
    'white space %j is white space as in Python',
    (space) => {
      expect(read(`TANK_COLUMN${space}:${space}3${REST}`)).toBe('tank=3|target=1|cooldown=1');
    },
  );

  test.each(['\ufeff', '\u200b', '\u180e'])('%j is no white space in Python', (mark) => {
    expect(read(`TANK_COLUMN:${mark}3${REST}`)).toMatch(/^ValueError: model text is missing tank column/);
  });

  test.each(['\u00e9', '\u0663', '_', '\u4e00', '\u00b2'])(
    'a value that runs into %j has no word boundary',
    (letter) => {
      expect(read(`TANK_COLUMN: 3${letter}${REST}`)).toMatch(
        /^ValueError: model text is missing tank column/,
      );
    },
  );

  test('U+0345 is a mark, though it folds to a letter', () => {
    expect(read(`TANK_COLUMN: 3\u0345${REST}`)).toBe('tank=3|target=1|cooldown=1');
    expect(read('\u0345')).toBe("ValueError: model text is missing tank column: '\u0345'");
  });

  test('digits are ASCII digits', () => {
    expect(read(`TANK_COLUMN: \u0663${REST}`)).toMatch(/missing tank column/);
    expect(read('TANK: 3 TARGET: 1 COOLDOWN: 1 CONFIDENCE: \u0665')).toMatch(/missing confidence/);
  });

  test('case folding as in Python: long s, Kelvin sign, dotted and dotless i', () => {
    expect(read('TAN\u212a: 3 TARGET: ab\u017fent COOLDOWN: READY CONFIDENCE: 1')).toBe(
      "ValueError: invalid literal for int() with base 10: 'ab\u017fent'",
    );
    expect(read('TANK: 3 TARGET: 1 \u017ftatus l\u0131ght: BLOC\u212aED CONF\u0130DENCE: 9')).toBe(
      'tank=3|target=1|cooldown=1',
    );
  });

  test('thinking tags, fences and prose are text like any other', () => {
    expect(read(`<think>TANK_COLUMN: 2</think>\nTANK_COLUMN: 3${REST}`)).toBe(
      "ValueError: model text has conflicting tank column values: ['2', '3']",
    );
    expect(read(`\`\`\`\nTANK_COLUMN: 3${REST}\n\`\`\``)).toBe('tank=3|target=1|cooldown=1');
  });

  test('a percent sign without a boundary after it is given back', () => {
    expect(read('TANK: 3 TARGET: 1 COOLDOWN: 1 CONFIDENCE: 95%x')).toBe('tank=3|target=1|cooldown=1');
    expect(read('TANK: 3 TARGET: 1 COOLDOWN: 1 CONFIDENCE: 95x')).toMatch(/missing confidence/);
  });

  test('repr of what came', () => {
    expect(read('it\'s "x"\\\t\r\u0007\u00a0\u00ad\u200b\u{1f600}\u{e0001}\u0301')).toBe(
      'ValueError: model text is missing tank column: ' +
        "'it\\'s \"x\"\\\\\\t\\r\\x07\\xa0\\xad\\u200b\u{1f600}\\U000e0001\u0301'",
    );
  });

  test('any text gives a verdict, and a reading of a written state is that state', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (raw) => typeof parseReply(raw).ok === 'boolean'));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.option(fc.integer({ min: 0, max: 6 })),
        fc.constantFrom(0, 1),
        fc.integer({ min: 0, max: 100 }),
        (tank, target, cooldown, percent) => {
          const raw = `tank: ${tank}\ntarget: ${target ?? 'none'}\ncooldown: ${cooldown}\nconfidence: ${percent}%`;
          const verdict = readReply(raw, 'labelled-lines');
          expect(verdict).toMatchObject({
            ok: true,
            value: { row_id: `tank=${tank}|target=${target ?? 'none'}|cooldown=${cooldown}` },
          });
        },
      ),
    );
  });

  test('a long hostile text takes no long time', () => {
    const started = performance.now();
    parseReply('tank'.repeat(100_000));
    parseReply(`confidence:${' '.repeat(100_000)}x`);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('the structured check', () => {
  const good = {
    tank_column: 3,
    target_present: true,
    target_column: 1,
    cooldown: 0,
    confidence: pyFloat(1),
  };
  test.each([
    [
      { ...good, extra: 1 },
      "response fields must be exactly ['confidence', 'cooldown', 'tank_column', 'target_column', 'target_present']; got ['confidence', 'cooldown', 'extra', 'tank_column', 'target_column', 'target_present']",
    ],
    [{ ...good, tank_column: true }, 'tank_column must be integer'],
    [{ ...good, tank_column: pyFloat(3) }, 'tank_column must be integer'],
    [{ ...good, target_column: '1' }, 'target_column must be integer'],
    [{ ...good, cooldown: null }, 'cooldown must be integer'],
    [{ ...good, confidence: true }, 'confidence must be number'],
    [{ ...good, confidence: 10n ** 400n }, 'confidence must be finite'],
    [{ ...good, target_present: 1 }, 'target_present must be boolean'],
    [{ ...good, tank_column: 7 }, 'tank_column out of range'],
    [{ ...good, target_column: 7 }, 'target_column must be -1 or 0..6'],
    [{ ...good, cooldown: 2 }, 'cooldown must be 0 or 1'],
    [{ ...good, confidence: pyFloat(1.5) }, 'confidence must be in [0,1]'],
    [{ ...good, target_present: false }, 'target_present and target_column disagree'],
  ])('%#', (fields, message) => {
    expect(checkFields(fields)).toEqual({ ok: false, reason: `ValueError: ${message}` });
  });

  test('an integer confidence is a number', () => {
    expect(checkFields({ ...good, confidence: 1 })).toMatchObject({ ok: true });
    expect(readReply('no JSON', 'json-object')).toMatchObject({ ok: false });
  });
});
