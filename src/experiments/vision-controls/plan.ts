import { PixelproofError } from '../../errors';
import { canonicalId } from '../../evidence/identity/canonical';
import type { Json, JsonObject, Sha256Id } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import type { ProviderDescription } from '../../providers/provider';
import type { CaseKey, Plan } from '../../runner/experiment';
import type { GrowthRule } from './attachment';
import { type Control, controlMatrix } from './controls';
import { demoManifest } from './demo';
import { leakIn, requireNeutral } from './leak';
import { type Manifest, manifestDigest, manifestText, type Row } from './manifest';
import { parseManifest } from './own';
import { type Parameters, readParameters } from './parameters';
import type { Profile } from './profile';
import { type NativeTemplate, prefixOf, userText } from './prompt';
import {
  CONDITIONS,
  EXPERIMENT_ID,
  type GateName,
  MINIMUM_TOKEN_GROWTH,
  NON_CLAIMS,
  NOUL_THRESHOLD,
  PAIRED_MARGIN_FLOOR,
} from './protocol';
import { publishedManifest, REVISION_DIGESTS, REVISIONS } from './published-fixture';
import { questionBlock } from './questions';
import { REPLAY_PARAMETERS } from './replay-parameters';

/** Providers that get the whole prefix, byte for byte; all others wrap the text in a template of their own. */
export const EXACT_PROVIDERS: readonly string[] = ['llama-server', 'scripted', 'blind', 'replay'];
/** Providers that look at no picture, so that nobody has to have it. */
export const PICTURELESS_PROVIDERS: readonly string[] = ['blind', 'replay'];

/** Default of the bounded list; a control that is not in it is asked for again with the whole vocabulary. */
const DEFAULT_N_PROBS = 256;
/** Seconds; a large picture on a slow machine takes minutes. */
const DEFAULT_TIMEOUT_SECONDS = 900;

interface Frozen {
  readonly [key: string]: Json;
  readonly gate: GateName;
  readonly template: NativeTemplate;
  readonly growth_rule: GrowthRule;
  readonly counts_are_whole: boolean;
  readonly annotation: 'picture' | 'text' | 'none';
  readonly n_probs: number;
}

export type VisionPlan = Plan<Frozen>;

/** What a plan holds, read back from its JSON. */
export interface Contents {
  readonly manifest: Manifest;
  readonly profile: Profile;
  /** The rows that are run, in order. */
  readonly rows: readonly Row[];
  readonly controls: readonly Control[];
  readonly annotationRows: ReadonlySet<string>;
}

/**
 * Freezes fixture, matrix, prompts and gate. Throws `plan_parameters`, `plan_rows` for a row that the fixture does not
 * have, `state_leak`, `task_no_leak`, and what `parseManifest` and `controlMatrix` throw.
 */
export function makePlan(parameters: JsonObject, provider: ProviderDescription): VisionPlan {
  const replay = provider.id === 'replay' ? REPLAY_PARAMETERS : {};
  const given = readParameters({ ...replay, ...parameters });
  const gate = given.gate ?? 'smoke';
  const template = given.template ?? (gate === 'consumer' ? 'native_gemma4_turn' : 'native_gemma3_turn');
  const { manifest, profile, name, text } = fixtureOf(given.fixture ?? 'five-row');
  requireNeutral(profile.state, profile.leak_terms);
  if (profile.tasks_leak) requireTelling(manifest, profile);
  const rows = chosenRows(manifest, given.rows);
  const annotation = profile.annotation.length === 0 ? 'none' : (given.annotation ?? 'picture');
  const annotationRows = annotation === 'none' ? [] : (given.annotation_rows ?? rows.map(idOf));
  for (const id of annotationRows) requireRow(rows.map(idOf), id);
  const exact = EXACT_PROVIDERS.includes(provider.id);
  const controls = controlMatrix(rows, profile);
  const frozen: Frozen = {
    schema: 'pixelproof-vision-controls/1',
    fixture: {
      name,
      manifest_sha256: sha256(text),
      manifest_text: text,
    },
    rows: rows.map(idOf),
    controls: controls.map(({ unique_data_id, condition, image_unique_data_id, expected }) => ({
      unique_data_id,
      condition,
      image_unique_data_id,
      expected,
    })),
    gate,
    template,
    harness: exact ? 'exact prefix' : 'template by server',
    growth_rule: exact && template === 'native_gemma3_turn' ? 'gemma3' : 'relative',
    counts_are_whole: provider.id !== 'ollama',
    state: profile.state,
    leak_terms: profile.leak_terms,
    block: questionBlock(profile.visual),
    prompts: promptDigests(profile, template),
    annotation,
    annotation_rows: annotationRows,
    n_probs: given.n_probs ?? DEFAULT_N_PROBS,
    constants: {
      paired_margin_floor: PAIRED_MARGIN_FLOOR,
      noul_threshold: NOUL_THRESHOLD,
      minimum_token_growth: MINIMUM_TOKEN_GROWTH,
      temperature: 1,
    },
    provider: { ...provider },
    non_claims: NON_CLAIMS,
  };
  return {
    experiment: EXPERIMENT_ID,
    plan_id: canonicalId(frozen),
    frozen,
    circumstances: {
      timeout: given.timeout ?? DEFAULT_TIMEOUT_SECONDS,
      // Only where somebody chose them, so that plans from before they existed stay what they are.
      ...(given.max_in_flight === undefined ? {} : { max_in_flight: given.max_in_flight }),
      ...(given.min_interval_ms === undefined ? {} : { min_interval_ms: given.min_interval_ms }),
    },
    kind: provider.kind,
    case_count: controls.length,
  };
}

