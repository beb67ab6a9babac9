import type { Manifest, Row } from './manifest';
import { DATASET_ID, ISSUE, LICENSE, MANIFEST_VERSION, VISUAL_QUESTION } from './protocol';
import { PUBLISHED_ROWS } from './published-rows';

/** The fixture as the how-to describes it, and the later one with one more row. */
export const REVISIONS = ['five-row', 'six-row'] as const;
export type Revision = (typeof REVISIONS)[number];

/** SHA-256 of each revision's manifest file, as published (five rows: rebuilt, with the published length). */
export const REVISION_DIGESTS: { readonly [revision in Revision]: string } = {
  'five-row': 'sha256:9fbba4c88f8db2b3c78be6713f79a0acc32a176147f783eeada6d50f4f2086d6',
  'six-row': 'sha256:312d954ea3f59834caaafbd13b2217effea7e92040d7dfe42e72883f81f8f649',
};

/** The row that the six-row revision adds. */
const ADDED_STREAM_ORDER = 5;

/** The published manifest, key for key in the order of the file. */
export function publishedManifest(revision: Revision): Manifest {
  const rows = PUBLISHED_ROWS.filter(
    ({ stream_order }) => revision === 'six-row' || stream_order !== ADDED_STREAM_ORDER,
  );
  return {
    manifest_version: MANIFEST_VERSION,
    issue: ISSUE,
    dataset_id: DATASET_ID,
    license: LICENSE,
    split: 'train',
    source: 'psai',
    screenshot_index: 0,
    visual_question: VISUAL_QUESTION,
    gold_provenance: {
      category: 'annotation',
      requires_login: 'annotation',
      [VISUAL_QUESTION]: 'manual_visual',
    },
    notes: [
      'Screenshot bytes are the unmodified first screenshot of each row.',
      'requires_login maps the Hub string through noul_requires_login.',
      `${VISUAL_QUESTION} is manual visual labelling, not a Hub field.`,
    ],
    rows: rows.map(
      ({ id, stream_order, task_name, family, source_path, sha256, byte_count }): Row => ({
        unique_data_id: id,
        stream_order,
        task_name,
        visual_family: family,
        screenshot: {
          file_name: `${id}.png`,
          index: 0,
          source_path,
          mime_type: 'image/png',
          sha256,
          byte_count,
          width: 1280,
          height: 720,
        },
        expected: {
          category: 'BROWSER_TASK',
          requires_login: false,
          [VISUAL_QUESTION]: family === 'fox_news',
        },
      }),
    ),
  };
}
