import { PixelproofError } from '../../errors';
import { canonicalId } from '../../evidence/identity/canonical';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ProviderDescription } from '../../providers/provider';
import type { CaseKey, Plan } from '../../runner/experiment';
import { advance, type Cell, startCells, stateOf } from './cells';
import { type Definition, parseDefinition } from './definition';
import { planMatrix } from './matrix-plan';
import { type Parameters, readParameters } from './parameters';
import { FROZEN_FILE, NON_CLAIMS } from './protocol';
import { addReview, type Review } from './review';
import type { SceneOptions } from './scene';
import { sceneIdentity } from './scene-file';

export const EXPERIMENT_ID = 'image-signals';

/** Arm of a picture that fills no cell of the matrix. */
const DROPPED = 'dropped';

/** One picture of a plan. Its pixels' digest is found out by measuring and stands in the case. */
export interface PlannedPicture {
  readonly arm: string;
  readonly ordinal: number;
  readonly file: string;
  /** Of the file's bytes, `sha256:` and 64 digits. */
  readonly sha256: string;
  readonly scene: SceneOptions | null;
}

interface Frozen {
  readonly [key: string]: Json;
}

/** What the plan holds, read back from its JSON. */
export interface Contents {
  readonly definition: Definition;
  readonly pictures: readonly PlannedPicture[];
  readonly cells: readonly Cell[];
  readonly reviews: readonly Review[];
}

export type SignalsPlan = Plan<Frozen>;

/**
 * Freezes a set of pictures by their digests, the definition, the matrix with every step of its cells, and the reviews.
 * Everything is an input: the same pictures give the same numbers, so the root digest covers what was found too.
 *
 * Throws `plan_parameters`, `plan_picture` (a picture without digest), `plan_cell` (a cell that the matrix does not
 * have, or evidence that is no picture of the plan), `plan_review`, and what `parseDefinition`, `advance`, `addReview`,
 * `verifyPrompt` throw.
 */
export async function makePlan(parameters: JsonObject, provider: ProviderDescription): Promise<SignalsPlan> {
  const given = readParameters(parameters);
  const pictures = await placed(given);
  const cells = cellsOf(given, pictures);
  const frozen: Frozen = {
    schema: 'pixelproof-image-signals/1',
    matrix: planMatrix().frozen,
    definition: plain(parseDefinition(given.definition ?? FROZEN_FILE).file),
    pictures: plain(pictures),
    cells: plain(cells),
    reviews: plain(reviewsOf(given, pictures)),
    provider: { ...provider },
    non_claims: NON_CLAIMS,
  };
  return {
    experiment: EXPERIMENT_ID,
    plan_id: canonicalId(frozen),
    frozen,
    circumstances: { engine: given.engine ?? 'wasm-simd' },
    kind: provider.kind,
    case_count: pictures.length,
  };
}

/** The plan made again from what it says, by the same rules. Throws as `makePlan` does. */
export async function refreeze({ frozen, circumstances }: SignalsPlan): Promise<SignalsPlan> {
  const { pictures, definition, cells, reviews, provider } = frozen;
  const list = Array.isArray(pictures) ? (pictures as readonly JsonObject[]) : [];
  return makePlan(
    {
      pictures: list.map(({ arm, file, sha256, scene }) => ({
        ...(arm === undefined ? {} : { arm }),
        ...(file === undefined ? {} : { file }),
        ...(sha256 === undefined ? {} : { sha256 }),
        ...(scene === undefined ? {} : { scene }),
      })),
      definition: definition ?? null,
      cells: cells ?? null,
      reviews: reviews ?? [],
      engine: circumstances.engine ?? null,
    },
    provider as unknown as ProviderDescription,
  );
}

const read = new WeakMap<object, Contents>();

/** What a plan holds. It was validated when it was made. */
export function contentsOf(plan: Plan): Contents {
  const known = read.get(plan.frozen);
  if (known !== undefined) return known;
  const { definition, pictures, cells, reviews } = plan.frozen;
  const contents = {
    definition: parseDefinition(definition),
    pictures: pictures as unknown as readonly PlannedPicture[],
    cells: cells as unknown as readonly Cell[],
    reviews: reviews as unknown as readonly Review[],
  };
  read.set(plan.frozen, contents);
  return contents;
}

export function* planCases(plan: SignalsPlan): Iterable<CaseKey> {
  for (const { arm, ordinal } of contentsOf(plan).pictures) yield { arm, ordinal };
}

export function pictureOf(plan: SignalsPlan, key: CaseKey): PlannedPicture {
  const found = contentsOf(plan).pictures.find(
    ({ arm, ordinal }) => arm === key.arm && ordinal === key.ordinal,
  );
  if (found !== undefined) return found;
  throw new PixelproofError('plan_picture', 'The plan has no such picture.', {
    got: `${key.arm} ${key.ordinal}`,
  });
}

