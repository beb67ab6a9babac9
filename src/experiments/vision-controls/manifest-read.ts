import { PixelproofError } from '../../errors';
import { isObject, parseObject } from '../../evidence/bundle/safe-json';
import type { JsonObject } from '../../evidence/identity/json';
import type { Manifest } from './manifest';
import type { Profile } from './profile';
import { MANIFEST_VERSION, MINIMUM_ROWS_PER_FAMILY } from './protocol';

const ROOT_KEYS = [
  'manifest_version',
  'dataset_id',
  'license',
  'split',
  'source',
  'screenshot_index',
  'gold_provenance',
  'rows',
];
const ROW_KEYS = ['unique_data_id', 'stream_order', 'task_name', 'visual_family', 'screenshot', 'expected'];
const SCREENSHOT_KEYS: { readonly [key: string]: (value: unknown) => boolean } = {
  file_name: isFileName,
  index: isCount,
  source_path: isText,
  mime_type: (value) => typeof value === 'string' && /^image\/(png|jpeg|webp)$/.test(value),
  sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  byte_count: (value) => isCount(value) && Number(value) > 0,
  width: (value) => isCount(value) && Number(value) > 0,
  height: (value) => isCount(value) && Number(value) > 0,
};

/**
 * Reads a manifest file. Checks go step by step over all rows, in the published order, and the first fault rejects the
 * whole file: `json_*` for the text, `manifest_keys`, `manifest_constant`, `manifest_row`, `manifest_gold`,
 * `manifest_family`, `manifest_expected`, `manifest_screenshot`, `manifest_duplicate`, `manifest_families`,
 * `manifest_provenance`. `profileOf` names the data set that the file says it is of.
 */
export function readManifest(
  text: string,
  profileOf: (root: JsonObject) => Profile,
): { readonly manifest: Manifest; readonly profile: Profile } {
  const root = parseObject(text, 'manifest.json');
  for (const key of ROOT_KEYS)
    if (!Object.hasOwn(root, key)) throw lacks('manifest_keys', 'The manifest', key);
  const profile = profileOf(root);
  constants(root, profile);
  const rows = rowsOf(root);
  goldBan(rows, profile);
  families(rows, profile);
  expectations(rows, profile);
  screenshots(rows);
  counts(rows, profile);
  provenance(root, profile);
  return { manifest: root as unknown as Manifest, profile };
}

function constants(root: JsonObject, profile: Profile): void {
  const wanted = {
    manifest_version: MANIFEST_VERSION,
    license: profile.license,
    dataset_id: profile.dataset_id,
  };
  for (const [key, expected] of Object.entries(wanted)) {
    if (root[key] === expected) continue;
    throw new PixelproofError(
      'manifest_constant',
      `The manifest is not of this experiment: ${key} differs.`,
      {
        expected,
        got: root[key],
      },
    );
  }
}

function rowsOf(root: JsonObject): readonly JsonObject[] {
  const { rows } = root;
  if (!Array.isArray(rows) || !rows.every(isObject)) {
    throw new PixelproofError('manifest_row', 'The rows of a manifest are a list of objects.', {
      expected: 'a list of objects',
      got: rows,
    });
  }
  for (const [index, row] of rows.entries()) {
    for (const key of ROW_KEYS) {
      if (!Object.hasOwn(row, key)) throw lacks('manifest_row', `Row ${index + 1}`, key);
    }
    const { unique_data_id, stream_order, task_name } = row;
    const typed = isText(unique_data_id) && isCount(stream_order) && typeof task_name === 'string';
    if (typed && isText(row.visual_family) && isObject(row.screenshot) && isObject(row.expected)) continue;
    throw new PixelproofError('manifest_row', `Row ${index + 1} has a value of the wrong kind.`, {
      expected: 'an id, a whole stream_order, a task_name, a family, a screenshot and expected labels',
      got: row,
    });
  }
  return rows;
}

/** Gold stands under `expected` and nowhere else, so that nothing built from a row can carry it. */
function goldBan(rows: readonly JsonObject[], profile: Profile): void {
  for (const row of rows) {
    const key = goldKeys(profile).find((gold) => Object.hasOwn(row, gold));
    if (key === undefined) continue;
    throw new PixelproofError('manifest_gold', 'A gold label stands outside expected.', {
      expected: `${key} under expected only`,
      got: `${key} in row ${String(row.unique_data_id)}`,
    });
  }
}

