import type { Json, JsonObject } from '../../evidence/identity/json';
import { wilson95 } from '../../numeric/wilson';
import type { RunSource } from '../../runner/experiment';
import { attemptsOf, type Cell } from './cells';
import { type ArmSummary, summarise } from './matrix-report';
import { contentsOf, type SignalsPlan } from './plan';
import { NON_CLAIMS } from './protocol';
import type { MeasuredRecord } from './record';
import { recordOfCase } from './record-of-case';
import { type Agreement, agreements } from './review';
import { keyOf } from './signals';

/** How often a signal passes over all pictures that could be measured. */
interface SignalTally {
  readonly signal: string;
  readonly passes: number;
  readonly of_images: number;
  readonly undefined_values: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** What a run says, typed; `reportOf` gives the same as JSON. */
export interface SignalsReport {
  readonly kind: string;
  readonly definition: string;
  readonly pictures: number;
  readonly measured: number;
  readonly undecodable: number;
  readonly signals: readonly SignalTally[];
  readonly arms: readonly ArmSummary[];
  readonly cells: readonly Cell[];
  /** Scores of people, kept apart: nothing above is computed from them. */
  readonly reviews: {
    readonly scores: number;
    readonly reviewers: number;
    readonly agreements: readonly Agreement[];
  };
  readonly non_claims: readonly string[];
}

/** One walk over the cases; what is kept of a picture is a few numbers, only those of cells are kept whole. */
export async function summaryOf(source: RunSource<SignalsPlan>): Promise<SignalsReport> {
  const { definition, cells, reviews } = contentsOf(source.plan);
  const gated = definition.signals.filter((signal) => signal.statistic !== 'components');
  const tallies = new Map(gated.map((signal) => [keyOf(signal), { passes: 0, missing: 0 }]));
  const inCells = new Set(
    cells.flatMap((cell) => cell.steps.map(({ evidence }) => String(evidence?.image ?? ''))),
  );
  const records = new Map<string, MeasuredRecord>();
  let [measured, undecodable] = [0, 0];
  for await (const record of source.cases()) {
    const read = recordOfCase(record, definition);
    if ('error' in read) {
      undecodable += 1;
      continue;
    }
    measured += 1;
    for (const [key, tally] of tallies) {
      const value = read.signals[key];
      if (value === undefined || !('pass' in value)) continue;
      if (value.pass) tally.passes += 1;
      if (value.value === null) tally.missing += 1;
    }
    if (inCells.has(read.sha256)) records.set(read.sha256, read);
  }
  return {
    kind: source.plan.kind,
    definition: definition.id,
    pictures: measured + undecodable,
    measured,
    undecodable,
    signals: [...tallies].map(([signal, { passes, missing }]) => ({
      signal,
      passes,
      of_images: measured,
      undefined_values: missing,
      interval: wilson95(passes, measured),
    })),
    arms: summarise(cells, definition, (cell, attempt) => {
      const image = attemptsOf(cell)[attempt]?.evidence?.image;
      return records.get(String(image)) ?? null;
    }),
    cells,
    reviews: {
      scores: reviews.length,
      reviewers: new Set(reviews.map(({ reviewer }) => reviewer)).size,
      agreements: agreements(reviews),
    },
    non_claims: NON_CLAIMS,
  };
}

export async function reportOf(source: RunSource<SignalsPlan>): Promise<JsonObject> {
  return JSON.parse(JSON.stringify(await summaryOf(source))) as { [key: string]: Json };
}