/** Pictures by arm, arms in the order in which they first appear. */
async function placed({ pictures }: Parameters): Promise<PlannedPicture[]> {
  const arms = new Map<string, PlannedPicture[]>();
  for (const [index, { file, sha256, scene, cell, arm }] of pictures.entries()) {
    const drawn = scene == null ? null : await sceneIdentity(scene);
    const digest = drawn?.sha256 ?? sha256;
    if (digest === undefined || (sha256 !== undefined && digest !== sha256)) {
      throw new PixelproofError('plan_picture', `Picture ${index + 1} has no digest, or not its own.`, {
        expected: drawn?.sha256 ?? 'sha256: and 64 hexadecimal digits',
        got: sha256 ?? 'none',
      });
    }
    const place = cell?.arm ?? arm ?? (drawn === null ? DROPPED : 'drawn');
    const list = arms.get(place) ?? [];
    arms.set(place, list);
    const name = file ?? drawn?.file ?? `picture-${index + 1}`;
    list.push({ arm: place, ordinal: list.length, file: name, sha256: digest, scene: scene ?? null });
  }
  return [...arms.values()].flat();
}

/** Every cell's steps, walked again from the start of the matrix, so that no impossible history is ever frozen. */
function cellsOf(given: Parameters, pictures: readonly PlannedPicture[]): Cell[] {
  const start = startCells(planMatrix());
  if (given.cells == null) return filled(start, given, pictures);
  const all = new Set(pictures.map(({ sha256 }) => sha256.slice('sha256:'.length)));
  const known = new Set<string>();
  for (const cell of given.cells) {
    const name = `${cell.arm} ${cell.repetition}`;
    const fresh = start.find(({ arm, repetition }) => `${arm} ${repetition}` === name);
    const begins = fresh?.steps.every(
      (step, i) => canonicalId(plain(step)) === canonicalId(plain(cell.steps[i] ?? null)),
    );
    if (fresh === undefined || begins !== true || known.has(name)) {
      throw new PixelproofError(
        'plan_cell',
        'The matrix has no such cell, or the cell does not begin as published.',
        {
          got: name,
        },
      );
    }
    known.add(name);
    let walked = fresh;
    for (const { state, reason, evidence } of cell.steps.slice(fresh.steps.length)) {
      const image = evidence?.image;
      if (state === 'done' && (typeof image !== 'string' || !all.has(image))) {
        throw new PixelproofError('plan_cell', 'A done cell names a picture of this plan.', {
          expected: 'the SHA-256 of a picture of the plan',
          got: `${name}: ${String(image)}`,
        });
      }
      walked = advance(walked, state, reason, evidence);
    }
  }
  return start.map(
    (cell) =>
      given.cells?.find(({ arm, repetition }) => arm === cell.arm && repetition === cell.repetition) ?? cell,
  );
}

/** The cells that pictures say they fill; all others as they start. */
function filled(start: Cell[], given: Parameters, pictures: readonly PlannedPicture[]): Cell[] {
  const cells = [...start];
  const perArm = new Map<string, number>();
  for (const picture of given.pictures) {
    const arm = picture.cell?.arm ?? picture.arm ?? (picture.scene == null ? DROPPED : 'drawn');
    const ordinal = perArm.get(arm) ?? 0;
    perArm.set(arm, ordinal + 1);
    const { cell } = picture;
    if (cell == null) continue;
    const at = cells.findIndex((each) => each.arm === cell.arm && each.repetition === cell.repetition);
    const found = cells[at];
    const placedPicture = pictures.find((each) => each.arm === arm && each.ordinal === ordinal);
    if (found === undefined || placedPicture === undefined || stateOf(found) !== 'planned') {
      throw new PixelproofError('plan_cell', 'A picture fills a cell that is planned and empty.', {
        expected: 'a planned cell of the matrix',
        got: `${cell.arm} ${cell.repetition}`,
      });
    }
    const evidence = { image: placedPicture.sha256.slice('sha256:'.length) };
    const why = placedPicture.scene === null ? 'The picture was put here.' : 'Drawn by the scene generator.';
    cells[at] = advance(found, 'done', why, evidence);
  }
  return cells;
}

function reviewsOf(given: Parameters, pictures: readonly PlannedPicture[]): Review[] {
  let reviews: Review[] = [];
  for (const review of given.reviews ?? []) {
    if (!pictures.some(({ sha256 }) => sha256 === `sha256:${review.image}`)) {
      throw new PixelproofError('plan_review', 'A review is of a picture of this plan.', {
        got: review.image,
      });
    }
    reviews = addReview(reviews, review);
  }
  return reviews;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
