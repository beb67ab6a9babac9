import { type PyObject, pyFloat } from '../../evidence/identity/python-json';

// Every constant of the fixed-frame Pong controls. Source: the published plan and comparison (fixtures/pong-controls).

export const SEEDS = [36, 37, 46, 47] as const;
export const HOLD_FRAMES = 4;
export const STICKY = 0.25;
/** The most NOOP frames an episode may begin with; 0 is possible. */
export const NOOP_MAX = 30;
export const FRAMES_PER_EPISODE = 2000;
export const MODEL = 'jev-1.13.0';
/** HTTP attempts of a whole run, retries included, shared by both model arms. */
export const MAX_HTTP_ATTEMPTS = 4400;
/** Observations that the tracker remembers. */
export const HISTORY = 4;

export const GAME = 'ALE/Pong-v5';
export const EXTRACTOR = 'pong-ocatari-derived-v1';
export const SELECTION_RULE = 'probability-argmax-provider-tie-v1';
export const VIDEO_CLOCK = 'simulation, 60 raw frames/second';
export const FRAMES_PER_SECOND = 60;
export const WIDTH = 160;
export const HEIGHT = 210;

/** The cartridge that the published figures were made with. */
export const PONG_MD5 = '60e0ea3cbe0913d39803477945e9e5ec';

/** The six actions. `code` is the number of the console's joystick action. */
export const ACTIONS = [
  { id: 0, meaning: 'NOOP', effect: 'hold', code: 0 },
  { id: 1, meaning: 'FIRE', effect: 'hold', code: 1 },
  { id: 2, meaning: 'RIGHT', effect: 'up', code: 3 },
  { id: 3, meaning: 'LEFT', effect: 'down', code: 4 },
  { id: 4, meaning: 'RIGHTFIRE', effect: 'up', code: 11 },
  { id: 5, meaning: 'LEFTFIRE', effect: 'down', code: 12 },
] as const;
export type ActionId = 0 | 1 | 2 | 3 | 4 | 5;
export const OPTIONS: readonly string[] = ACTIONS.map(({ meaning }) => meaning);

/** Splits by the last digit of a seed: 0 to 5 train, 6 and 7 development, 8 and 9 test. */
export type Split = 'train' | 'development' | 'test';
export function splitOf(seed: number): Split {
  const digit = seed % 10;
  return digit <= 5 ? 'train' : digit <= 7 ? 'development' : 'test';
}

/** What ran the episodes, under `versions` of the protocol. */
export interface EngineVersions {
  readonly [name: string]: string;
}

/** Ours, in the page and on the command line: it changes when a result does, not with every release. */
export const ENGINE_VERSIONS: EngineVersions = { pixelproof: 'pong-1' };

/** The versions of the published run, for comparing bytes. Nothing here was made by them. */
export const PUBLISHED_VERSIONS: EngineVersions = {
  'ale-py': '0.11.2',
  gymnasium: '1.3.0',
  numpy: '2.5.3',
};

/** The protocol record without its hash, keys in the published order. `romSha256` in hex. */
export function protocolFields(romSha256: string, versions: EngineVersions): PyObject {
  return {
    hold_frames: HOLD_FRAMES,
    sticky: pyFloat(STICKY),
    observation: 'ram',
    noop_max: NOOP_MAX,
    game: GAME,
    mode: 0,
    difficulty: 0,
    frameskip: 1,
    full_action_space: false,
    extractor: EXTRACTOR,
    rom_sha256: romSha256,
    versions: { ...versions },
  };
}

export const PRIMARY_METRIC = 'undiscounted net reward over the fixed evaluation horizon';
export const TERMINATION_RULE =
  'Native terminal has a zero-reward absorbing tail; reset NOOPs are excluded from the horizon. Errors and ' +
  'environment truncation are incomplete.';
export const INFERENCE_RULE =
  'Fresh model calls; no cache, teacher revision, or policy promotion. Jev order alternates by seed. One API ' +
  'realization per policy/seed.';
export const COMPARISON_INTERPRETATION =
  'Paired development pilot, not a learning curve, independent test, or statistical significance claim. No automatic ' +
  'policy promotion.';
export const AGREEMENT_INTERPRETATION =
  "Compared on this policy's visited states, not paired state indices. Rule agreement measures instruction execution, " +
  'not optimal gameplay.';
export const DIAGNOSTICS_INTERPRETATION =
  'Returns inferred from positive-to-negative ball vx near the right paddle; may miss contacts. Opposing instantaneous ' +
  'gap is not always a wrong action.';

/** On screen and in every report beside the figures. */
export const NON_CLAIMS = [
  'A paired development pilot of four seeds: no test of significance, no independent test, no learning curve.',
  'Agreement with the 4 px rule measures whether an instruction was carried out, not whether play was good.',
  'Returns are inferred from the ball turning near the right paddle and may miss contacts.',
  'One realisation of the model for each policy and seed; another day may answer otherwise.',
  'Scores on the Paddle cartridge say nothing about Pong.',
] as const;
