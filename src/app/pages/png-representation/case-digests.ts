import type { Definition } from '../../parts/definition';
import type { CaseView } from './case-view';

/** The digests of a case's picture and of the case itself, with what each covers. */
export function caseDigests(view: CaseView): readonly Definition[] {
  const lines: Definition[] = [];
  const add = (term: string, value: string | null, note: string): void => {
    if (value !== null) lines.push({ term, text: value, digest: true, note });
  };
  add('PNG file, drawn here', view.image, 'Of the bytes a provider gets.');
  add('Pixels, drawn here', view.pixels, 'Independent of any encoder.');
  add(
    'PNG file, as published',
    view.publishedImage,
    'A label of the case: it depends on an unrecorded encoder build and cannot be reproduced here.',
  );
  add(
    view.caseIdRecomputes === null ? 'Case' : 'Case, as published',
    view.caseId,
    view.caseIdRecomputes === false
      ? 'Cannot be recomputed: it covers the raw reply, its time and metadata, which were not published.'
      : view.caseIdRecomputes === true
        ? 'Recomputed here and equal.'
        : 'Of everything said about this case.',
  );
  return lines;
}
