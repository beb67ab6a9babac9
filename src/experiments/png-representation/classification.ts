import type { RunDto } from './run';
import { type VariantId, variantOf } from './variants';

type Label = 'advance' | 'no_material_change' | 'regression' | 'incompatible';
export type Classification = { readonly label: Label; readonly reasoning: string };

/** A relative drop of the median latency from which it counts as an improvement. */
const LATENCY_DROP = 0.1;

type Metric = 'exact_count' | 'rejected_count' | 'latency_median_us';
const GENERAL: readonly Metric[] = ['exact_count', 'rejected_count', 'latency_median_us'];

interface Targets {
  readonly metrics: readonly Metric[];
  readonly factors: readonly string[];
}
const COOLDOWN: Targets = { metrics: [], factors: ['cooldown'] };
const EXACT: Targets = { metrics: ['exact_count'], factors: [] };

/** What each variant declared beforehand that it would improve; nothing else counts as an improvement. */
const DECLARED_TARGETS: { readonly [variant in VariantId]: Targets } = {
  'labelled-v1': { metrics: GENERAL, factors: [] },
  'unlabelled-v1': { metrics: GENERAL, factors: [] },
  'combined-v1': { metrics: GENERAL, factors: [] },
  'cooldown-shape-v1': COOLDOWN,
  'cooldown-dual-v1': COOLDOWN,
  'cooldown-redundant-v1': COOLDOWN,
  'lane-enhanced-v1': { metrics: [], factors: ['tank_column', 'target_column'] },
  'footer-only-v1': EXACT,
  'lane-numerals-v1': EXACT,
  'cooldown-text-v1': EXACT,
  'semantic-labelled-v1': EXACT,
};

const IDENTITY_FIELDS = [
  'provider_configuration_id',
  'model_digest',
  'prompt_digest',
  'protocol_version',
  'policy_artifact_id',
  'fixture_identity',
  'case_mode',
] as const;
export type RunIdentity = { readonly [field in (typeof IDENTITY_FIELDS)[number]]: string };

/** What must be equal for two runs to be comparable. The variant and its recipe are expected to differ. */
export function identityOf(run: RunDto): RunIdentity {
  const { provider_configuration_id, model_digest, prompt_digest, protocol_version } =
    run.provider_configuration;
  const { policy_artifact_id, fixture_identity, case_mode } = run;
  return {
    provider_configuration_id,
    model_digest,
    prompt_digest,
    protocol_version,
    policy_artifact_id,
    fixture_identity,
    case_mode,
  };
}

/** Null when comparable, else the reference's sentence naming the differing fields. */
export function incomparability(first: RunDto, other: RunDto): string | null {
  const a = identityOf(first);
  const b = identityOf(other);
  const differing = IDENTITY_FIELDS.filter((field) => a[field] !== b[field]);
  if (differing.length === 0) return null;
  return `runs ${first.run_id} and ${other.run_id} are not comparable: differing ${differing.join(', ')}`;
}

/** One variant against the baseline. The first rule that applies decides. */
export function classify(baseline: RunDto, candidate: RunDto): Classification {
  const incompatible = incomparability(baseline, candidate);
  if (incompatible !== null) return { label: 'incompatible', reasoning: incompatible };
  const before = baseline.summary;
  const after = candidate.summary;
  for (const count of ['action_changing_count', 'rejected_count'] as const) {
    if (after[count] > before[count]) {
      return { label: 'regression', reasoning: `${count} increased (${before[count]} -> ${after[count]})` };
    }
  }
  const targets = DECLARED_TARGETS[variantOf(candidate.representation_mode)];
  // Counts, not rates: a rejection lowers them.
  const change = (factor: string) =>
    (after.factor_correct_counts[factor] ?? 0) - (before.factor_correct_counts[factor] ?? 0);
  const worse = targets.factors.filter((factor) => change(factor) < 0).sort();
  if (worse.length > 0) {
    return { label: 'regression', reasoning: `targeted factor(s) worsened: ${worse.join(', ')}` };
  }
  const better: string[] = targets.metrics.filter((metric) => metricImproved(metric, baseline, candidate));
  better.push(...targets.factors.filter((factor) => change(factor) > 0));
  if (better.length > 0) {
    return { label: 'advance', reasoning: `declared target metric(s) improved: ${better.join(', ')}` };
  }
  return {
    label: 'no_material_change',
    reasoning: 'compatible run with no regression and no declared target metric improvement',
  };
}

function metricImproved(metric: Metric, baseline: RunDto, candidate: RunDto): boolean {
  const before = baseline.summary[metric];
  const after = candidate.summary[metric];
  if (before === null || after === null) return false;
  if (metric === 'exact_count') return after > before;
  if (metric === 'rejected_count') return after < before;
  return before !== 0 && (before - after) / before >= LATENCY_DROP;
}
