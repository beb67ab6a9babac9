import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../evidence/identity/sha256';
import { controlMatrix, swapPartners } from './controls';
import { isOrdered } from './gate';
import { leakIn, leakTermsOf, requireNeutral } from './leak';
import { manifestText } from './manifest';
import { choose, softmax } from './probability';
import { PUBLISHED_PROFILE } from './profile';
import { annotationState, contextOf, prefixOf, userText } from './prompt';
import { BLIND_PROBABILITY, FAMILY_LEAK_TERMS, VISUAL_CONTROL_STATE } from './protocol';
import { publishedManifest, REVISION_DIGESTS, REVISIONS } from './published-fixture';
import { CATEGORY, FOX_QUESTION, questionBlock, REQUIRES_LOGIN } from './questions';
import { ANNOTATION, MANIFESTS, PARTNERS, PREFIXES, USER_TEXT } from './testing/published';

const ID = (short: string) => {
  const found = publishedManifest('six-row').rows.find(
    ({ unique_data_id }) => unique_data_id.includes(`00${short}1p`) || unique_data_id.includes(`${short}1p1`),
  );
  if (found === undefined) throw new Error(short);
  return found.unique_data_id;
};
const shorts = ['va', 'v9', 'vm', '018l', 'wv', 'wr'];
const short = (id: string) => shorts.find((one) => ID(one) === id) ?? id;

describe('the published manifests', () => {
  it('have the published digests and lengths', () => {
    const lengths = { 'five-row': 5008, 'six-row': 5959 };
    for (const revision of REVISIONS) {
      const text = manifestText(publishedManifest(revision));
      expect(text.length).toBe(lengths[revision]);
      expect(sha256Hex(text)).toBe(MANIFESTS[revision]);
      expect(REVISION_DIGESTS[revision]).toBe(`sha256:${MANIFESTS[revision]}`);
    }
  });
});

describe('prompts, byte for byte', () => {
  it('visual leg', () => {
    const prefix = (template: 'native_gemma3_turn' | 'native_gemma4_turn', pictures: number) =>
      prefixOf(template, VISUAL_CONTROL_STATE, FOX_QUESTION, pictures);
    const found = [
      prefix('native_gemma3_turn', 0),
      prefix('native_gemma3_turn', 1),
      prefix('native_gemma4_turn', 0),
      prefix('native_gemma4_turn', 1),
      userText(VISUAL_CONTROL_STATE, FOX_QUESTION),
    ].map((text) => [text.length, new TextEncoder().encode(text).length, sha256Hex(text)]);
    const digests = [...PREFIXES.native_gemma3_turn, ...PREFIXES.native_gemma4_turn, USER_TEXT];
    const lengths = [
      [406, 410],
      [418, 422],
      [412, 416],
      [424, 428],
      [351, 355],
    ];
    expect(found).toEqual(lengths.map((each, at) => [...each, digests[at]]));
  });

  it('annotation leg, Gemma 3, one picture', () => {
    const found = publishedManifest('six-row').rows.map(({ unique_data_id, task_name }) => [
      unique_data_id,
      [CATEGORY, REQUIRES_LOGIN].map((question) =>
        sha256Hex(prefixOf('native_gemma3_turn', annotationState({ task_name }), question, 1)),
      ),
    ]);
    expect(Object.fromEntries(found)).toEqual(ANNOTATION);
  });

  it('a marker in a caller’s text promises no picture', () => {
    expect(contextOf('see <__media__>', 2)).toBe('<__media__>\n<__media__>\nsee <\\_\\_media\\_\\_>');
  });

  it('a label that looks like a control gets the lead back; a promise of an answer is refused', () => {
    const block = questionBlock({ ...CATEGORY, labels: ['7', 'OTHER'] });
    expect(block).toContain('\nControl 0 → 7\n1 → OTHER\n');
    expect(() => questionBlock({ ...CATEGORY, instructions: 'What is the Gold Answer?' })).toThrow(
      expect.objectContaining({ code: 'block_phrase' }),
    );
  });

  it('the annotation state has task_name and nothing else', () => {
    expect(annotationState({ task_name: 'a “b”' })).toBe('{"task_name": "a “b”"}');
    for (const state of [
      {},
      { task_name: 'x', category: 'y' },
      { task_name: 'x', more: 1 },
      { task_name: 1 },
    ])
      expect(() => annotationState(state)).toThrow(expect.objectContaining({ code: 'state_keys' }));
  });
});

