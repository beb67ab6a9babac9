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
      expect(`sha256:${sha256Hex(text)}`).toBe(REVISION_DIGESTS[revision]);
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
    expect(found).toEqual([
      [406, 410, 'cbfce03f8aa81459c6fa8d3b420d86a03bb07de2257514fa9abefbda12383140'],
      [418, 422, '902a784694d6d1d106cb485645c46372bc84d8d35ea2dba7ab569f7ab1cf2235'],
      [412, 416, 'e1b5bc94d283bbf2dea975703ce34330d5002d696c6c297c4060dbcc77194e8c'],
      [424, 428, '7e8d513ae1c429e4b84539332040e1cc3ab300ffa58853258cfce6cb1976b331'],
      [351, 355, 'e766832d53df179b4302eb005f01b4ee91c5b102f6e14659cf7f948b67a131fc'],
    ]);
  });

  it('annotation leg, Gemma 3, one picture', () => {
    const found = publishedManifest('six-row').rows.map(({ task_name }) =>
      [CATEGORY, REQUIRES_LOGIN].map((question) =>
        sha256Hex(prefixOf('native_gemma3_turn', annotationState({ task_name }), question, 1)),
      ),
    );
    expect(found).toEqual([
      [
        'c3b3cd784deebea190d5c59b943446d9e3fc6046a30da511057e30ff1f290678',
        'f37364cb906def7a4de3f57ce009f39fa9f4935a2df84f36f5ca776da3f96d88',
      ],
      [
        '8dc8f4ad324dad5a7a04c6fdce0cd2295cfee2eabbdf2cf5a8a390ea5cabb5b6',
        '38464888da2621090761a31c348809fe98428b7faa0d2748995004844c17832c',
      ],
      [
        '8604f1dcd1b63b9c2e3127d3965e98d9488797c12c201b56988cf04fb9c4b181',
        '70ea3dffe937ba74c71145095f1f1be77224a28db8b83c1d015803335004ed53',
      ],
      [
        '9310bf013521e0d62b217512860c981e56b813180e60e9bc6287583a3d3ed207',
        '8b2d89d1f27765be3a513acbe55f0e19e18a24e16d7a6afe4dbb99f8169b0879',
      ],
      [
        'f6ad2c7921aeade71b755a5dd255f83ed8a65ceea12b776bfcc036c64e8bfc2f',
        '360f7f55340db0630323de880f9647856a4fb0e86853066d55b0c4c227d2e324',
      ],
      [
        '3a76ba072662433b7dcf1880d96dc21ef4d919235347aff2e187f3de4fbf3666',
        'b20d97ff5e50b0a0ef62f0a04b87a343c6a8a1b349ab4a5f36cbbc3161b83525',
      ],
    ]);
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
  const partners = (revision: 'five-row' | 'six-row') =>
    [...swapPartners(publishedManifest(revision).rows, PUBLISHED_PROFILE.families)].map(
      ([id, { unique_data_id }]) => `${short(id)}->${short(unique_data_id)}`,
    );

  it('swaps by position in the other family', () => {
    expect(partners('five-row').sort()).toEqual(['v9->wr', 'va->wv', 'vm->wv', 'wr->v9', 'wv->va']);
    expect(partners('six-row').sort()).toEqual([
      '018l->va',
      'v9->wv',
      'va->018l',
      'vm->wr',
      'wr->vm',
      'wv->v9',
    ]);
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
