import { PixelproofError } from '../../errors';
import { RUBRIC, type RubricItem } from './protocol';

/** 0 not met, 1 partly met, 2 met. */
export const SCORES = [0, 1, 2] as const;
export type Score = (typeof SCORES)[number];

/** What one person saw in one picture, scored with the numbers hidden. */
export interface Review {
  readonly reviewer: string;
  /** SHA-256 of the picture's file. */
  readonly image: string;
  readonly item: RubricItem;
  readonly score: Score;
  readonly note: string;
}

/** Adds a score; a reviewer scores each item of a picture once. Throws `review_invalid` and `review_repeated`. */
export function addReview(reviews: readonly Review[], review: Review): Review[] {
  const fits =
    review.reviewer.trim() !== '' &&
    /^[0-9a-f]{64}$/.test(review.image) &&
    RUBRIC.includes(review.item) &&
    SCORES.includes(review.score);
  if (!fits) {
    throw new PixelproofError(
      'review_invalid',
      'A review names its reviewer, its picture, an item and a score.',
      {
        expected: `a name, a SHA-256, one of ${RUBRIC.join(', ')}, and 0, 1 or 2`,
        got: review,
      },
    );
  }
  const same = ({ reviewer, image, item }: Review) =>
    reviewer === review.reviewer && image === review.image && item === review.item;
  if (reviews.some(same)) {
    throw new PixelproofError(
      'review_repeated',
      'This reviewer has scored this item of this picture already.',
      {
        got: `${review.reviewer}, ${review.item}`,
      },
    );
  }
  return [...reviews, review];
}

/** The numbers of a picture are shown to a reviewer only when all items are scored. */
export function mayReveal(reviews: readonly Review[], reviewer: string, image: string): boolean {
  return RUBRIC.every((item) =>
    reviews.some((one) => one.reviewer === reviewer && one.image === image && one.item === item),
  );
}

/** How two reviewers agree on one item, over the pictures that both scored. */
export interface Agreement {
  readonly item: RubricItem;
  readonly reviewers: readonly [string, string];
  readonly pictures: number;
  readonly equal: number;
  /** Cohen's kappa (1960), unweighted; null where it is undefined: no pictures, or both used one score only. */
  readonly kappa: number | null;
}

/** Every pair of reviewers and every item. Scores are never merged. */
export function agreements(reviews: readonly Review[]): Agreement[] {
  const reviewers = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
  const pairs = reviewers.flatMap((a, i) => reviewers.slice(i + 1).map((b) => [a, b] as const));
  return RUBRIC.flatMap((item) => pairs.map((pair) => agreement(reviews, item, pair)));
}

function agreement(reviews: readonly Review[], item: RubricItem, pair: readonly [string, string]): Agreement {
  const [first, second] = pair.map(
    (name) =>
      new Map(reviews.filter((r) => r.reviewer === name && r.item === item).map((r) => [r.image, r.score])),
  );
  const both = [...(first ?? [])].flatMap(([image, score]) => {
    const other = second?.get(image);
    return other === undefined ? [] : [[score, other] as const];
  });
  const equal = both.filter(([a, b]) => a === b).length;
  const share = (side: 0 | 1, score: Score) =>
    both.filter((scores) => scores[side] === score).length / both.length;
  const chance = SCORES.reduce((sum: number, score) => sum + share(0, score) * share(1, score), 0);
  const defined = both.length > 0 && chance < 1;
  return {
    item,
    reviewers: pair,
    pictures: both.length,
    equal,
    kappa: defined ? (equal / both.length - chance) / (1 - chance) : null,
  };
}
