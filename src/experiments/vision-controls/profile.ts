import { canonicalId } from '../../evidence/identity/canonical';
import { leakTermsOf } from './leak';
import { DATASET_ID, FAMILY_LEAK_TERMS, LICENSE, VISUAL_CONTROL_STATE } from './protocol';
import type { Question } from './questions';
import { annotationQuestions, FOX_QUESTION } from './questions';

/** Two families of pictures. The visual question is about the first one: its gold is true for it alone. */
export type FamilyPair = readonly [string, string];

/** What a manifest of one data set is held against, and what its questions are. */
export interface Profile {
  readonly dataset_id: string;
  readonly license: string;
  readonly families: FamilyPair;
  readonly visual: Question;
  /** Questions of the annotation leg; none where the rows have no task. */
  readonly annotation: readonly Question[];
  readonly state: string;
  readonly leak_terms: readonly string[];
  /** True where each `task_name` is known to name its family, so that one which does not is a fault. */
  readonly tasks_leak: boolean;
}

export const PUBLISHED_PROFILE: Profile = {
  dataset_id: DATASET_ID,
  license: LICENSE,
  families: ['fox_news', 'non_fox'],
  visual: FOX_QUESTION,
  annotation: annotationQuestions,
  state: VISUAL_CONTROL_STATE,
  leak_terms: FAMILY_LEAK_TERMS,
  tasks_leak: true,
};

export const DEMO_DATASET_ID = 'pixelproof/demo-screens';

export const DEMO_PROFILE: Profile = {
  dataset_id: DEMO_DATASET_ID,
  license: LICENSE,
  families: ['tide_board', 'seed_shop'],
  visual: {
    name: 'shows_tide_board_chrome',
    kind: 'Noul',
    instructions: 'Is the website in this screenshot Tide Board?',
    labels: ['true', 'false'],
    descriptions: ['Tide Board site chrome or branding is clearly visible in the screenshot.', 'It is not.'],
  },
  annotation: annotationQuestions,
  state: VISUAL_CONTROL_STATE,
  leak_terms: leakTermsOf(['Tide Board', 'Seed Shop'], []),
  tasks_leak: true,
};

/** What a person who brings pictures says about them. */
export interface OwnWords {
  /** Names of the two families, the first being the one that the question is about. */
  readonly families: FamilyPair;
  /** A yes/no question about the first family. */
  readonly question: string;
  /** What `true` means, shown to the model beside the control; empty for none. */
  readonly when_true: string;
  readonly state: string;
  /** Further terms that the state may not hold. */
  readonly terms: readonly string[];
}

const OWN_DATASET_PREFIX = 'own/';

/** The profile of a person's own families. Its data set id is a digest of the words, so equal words compare. */
export function ownProfile(words: OwnWords): Profile {
  const { families, question, when_true, state, terms } = words;
  const [first, other] = [slug(families[0]), slug(families[1])];
  // Names that are equal but for letters a label cannot hold stay two families.
  const labels: FamilyPair = [first, first === other ? `${other}_2` : other];
  return {
    dataset_id: `${OWN_DATASET_PREFIX}${canonicalId({ families, question, when_true, state, terms }).slice(7, 23)}`,
    license: 'own',
    families: labels,
    visual: {
      name: `shows_${labels[0]}`,
      kind: 'Noul',
      instructions: question,
      labels: ['true', 'false'],
      descriptions: when_true === '' ? [null, null] : [when_true, 'It is not.'],
    },
    annotation: [],
    state,
    leak_terms: leakTermsOf(families, terms),
    tasks_leak: false,
  };
}

/** A family's name as a label: `Home Depot` is `home_depot`. */
function slug(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'family'
  );
}
