/**
 * Frozen constants of the "PSAI vision smoke" (Alberto-Codes/typevet, issue 154). Prompts, matrix and gate follow from
 * them, so none may be edited; a changed protocol is another one.
 */
export const EXPERIMENT_ID = 'vision-controls';
export const ISSUE = 154;
export const MANIFEST_VERSION = 1;
export const DATASET_ID = 'anaisleila/computer-use-data-psai';
export const LICENSE = 'MIT';
export const VISUAL_QUESTION = 'shows_fox_news_chrome';

export const CONDITIONS = ['present', 'omitted', 'swapped'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A yes/no answer reads true from this probability on. Recorded, not gated, in the gate `smoke`. */
export const NOUL_THRESHOLD = 0.5;
/** Least margin between the two imaged controls of a row; inclusive, compared as IEEE doubles. */
export const PAIRED_MARGIN_FLOOR = 0.1;
export const MINIMUM_ROWS_PER_FAMILY = 2;
/** Least growth of `tokens_evaluated` that shows a picture was attached. A figure of Gemma 3, used for it alone. */
export const MINIMUM_TOKEN_GROWTH = 200;
/** The sums of probabilities that a receipt states may be off by this much. */
export const PROBABILITY_SUM_TOLERANCE = 1e-6;

/** The documented form of the media marker; a server's own stands in for it just before sending. */
export const MEDIA_MARKER = '<__media__>';
/** What the marker becomes in a caller's own text, so that no text can claim to be a picture. */
export const NEUTRAL_MARKER = '<\\_\\_media\\_\\_>';

/** The context of every control. It never names a task, because every task name pins its web site. */
export const VISUAL_CONTROL_STATE = 'A screen capture taken during a recorded desktop browsing session.';

/** Case-insensitive substrings that the visual state may not hold, in this order. */
export const FAMILY_LEAK_TERMS: readonly string[] = ['fox', 'news', 'home depot', 'homedepot', 'squarespace'];

/** Keys that the annotation state may not have: each of them would give an answer away. */
export const BANNED_STATE_KEYS: readonly string[] = [
  'category',
  'difficulty',
  'benchmark',
  'appType',
  'os',
  'requires_login',
  'subCategory',
  'sub_category',
  'expected',
  'label',
  'ground_truth',
  'unique_data_id',
  'screenshots',
  'events',
];

export const CATEGORY_LABELS = ['BROWSER_TASK', 'COMPUTER_TASK'] as const;

/** Never in a rendered question block, whatever the case of its letters. */
export const BANNED_BLOCK_PHRASES: readonly string[] = [
  'gold answer',
  'reference answer',
  'correct answer',
  'expected answer',
];

/** What every control of a harness that does not look answers: the omitted value that was published. */
export const BLIND_PROBABILITY = 0.7545;

/** The two named gates. `consumer` is the later variant: it also fails on an imaged answer on the wrong side of 0.5. */
export const GATES = ['smoke', 'consumer'] as const;
export type GateName = (typeof GATES)[number];

/** Shown beside every result, and part of every report. */
export const NON_CLAIMS: readonly string[] = [
  'One model, one server build, a handful of pictures: nothing is said about any other.',
  'No claim about a corpus, and none about calibration: probabilities are read, not checked.',
  'The visual gold label is made by hand.',
  'No claim about a model’s quality, and none about doing tasks on a screen.',
  'No claim about other template families: another template is another harness.',
];
