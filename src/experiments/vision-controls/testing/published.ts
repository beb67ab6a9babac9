/**
 * Figures of the published experiment that its specification gives, for tests in Node and in Chromium. None is made by our
 * code.
 */
export const MANIFESTS = {
  'five-row': '9fbba4c88f8db2b3c78be6713f79a0acc32a176147f783eeada6d50f4f2086d6',
  'six-row': '312d954ea3f59834caaafbd13b2217effea7e92040d7dfe42e72883f81f8f649',
} as const;

/** SHA-256 of the visual prefix: without and with one picture. */
export const PREFIXES = {
  native_gemma3_turn: [
    'cbfce03f8aa81459c6fa8d3b420d86a03bb07de2257514fa9abefbda12383140',
    '902a784694d6d1d106cb485645c46372bc84d8d35ea2dba7ab569f7ab1cf2235',
  ],
  native_gemma4_turn: [
    'e1b5bc94d283bbf2dea975703ce34330d5002d696c6c297c4060dbcc77194e8c',
    '7e8d513ae1c429e4b84539332040e1cc3ab300ffa58853258cfce6cb1976b331',
  ],
} as const;
export const USER_TEXT = 'e766832d53df179b4302eb005f01b4ee91c5b102f6e14659cf7f948b67a131fc';

const FOX = ['cmcc8u6yc00va1p1ydsdu52zy', 'cmcc8u6yc00v91p1yw2eruz95', 'cmcc8u6yc00vm1p1yhjl1u0bf'] as const;
const [VA, V9, VM] = FOX;
const SQUARESPACE = 'cmcc8u6ym018l1p1yxhf18gc2';
const [WV, WR] = ['cmcc8u6yd00wv1p1yy8guorre', 'cmcc8u6yd00wr1p1yj7aot3ae'];

/** Rows in order, each with the row whose picture it borrows. */
export const PARTNERS = {
  'five-row': [
    [VA, WV],
    [V9, WR],
    [VM, WV],
    [WV, VA],
    [WR, V9],
  ],
  'six-row': [
    [VA, SQUARESPACE],
    [V9, WV],
    [VM, WR],
    [SQUARESPACE, VA],
    [WV, V9],
    [WR, VM],
  ],
} as const;

/** SHA-256 of the annotation prefixes with Gemma 3 turns and one picture: category, requires_login. */
export const ANNOTATION: { readonly [row: string]: readonly [string, string] } = {
  [VA]: [
    'c3b3cd784deebea190d5c59b943446d9e3fc6046a30da511057e30ff1f290678',
    'f37364cb906def7a4de3f57ce009f39fa9f4935a2df84f36f5ca776da3f96d88',
  ],
  [V9]: [
    '8dc8f4ad324dad5a7a04c6fdce0cd2295cfee2eabbdf2cf5a8a390ea5cabb5b6',
    '38464888da2621090761a31c348809fe98428b7faa0d2748995004844c17832c',
  ],
  [VM]: [
    '8604f1dcd1b63b9c2e3127d3965e98d9488797c12c201b56988cf04fb9c4b181',
    '70ea3dffe937ba74c71145095f1f1be77224a28db8b83c1d015803335004ed53',
  ],
  [SQUARESPACE]: [
    '9310bf013521e0d62b217512860c981e56b813180e60e9bc6287583a3d3ed207',
    '8b2d89d1f27765be3a513acbe55f0e19e18a24e16d7a6afe4dbb99f8169b0879',
  ],
  [WV]: [
    'f6ad2c7921aeade71b755a5dd255f83ed8a65ceea12b776bfcc036c64e8bfc2f',
    '360f7f55340db0630323de880f9647856a4fb0e86853066d55b0c4c227d2e324',
  ],
  [WR]: [
    '3a76ba072662433b7dcf1880d96dc21ef4d919235347aff2e187f3de4fbf3666',
    'b20d97ff5e50b0a0ef62f0a04b87a343c6a8a1b349ab4a5f36cbbc3161b83525',
  ],
};

/** Verdict, beginning of the cause, counted / hits / uncounted, ordered rows and least margin of the scenarios. */
export const SCENARIO_RESULTS = {
  blind: ['fail', 'did not move the judgment', [10, 5, 5], 0, 0],
  perfect: ['pass', null, [10, 10, 5], 5, 0.98],
  historical: ['pass', null, [10, 8, 5], 5, 0.20710000000000006],
  dropped: ['fail', 'image was not attached', [10, 10, 5], 5, 0.98],
  inverted: ['fail', 'did not move the judgment', [10, 0, 5], 0, -0.8],
  allYes: ['fail', 'did not move the judgment', [10, 5, 5], 0, 0.04999999999999993],
} as const;

/** Two probabilities in doubles, and whether they are ordered at 0.10. */
export const BOUNDARY: readonly (readonly [number, number, 'pass' | 'fail'])[] = [
  [0.2, 0.1, 'pass'],
  [0.55, 0.45, 'pass'],
  [0.6, 0.5, 'fail'],
  [0.9, 0.8, 'fail'],
  [0.35, 0.25, 'fail'],
  [0.95, 0.85, 'fail'],
];

/** The later consumer's run: row, present, omitted, swapped, margin, tokens imaged and omitted, seconds of the three. */
export const CONSUMER_ROWS = [
  [VA, 0.9999997955032472, 9.747176713457239e-8, 0.9999996980314801, [1.873, 1.353, 1.819]],
  [V9, 0.9999995543505439, 7.352813310608816e-8, 0.9999994808224107, [1.952, 1.332, 1.82]],
  [SQUARESPACE, 9.747176713457239e-8, 0.9999997955032472, 0.9999996980314801, [1.948, 1.304, 1.793]],
  [WV, 7.352813310608816e-8, 0.9999995543505439, 0.9999994808224107, [1.954, 1.331, 1.805]],
] as const;
export const CONSUMER_OMITTED = 0.27196006242966697;
export const CONSUMER_TOKENS = [507, 94] as const;