function families(rows: readonly JsonObject[], { families }: Profile): void {
  for (const row of rows) {
    if (families.includes(String(row.visual_family))) continue;
    throw new PixelproofError('manifest_family', 'A row is of a family that the experiment does not have.', {
      expected: families.join(' or '),
      got: row.visual_family,
    });
  }
}

function expectations(rows: readonly JsonObject[], profile: Profile): void {
  const gold = goldKeys(profile);
  for (const row of rows) {
    const expected = row.expected as JsonObject;
    const keys = Object.keys(expected);
    const exact = keys.length === gold.length && gold.every((key) => Object.hasOwn(expected, key));
    const truth = row.visual_family === profile.families[0];
    const typed = profile.annotation.every(({ name, kind, labels }) => {
      const value = expected[name];
      return kind === 'Noul' ? typeof value === 'boolean' : labels.includes(String(value));
    });
    if (exact && typed && expected[profile.visual.name] === truth) continue;
    throw new PixelproofError(
      'manifest_expected',
      `The expected labels of row ${String(row.unique_data_id)} are not the ones that its family has.`,
      { expected: `${gold.join(', ')}, with ${profile.visual.name} ${truth}`, got: expected },
    );
  }
}

function screenshots(rows: readonly JsonObject[]): void {
  for (const row of rows) {
    const screenshot = row.screenshot as JsonObject;
    for (const [key, right] of Object.entries(SCREENSHOT_KEYS)) {
      if (right(screenshot[key])) continue;
      throw new PixelproofError(
        'manifest_screenshot',
        `The screenshot of row ${String(row.unique_data_id)} has no usable ${key}.`,
        { expected: key, got: screenshot[key] ?? 'nothing' },
      );
    }
  }
}

function counts(rows: readonly JsonObject[], { families }: Profile): void {
  const ids = new Set<unknown>();
  for (const { unique_data_id } of rows) {
    if (ids.has(unique_data_id)) {
      throw new PixelproofError('manifest_duplicate', 'Two rows of the manifest have the same id.', {
        got: unique_data_id,
      });
    }
    ids.add(unique_data_id);
  }
  for (const family of families) {
    const count = rows.filter(({ visual_family }) => visual_family === family).length;
    if (count >= MINIMUM_ROWS_PER_FAMILY) continue;
    throw new PixelproofError('manifest_families', `The family ${family} has too few rows.`, {
      expected: `at least ${MINIMUM_ROWS_PER_FAMILY}`,
      got: count,
    });
  }
}

function provenance({ gold_provenance }: JsonObject, profile: Profile): void {
  const given = isObject(gold_provenance) ? gold_provenance : {};
  const gold = goldKeys(profile);
  const right =
    Object.keys(given).length === gold.length &&
    gold.every((key) => given[key] === 'annotation' || given[key] === 'manual_visual') &&
    given[profile.visual.name] === 'manual_visual';
  if (right) return;
  throw new PixelproofError(
    'manifest_provenance',
    'The manifest does not say where each gold label is from.',
    {
      expected: `${gold.join(', ')}, each annotation or manual_visual, the visual one manual_visual`,
      got: gold_provenance,
    },
  );
}

/** In the order of the published file: the annotation's questions, then the visual one. */
function goldKeys({ annotation, visual }: Profile): string[] {
  return [...annotation.map(({ name }) => name), visual.name];
}

function lacks(code: string, what: string, key: string): PixelproofError {
  const detail = { expected: key, got: 'nothing' };
  return code === 'manifest_keys'
    ? new PixelproofError('manifest_keys', `${what} has no ${key}.`, detail)
    : new PixelproofError('manifest_row', `${what} has no ${key}.`, detail);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A name, or a path below the manifest. It is shown and never opened; one that leads elsewhere is refused all the same. */
function isFileName(value: unknown): boolean {
  if (!isText(value) || /[\\\0]|^\/|^[A-Za-z]:/.test(value)) return false;
  return !value.split('/').some((part) => part === '' || part === '.' || part === '..');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
