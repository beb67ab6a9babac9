import type { ResultKind, RuntimeEvidence } from '../../providers/provider';
import type { Outcome } from './case';
import { classify, identityOf, incomparability } from './classification';
import type { RunDto } from './run';

type GateVerdict = 'pass' | 'fail' | 'unknown';

/** One question of a gate, with what answers it. */
interface GateCheck {
  readonly id: string;
  readonly question: string;
  readonly verdict: GateVerdict;
  readonly evidence: readonly string[];
  readonly reason: string;
}

export interface InterpretationGate {
  readonly checks: readonly GateCheck[];
  /** Only when all five pass and the result is not a wiring check. */
  readonly attribution_allowed: boolean;
  /** One sentence for the page. */
  readonly sentence: string;
}

/** What the gate needs of one case. */
export interface GateCase {
  readonly ordinal: number;
  readonly png_sha256: string;
  readonly outcome: Outcome;
  readonly predicted_row_id: string | null;
  readonly rejection_reason: string | null;
}

export interface GateInput {
  readonly kind: ResultKind;
  readonly runs: readonly RunDto[];
  readonly cases: ReadonlyMap<string, readonly GateCase[]>;
  readonly runtime: RuntimeEvidence | null;
  /** Whether a person has said that they looked at the action-changing cases and the rejection reasons. */
  readonly inspected: boolean;
}

/**
 * The five checks before any effect of a representation may be named, in the reference's order. A check that cannot be
 * answered is `unknown`, which forbids attribution as a failure does.
 */
export function interpretationGate(input: GateInput): InterpretationGate {
  const checks = [
    modelIdentity(input),
    oneProtocol(input),
    samePictures(input),
    sameOutcomes(input),
    inspection(input),
  ];
  const open = checks.find((check) => check.verdict !== 'pass');
  const attribution_allowed = open === undefined && input.kind !== 'wiring';
  const sentence =
    input.kind === 'wiring'
      ? 'This is a wiring check: it says nothing about how a model sees, so no effect may be attributed.'
      : open === undefined
        ? 'All five checks pass: an effect may be attributed to the representation, for this model and these states.'
        : `No effect may be attributed: ${open.reason}`;
  return { checks, attribution_allowed, sentence };
}

function modelIdentity({ kind, runtime }: GateInput): GateCheck {
  const base = {
    id: 'model_identity',
    question: 'Are the model weights and the runtime identified?',
    evidence: [
      `weights digest: ${runtime?.model_digest ?? 'none'}`,
      `runtime: ${runtime === null ? 'none' : `${runtime.runtime_name} ${runtime.runtime_version ?? '(version unknown)'}`}`,
      ...(kind === 'replayed' ? ['as the publisher recorded it; nothing was asked here'] : []),
    ],
  };
  if (kind === 'wiring') {
    return { ...base, verdict: 'fail', reason: 'no model was asked; the replies were scripted.' };
  }
  if (runtime?.model_digest && runtime.runtime_version) {
    return {
      ...base,
      verdict: 'pass',
      reason: 'both the weights digest and the runtime version are recorded.',
    };
  }
  return {
    ...base,
    verdict: 'unknown',
    reason:
      'the weights digest or the runtime version is missing, and the configuration identity holds only a hash of the model name.',
  };
}

function oneProtocol({ runs }: GateInput): GateCheck {
  const [first, ...others] = runs;
  const base = {
    id: 'one_protocol',
    question: 'Do all runs share configuration, prompt, policy, fixture and case mode?',
    evidence:
      first === undefined
        ? []
        : Object.entries(identityOf(first)).map(([field, value]) => `${field}: ${value}`),
  };
  if (first === undefined || others.length === 0) {
    return { ...base, verdict: 'unknown', reason: 'fewer than two finished runs exist.' };
  }
  const sentence = others.map((other) => incomparability(first, other)).find((text) => text !== null);
  if (sentence !== undefined) return { ...base, verdict: 'fail', reason: `${sentence}.` };
  return { ...base, verdict: 'pass', reason: `all ${runs.length} runs agree in all seven identities.` };
}

/** The pair that has the same pixels under two names: whatever differs between them is not representation. */
function controlPair({ cases }: GateInput): readonly (readonly [GateCase, GateCase])[] | null {
  const plain = cases.get('labelled-v1');
  const semantic = cases.get('semantic-labelled-v1');
  if (plain === undefined || semantic === undefined) return null;
  if (plain.length === 0 || plain.length !== semantic.length) return null;
  return plain.flatMap((a, i) => {
    const b = semantic[i];
    return b === undefined ? [] : [[a, b] as const];
  });
}

const NO_PAIR = 'labelled-v1 and semantic-labelled-v1 have not both finished in this run.';

