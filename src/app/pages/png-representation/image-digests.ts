import type { CaseRecord } from '../../../runner/experiment';
import { textAt } from '../../json-read';
import type { Definition } from '../../parts/definition';
import type { CaseView } from './case-view';

/** The digests of a case's picture and of the case itself, with what each covers. */
export function imageDigests(record: CaseRecord, view: CaseView): readonly Definition[] {
  const lines: Definition[] = [];
  const add = (term: string, value: string | null, note: string): void => {
    if (value !== null) lines.push({ term, text: value, digest: true, note });
  };
  const look = (name: string): string | null => textAt(record.detail, name) ?? textAt(record.evidence, name);
  add('PNG file, drawn here', look('final_image_sha256'), 'Of the bytes a provider gets.');
  add(
    'Pixels, drawn here',
    look('final_pixels_sha256') ?? look('pixels_sha256'),
    'Independent of any encoder.',
  );
  add(
    'PNG file, as published',
    look('published_final_image_sha256'),
    'An opaque label: it depends on an unrecorded encoder build and cannot be reproduced here.',
  );
  add('Case', view.caseId, 'Of everything said about this case.');
  return lines;
}
