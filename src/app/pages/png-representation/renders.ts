import type { RenderView } from '../../../../workers/api';
import { later } from '../../later';
import { type MadePicture, pictureFile } from '../../parts/picture-file';
import { pixels } from '../../workers';
import { inWords } from './states';

/** A render with a picture for each of its steps; the last is what a provider would see. */
export interface Rendered {
  readonly view: RenderView;
  readonly pictures: readonly MadePicture[];
  readonly final: MadePicture;
}

export interface RenderKey {
  readonly variant: string;
  readonly row: string;
  readonly cooldown: string;
  readonly lane: string;
}

const KEEP = 1500;
const CROWD = 100;
const known = new Map<string, Promise<Rendered>>();
/** In order; only when very many wait does the newest go first, because it is what the person looks at. */
const waiting: (() => void)[] = [];
let active = 0;

async function turn<T>(work: () => Promise<T>): Promise<T> {
  if (active >= 2)
    await new Promise<void>((resolve) =>
      waiting.length > CROWD ? waiting.unshift(resolve) : waiting.push(resolve),
    );
  active += 1;
  try {
    return await work();
  } finally {
    active -= 1;
    waiting.shift()?.();
  }
}

/** The page is drawn first: where cores are few, a worker that starts meanwhile would keep it waiting. */
let drawn: Promise<void> | null = null;

async function make(key: RenderKey): Promise<Rendered> {
  drawn ??= later();
  await drawn;
  const view = await pixels().render({
    variant: key.variant,
    row_id: key.row,
    ...(key.variant === 'combined-v1' ? { combined_cooldown: key.cooldown, combined_lane: key.lane } : {}),
  });
  const pictures = view.steps.map((step) =>
    pictureFile(step.png, `${inWords(key.row)}; ${key.variant}, step ${step.index}: ${step.operation}`),
  );
  const last = view.steps.at(-1);
  if (last === undefined) throw new Error(`The render of ${key.variant} came without a step.`);
  return { view, pictures, final: pictureFile(last.png, `${inWords(key.row)}; drawn as ${key.variant}`) };
}

/** One render, made once; the oldest are let go when very many were looked at. */
export function render(key: RenderKey): Promise<Rendered> {
  const parts = key.variant === 'combined-v1' ? `${key.cooldown}+${key.lane}` : '';
  const name = `${key.variant} ${parts} ${key.row}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const fresh = turn(() => make(key));
  known.set(name, fresh);
  fresh.catch(() => known.delete(name));
  if (known.size > KEEP) {
    const oldest = known.keys().next();
    if (oldest.done !== true) forget(oldest.value);
  }
  return fresh;
}

function forget(name: string): void {
  void known.get(name)?.then(({ pictures, final }) => {
    for (const picture of [...pictures, final]) picture.forget();
  });
  known.delete(name);
}