/** The plan made again from what it says. Throws as `makePlan`. */
export function refreeze({ frozen, circumstances }: VisionPlan): VisionPlan {
  const { fixture, rows, gate, template, annotation, annotation_rows, n_probs, provider } = frozen;
  const { manifest_text } = fixture as JsonObject;
  return makePlan(
    {
      fixture: manifest_text ?? null,
      rows: rows ?? null,
      gate,
      template,
      annotation,
      ...(annotation === 'none' ? {} : { annotation_rows: annotation_rows ?? null }),
      n_probs,
      ...circumstances,
      timeout: circumstances.timeout ?? null,
    },
    provider as unknown as ProviderDescription,
  );
}

const read = new WeakMap<object, Contents>();

/** What a plan holds. Throws as `parseManifest` where the plan was changed. */
export function contentsOf(plan: Plan): Contents {
  const known = read.get(plan.frozen);
  if (known !== undefined) return known;
  const { fixture, rows, annotation_rows } = plan.frozen;
  const { manifest, profile } = parseManifest(String((fixture as JsonObject).manifest_text));
  const chosen = chosenRows(manifest, rows as readonly string[]);
  const contents: Contents = {
    manifest,
    profile,
    rows: chosen,
    controls: controlMatrix(chosen, profile),
    annotationRows: new Set(annotation_rows as readonly string[]),
  };
  read.set(plan.frozen, contents);
  return contents;
}

/** A row is an arm, and its ordinals are present, omitted, swapped: the order in which they are asked. */
export function* planCases(plan: Plan): Iterable<CaseKey> {
  for (const { unique_data_id, condition } of contentsOf(plan).controls)
    yield { arm: unique_data_id, ordinal: CONDITIONS.indexOf(condition) };
}

export function controlOf(plan: Plan, { arm, ordinal }: CaseKey): Control {
  const found = contentsOf(plan).controls.find(
    ({ unique_data_id, condition }) => unique_data_id === arm && condition === CONDITIONS[ordinal],
  );
  if (found !== undefined) return found;
  throw new PixelproofError('plan_rows', 'The plan has no such control.', { got: `${arm} ${ordinal}` });
}

/** The digest of a row's picture, null without one. */
export function imageDigest(plan: Plan, image: string | null): Sha256Id | null {
  const row = contentsOf(plan).rows.find(({ unique_data_id }) => unique_data_id === image);
  return row === undefined ? null : `sha256:${row.screenshot.sha256}`;
}

function fixtureOf(fixture: NonNullable<Parameters['fixture']>) {
  const text =
    fixture === 'demo'
      ? manifestText(demoManifest())
      : fixture === 'five-row' || fixture === 'six-row'
        ? manifestText(publishedManifest(fixture))
        : fixture;
  return { name: fixtureName(text), text, ...parseManifest(text) };
}

/** What a manifest is known as: by its digest, because anybody can write any name into a file. */
export function fixtureName(text: string): string {
  const digest = sha256(text);
  const revision = REVISIONS.find((each) => REVISION_DIGESTS[each] === digest);
  return revision ?? (digest === manifestDigest(demoManifest()) ? 'demo' : 'manifest');
}

function chosenRows({ rows }: Manifest, wanted: readonly string[] | undefined): readonly Row[] {
  if (wanted === undefined) return rows;
  if (new Set(wanted).size !== wanted.length) {
    throw new PixelproofError('plan_rows', 'A row is run once.', { got: wanted });
  }
  return wanted.map((id) => {
    requireRow(rows.map(idOf), id);
    return rows.find((row) => row.unique_data_id === id) as Row;
  });
}

function requireRow(ids: readonly string[], id: string): void {
  if (ids.includes(id)) return;
  throw new PixelproofError('plan_rows', 'The fixture has no such row.', {
    expected: ids.join(', '),
    got: id,
  });
}

/** A task name that names no family would make the ban look needed less than it is: the published test asserts this. */
function requireTelling({ rows }: Manifest, { leak_terms }: Profile): void {
  const silent = rows.find(({ task_name }) => leakIn(task_name, leak_terms) === null);
  if (silent === undefined) return;
  throw new PixelproofError('task_no_leak', 'A task name of this fixture is known to name its family.', {
    expected: `one of ${leak_terms.join(', ')}`,
    got: silent.task_name,
  });
}

function promptDigests({ state, visual }: Profile, template: NativeTemplate): JsonObject {
  return {
    omitted_prefix_sha256: sha256(prefixOf(template, state, visual, 0)),
    imaged_prefix_sha256: sha256(prefixOf(template, state, visual, 1)),
    user_text_sha256: sha256(userText(state, visual)),
  };
}

function idOf({ unique_data_id }: Row): string {
  return unique_data_id;
}
