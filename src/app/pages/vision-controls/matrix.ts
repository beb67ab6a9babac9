import demoText from '../../../../fixtures/vision-controls/demo-manifest.json?raw';
import type { JsonObject } from '../../../evidence/identity/json';
import { type Control, controlMatrix } from '../../../experiments/vision-controls/controls';
import { type Manifest, manifestText, type Row } from '../../../experiments/vision-controls/manifest';
import { parseManifest } from '../../../experiments/vision-controls/own';
import type { Profile } from '../../../experiments/vision-controls/profile';
import { publishedManifest } from '../../../experiments/vision-controls/published-fixture';
import { listAt, objectAt, textAt } from '../../json-read';
import type { Choice } from './choice';

/** A fixture with its controls, of a plan or of a run. */
export interface Matrix {
  readonly text: string;
  readonly manifest: Manifest;
  readonly profile: Profile;
  readonly rows: readonly Row[];
  readonly controls: readonly Control[];
}

/** Throws as `parseManifest`. `wanted` are the rows that are run, all for null. */
export function matrixOf(text: string, wanted: readonly string[] | null = null): Matrix {
  const { manifest, profile } = parseManifest(text);
  const rows =
    wanted === null
      ? manifest.rows
      : wanted.flatMap((id) => manifest.rows.filter(({ unique_data_id }) => unique_data_id === id));
  return { text, manifest, profile, rows, controls: controlMatrix(rows, profile) };
}

/** Text of a fixture that has a name; null for a person's own. */
export function namedText(fixture: Choice['fixture']): string | null {
  if (fixture === 'own') return null;
  return fixture === 'demo' ? demoText : manifestText(publishedManifest(fixture));
}

/** The matrix of a stored run, from its plan. */
export function matrixOfPlan(plan: JsonObject): Matrix {
  const frozen = objectAt(plan, 'frozen');
  const rows = listAt(frozen, 'rows').map(String);
  return matrixOf(textAt(objectAt(frozen ?? {}, 'fixture'), 'manifest_text') ?? '', rows);
}