function samePictures(input: GateInput): GateCheck {
  const pair = controlPair(input);
  const base = {
    id: 'same_pictures',
    question: 'Are the pictures of labelled-v1 and semantic-labelled-v1 equal case by case?',
  };
  if (pair === null) return { ...base, verdict: 'unknown', evidence: [], reason: NO_PAIR };
  const unequal = pair.filter(([a, b]) => a.png_sha256 !== b.png_sha256);
  const evidence = unequal.map(([a, b]) => `case ${a.ordinal}: ${a.png_sha256} against ${b.png_sha256}`);
  if (unequal.length > 0) {
    return {
      ...base,
      verdict: 'fail',
      evidence,
      reason: `${unequal.length} of ${pair.length} pictures differ.`,
    };
  }
  return {
    ...base,
    verdict: 'pass',
    evidence: [`${pair.length} of ${pair.length} PNG digests equal`],
    reason: 'every picture is the same file under both names.',
  };
}

function sameOutcomes(input: GateInput): GateCheck {
  const pair = controlPair(input);
  const base = {
    id: 'same_outcomes',
    question: 'Did the provider answer the same for the same pictures?',
  };
  if (pair === null) return { ...base, verdict: 'unknown', evidence: [], reason: NO_PAIR };
  const unequal = pair.filter(
    ([a, b]) => a.outcome !== b.outcome || a.predicted_row_id !== b.predicted_row_id,
  );
  if (unequal.length > 0) {
    return {
      ...base,
      verdict: 'fail',
      evidence: unequal.map(
        ([a, b]) =>
          `case ${a.ordinal}: ${a.outcome} (${a.predicted_row_id ?? 'no state'}) against ` +
          `${b.outcome} (${b.predicted_row_id ?? 'no state'})`,
      ),
      reason: `runtime nondeterminism: ${unequal.length} of ${pair.length} identical pictures were read differently.`,
    };
  }
  return {
    ...base,
    verdict: 'pass',
    evidence: [`${pair.length} of ${pair.length} readings equal`],
    reason: 'identical pictures were read identically.',
  };
}

function inspection({ runs, cases, inspected }: GateInput): GateCheck {
  const evidence = runs.map(({ representation_mode, summary }) => {
    const reasons = [...new Set((cases.get(representation_mode) ?? []).map((each) => each.rejection_reason))];
    const quoted = reasons.filter((reason) => reason !== null).join('; ');
    return (
      `${representation_mode}: ${summary.action_changing_count} action-changing, ` +
      `${summary.rejected_count} rejected${quoted === '' ? '' : ` (${quoted})`}`
    );
  });
  return {
    id: 'inspection',
    question: 'Were action-changing errors and rejection reasons looked at before exact counts?',
    verdict: inspected ? 'pass' : 'unknown',
    evidence,
    reason: inspected
      ? 'a person confirmed having inspected them.'
      : 'nobody has confirmed yet that the action-changing cases and rejection reasons were inspected.',
  };
}

/** Whether a variant may go from the eight smoke states to all 112. */
export interface Promotion {
  readonly variant: string;
  readonly allowed: boolean;
  readonly reasons: readonly string[];
}

export interface PromotionInput {
  readonly kind: ResultKind;
  readonly baseline: RunDto;
  readonly candidate: RunDto;
  /** Variants with a finished run here. */
  readonly finished: readonly string[];
  /** Whether a person has reviewed the smoke result. */
  readonly reviewed: boolean;
}

/**
 * Smoke to canonical: reviewed; classified `advance`, or without regression while a targeted factor improved (which the
 * classifier calls advance too); policy impact not worse; combined-v1 only after its isolated parts.
 */
export function promotionGate({ kind, baseline, candidate, finished, reviewed }: PromotionInput): Promotion {
  const { label, reasoning } = classify(baseline, candidate);
  const reasons: string[] = [];
  if (kind === 'wiring') reasons.push('a wiring check promotes nothing');
  if (!reviewed) reasons.push('the smoke result has not been reviewed');
  if (label !== 'advance') reasons.push(`classified ${label}: ${reasoning}`);
  for (const count of ['action_changing_count', 'rejected_count'] as const) {
    const [before, after] = [baseline.summary[count], candidate.summary[count]];
    if (after > before) reasons.push(`${count} rose from ${before} to ${after}`);
  }
  if (candidate.representation_mode === 'combined-v1') {
    const cooldowns = finished.filter(
      (variant) => variant.startsWith('cooldown-') && variant !== 'cooldown-text-v1',
    );
    if (cooldowns.length === 0 || !finished.includes('lane-enhanced-v1')) {
      reasons.push('the isolated parts of combined-v1 have not run');
    }
  }
  return { variant: candidate.representation_mode, allowed: reasons.length === 0, reasons };
}
