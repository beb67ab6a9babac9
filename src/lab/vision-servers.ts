import type { CatalogueEntry } from '../providers/catalogue';

/** The model of the published smoke, under the name that the author's own servers give it. */
const PUBLISHED_MODEL = 'gemma-3-4b-it-q4km-mm';

/** The model that the vision controls ask for unless a person names another: what runs at home is what was published. */
export function usualModel({ runs, model }: CatalogueEntry): string {
  return runs === 'local-server' ? PUBLISHED_MODEL : (model ?? '');
}
