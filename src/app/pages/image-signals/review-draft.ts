import { addReview, type Review } from '../../../experiments/image-signals/review';

/**
 * What a reviewer would lose, or could cheat with, when the page is loaded again: scores that are in no stored run yet,
 * whose turn it is, and which pictures' numbers have been on this tab's screen. It lives as long as the tab.
 */
export interface ReviewDraft {
  readonly reviewFirst: boolean;
  readonly reviewer: string;
  readonly reviews: readonly Review[];
  readonly seen: readonly string[];
}

const KEY = 'pixelproof-review';
const NOTHING: ReviewDraft = { reviewFirst: false, reviewer: '', reviews: [], seen: [] };

export function readDraft(): ReviewDraft {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as ReviewDraft | null;
    if (draft === null) return NOTHING;
    return {
      reviewFirst: draft.reviewFirst === true,
      reviewer: String(draft.reviewer),
      reviews: union([], draft.reviews),
      seen: draft.seen.map(String),
    };
  } catch {
    // No storage, or not ours: the review begins anew.
    return NOTHING;
  }
}

/** A draft of nothing leaves nothing. */
export function writeDraft(draft: ReviewDraft): void {
  try {
    const { reviewFirst, reviewer, reviews, seen } = draft;
    if (reviewFirst || reviewer !== '' || reviews.length > 0 || seen.length > 0)
      sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser without storage keeps it in the page alone.
  }
}

/** Both lists, each score once. Throws `review_invalid` for what is no review. */
export function union(known: readonly Review[], more: readonly Review[]): readonly Review[] {
  const key = ({ reviewer, image, item }: Review) => `${image} ${item} ${reviewer}`;
  const held = new Set(known.map(key));
  return more.filter((one) => !held.has(key(one))).reduce<readonly Review[]>(addReview, known);
}
