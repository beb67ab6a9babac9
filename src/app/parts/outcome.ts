export type Outcome = 'exact' | 'action_equivalent' | 'action_changing' | 'rejected' | 'infrastructure';

export const OUTCOMES: Readonly<
  Record<Outcome, { readonly word: string; readonly sign: string; readonly meaning: string }>
> = {
  exact: { word: 'exact', sign: '●', meaning: 'Every variable of the state was read right.' },
  action_equivalent: {
    word: 'action-equivalent',
    sign: '◐',
    meaning: 'The state was misread, but the policy does the same in the state that was read.',
  },
  action_changing: {
    word: 'action-changing',
    sign: '▲',
    meaning: 'The state was misread, and the policy would do something else.',
  },
  rejected: {
    word: 'rejected',
    sign: '✕',
    meaning: 'The reply does not hold one clear answer in the asked form.',
  },
  infrastructure: {
    word: 'no answer',
    sign: '◌',
    meaning: 'A failure of plumbing: no reply came. It counts neither as right nor as wrong.',
  },
};

/** The order in which a reader should meet them: what would go wrong first. */
export const BY_WEIGHT: readonly Outcome[] = [
  'action_changing',
  'rejected',
  'action_equivalent',
  'exact',
  'infrastructure',
];

export function outcomeOf(word: string): Outcome {
  return BY_WEIGHT.find((outcome) => outcome === word) ?? 'infrastructure';
}
