import type { JsonObject } from '../../../evidence/identity/json';
import type { Cell } from '../../../experiments/image-signals/cells';
import { type Definition, parseDefinition } from '../../../experiments/image-signals/definition';
import { recordOfCase } from '../../../experiments/image-signals/record-of-case';
import type { Review } from '../../../experiments/image-signals/review';
import type { SceneOptions } from '../../../experiments/image-signals/scene';
import type { CaseRecord, RunHeader } from '../../../runner/experiment';
import { objectAt } from '../../json-read';
import { runner } from '../../workers';
import type { Entry } from './entry';

const PAGE = 500;

/** A stored run as the page works on it. Its pictures stay in the store until one is looked at. */
export async function readRun(header: RunHeader): Promise<{
  readonly entries: readonly Entry[];
  readonly definition: Definition;
  readonly cells: readonly Cell[];
  readonly reviews: readonly Review[];
  readonly report: JsonObject;
}> {
  const [plan, report] = await Promise.all([runner().plan(header.run), runner().report(header.run)]);
  const frozen = objectAt(plan, 'frozen') ?? {};
  const definition = parseDefinition(frozen.definition);
  const pictures = frozen.pictures as unknown as readonly {
    readonly arm: string;
    readonly ordinal: number;
    readonly scene: SceneOptions | null;
  }[];
  const scenes = new Map(pictures.map(({ arm, ordinal, scene }) => [`${arm} ${ordinal}`, scene]));
  const cases: CaseRecord[] = [];
  for (;;) {
    const page = await runner().cases(header.run, { offset: cases.length, limit: PAGE });
    cases.push(...page.cases);
    if (page.cases.length === 0 || cases.length >= page.total) break;
  }
  const entries = cases.map((record, id): Entry => {
    const read = recordOfCase(record, definition);
    const scene = scenes.get(`${record.arm} ${record.ordinal}`) ?? null;
    return { id, name: read.file, blob: null, record: read, thumb: null, scene };
  });
  return {
    entries,
    definition,
    cells: frozen.cells as unknown as readonly Cell[],
    reviews: frozen.reviews as unknown as readonly Review[],
    report,
  };
}
