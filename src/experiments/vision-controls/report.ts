import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ScoredReply } from '../../providers/provider';
import type { CaseRecord, RunSource } from '../../runner/experiment';
import { attachmentOf } from './attachment';
import type { ScoredControl } from './gate';
import { controlOfCase } from './judge';
import { contentsOf, type VisionPlan } from './plan';
import { BLIND_PROBABILITY, CONDITIONS, NON_CLAIMS } from './protocol';
import { CREDIT_LEVELS, type CreditLevel, type Judgement, judgeControls } from './verdict';

/** How far answers to the same request lie apart: what the server itself adds, measured for free. */
interface RepeatSpread {
  readonly image_unique_data_id: string | null;
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** What a run says, typed; `reportOf` gives the same as JSON. */
export interface VisionReport {
  readonly kind: string;
  /** The weakest level of any control; null for wiring and for replayed evidence. */
  readonly credit_level: CreditLevel | null;
  readonly judgement: Judgement;
  /** The same controls, answered by a harness that does not look. */
  readonly blind: Judgement;
  readonly repeats: readonly RepeatSpread[];
  readonly cases: readonly CaseRecord[];
}

/** A matrix has at most some thousand controls of a few kilobytes: they are held. Of an unfinished run, what there is. */
export async function visionReport(source: RunSource<VisionPlan>): Promise<VisionReport> {
  const cases: CaseRecord[] = [];
  for await (const record of source.cases()) cases.push(record);
  return reportFromCases(source.plan, cases);
}

export function reportFromCases(plan: VisionPlan, cases: readonly CaseRecord[]): VisionReport {
  const level = levelOf(plan, cases);
  const controls = cases.map(controlOfCase);
  return {
    kind: plan.kind,
    credit_level: level,
    judgement: judged(plan, controls, level),
    blind: judged(
      plan,
      controls.map((control) => ({
        ...control,
        probability: BLIND_PROBABILITY,
        reading: { low: BLIND_PROBABILITY, high: BLIND_PROBABILITY },
      })),
      null,
    ),
    repeats: repeatsOf(cases),
    cases,
  };
}

/** Only whole rows are judged; one that is not finished is missing. */
function judged(plan: VisionPlan, all: readonly ScoredControl[], level: CreditLevel | null): Judgement {
  const { rows } = contentsOf(plan);
  const whole = rows.filter(
    ({ unique_data_id: id }) =>
      all.filter(({ unique_data_id }) => unique_data_id === id).length === CONDITIONS.length,
  );
  const ids = new Set(whole.map(({ unique_data_id }) => unique_data_id));
  const controls = all.filter(({ unique_data_id }) => ids.has(unique_data_id));
  return judgeControls({
    controls,
    gate: plan.frozen.gate,
    attachment: attachmentOf(controls, plan.frozen.growth_rule, (image) => sizeOf(plan, image)),
    level,
    missing: rows.map(({ unique_data_id }) => unique_data_id).filter((id) => !ids.has(id)),
    credited: [],
    countsAreWhole: plan.frozen.counts_are_whole,
  });
}

/** The sides of a row's picture as a text, null without one. */
export function sizeOf(plan: VisionPlan, image: string | null): string | null {
  const row = contentsOf(plan).rows.find(({ unique_data_id }) => unique_data_id === image);
  return row === undefined ? null : `${row.screenshot.width} x ${row.screenshot.height}`;
}

export async function reportOf(source: RunSource<VisionPlan>): Promise<JsonObject> {
  return reportJson(source.plan, await visionReport(source));
}

export function reportJson(plan: VisionPlan, report: VisionReport): JsonObject {
  const { judgement, blind } = report;
  const { profile } = contentsOf(plan);
  return plain({
    kind: report.kind,
    credit_level: report.credit_level,
    gate: judgement.gate,
    verdict: judgement.verdict,
    cause: judgement.cause,
    families: profile.families,
    paired_ordering: judgement.paired_ordering,
    hits: judgement.hits,
    attachment: judgement.attachment,
    threshold_diagnostic: judgement.threshold_diagnostic,
    conditions: CONDITIONS.map((condition) => ({
      condition,
      controls: report.cases
        .map(controlOfCase)
        .filter((control) => control.condition === condition)
        .map(({ unique_data_id, probability }) => ({ row_id: unique_data_id, probability })),
    })),
    repeats: report.repeats,
    blind: { verdict: blind.verdict, cause: blind.cause, hits: blind.hits, probability: BLIND_PROBABILITY },
    non_claims: NON_CLAIMS,
  }) as JsonObject;
}

/** The weakest of all controls. Growth that is only relative shows less than the figure of Gemma 3: never above B. */
function levelOf(plan: VisionPlan, cases: readonly CaseRecord[]): CreditLevel | null {
  const levels = cases.map(({ evidence }) => (evidence.reply as unknown as ScoredReply).level);
  const level = [...CREDIT_LEVELS].reverse().find((each) => levels.includes(each)) ?? null;
  return level === 'A' && plan.frozen.growth_rule === 'relative' ? 'B' : level;
}

function repeatsOf(cases: readonly CaseRecord[]): RepeatSpread[] {
  const groups = new Map<string | null, number[]>();
  for (const { image_unique_data_id, probability } of cases.map(controlOfCase)) {
    const group = groups.get(image_unique_data_id) ?? [];
    groups.set(image_unique_data_id, group);
    group.push(probability);
  }
  return [...groups].map(([image_unique_data_id, values]) => ({
    image_unique_data_id,
    count: values.length,
    low: Math.min(...values),
    high: Math.max(...values),
  }));
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