describe('the leak ban', () => {
  it('passes the published state and finds every published task', () => {
    expect(leakIn(VISUAL_CONTROL_STATE, FAMILY_LEAK_TERMS)).toBeNull();
    for (const { task_name } of publishedManifest('six-row').rows)
      expect(leakIn(task_name, FAMILY_LEAK_TERMS)).not.toBeNull();
    expect(leakIn('HOMEDEPOT and a Fox', FAMILY_LEAK_TERMS)).toBe('fox');
  });

  it('is made from a person’s own families', () => {
    expect(leakTermsOf(['Home Depot', 'The A-Z Café'], ['  Orange ', ''])).toEqual([
      'home depot',
      'homedepot',
      'home',
      'depot',
      'the a z café',
      'theazcafé',
      'café',
      'orange',
    ]);
    expect(() => requireNeutral('A page with an ORANGE logo.', ['orange'])).toThrow(
      expect.objectContaining({ code: 'state_leak' }),
    );
  });
});

describe('the control matrix', () => {
  it('swaps by position in the other family', () => {
    for (const revision of REVISIONS) {
      const partners = swapPartners(publishedManifest(revision).rows, PUBLISHED_PROFILE.families);
      const found = [...partners].map(([id, { unique_data_id }]) => [id, unique_data_id]);
      expect(found.sort()).toEqual([...PARTNERS[revision]].map((pair) => [...pair]).sort());
    }
    expect(() =>
      swapPartners(publishedManifest('five-row').rows.slice(0, 2), ['fox_news', 'non_fox']),
    ).toThrow(expect.objectContaining({ code: 'family_empty' }));
  });

  it('goes by stream order, not by place', () => {
    const rows = [...publishedManifest('five-row').rows].reverse();
    expect(short(swapPartners(rows, ['fox_news', 'non_fox']).get(ID('v9'))?.unique_data_id ?? '')).toBe('wr');
  });

  it('has present, omitted, swapped for each row, in manifest order', () => {
    const controls = controlMatrix(publishedManifest('five-row').rows, PUBLISHED_PROFILE);
    expect(
      controls
        .slice(0, 6)
        .map((c) => [
          short(c.unique_data_id),
          c.condition,
          c.image_unique_data_id === null ? null : short(c.image_unique_data_id),
          c.expected,
          c.counts_as_semantic_hit,
        ]),
    ).toEqual([
      ['va', 'present', 'va', true, true],
      ['va', 'omitted', null, null, false],
      ['va', 'swapped', 'wv', false, true],
      ['v9', 'present', 'v9', true, true],
      ['v9', 'omitted', null, null, false],
      ['v9', 'swapped', 'wr', false, true],
    ]);
    expect(controls).toHaveLength(15);
    expect(controlMatrix(publishedManifest('six-row').rows, PUBLISHED_PROFILE)).toHaveLength(18);
  });
});

describe('probabilities', () => {
  it('the published vectors', () => {
    expect(softmax([-0.2, -1.0])[0]).toBe(0.6899744811276125);
    expect(softmax([-3.5, -0.031])[0]).toBe(0.030207262511225606);
    expect(softmax([-16.2, -0.0000001])[0]).toBe(9.21360090702178e-8);
    expect(softmax([-1e9, -1e9])).toEqual([0.5, 0.5]);
  });

  it('refuse what is not finite', () => {
    for (const bad of [[Number.NaN, 0], [Number.NEGATIVE_INFINITY, 0], []])
      expect(() => softmax(bad)).toThrow(expect.objectContaining({ code: 'logprob_not_finite' }));
  });

  it('a tie goes to the earlier option', () => {
    expect(choose(['a', 'b', 'c'], [0.2, 0.4, 0.4])).toBe('b');
  });

  it('margins are doubles and 0.10 is inclusive', () => {
    const pairs: [number, number, boolean][] = [
      [0.6, 0.5, false],
      [0.2, 0.1, true],
      [0.55, 0.45, true],
      [0.9, 0.8, false],
      [0.35, 0.25, false],
      [0.95, 0.85, false],
      [BLIND_PROBABILITY, BLIND_PROBABILITY, false],
    ];
    for (const [a, b, ordered] of pairs) expect(isOrdered(a - b)).toBe(ordered);
  });
});
