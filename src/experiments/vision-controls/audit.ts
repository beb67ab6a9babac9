import type { Observation } from './audit-probes';

/** What a provider can be, by the evidence it leaves. */
export const SABOTEURS = [
  'wrong model named',
  'text-only model',
  'image dropped',
  'constant answer',
  'prior-only',
  'reply cached',
  'first image frozen',
  'model changed',
  'stale by one',
  'order-dependent',
] as const;
export type SaboteurName = (typeof SABOTEURS)[number];

export interface AuditFinding {
  /** Null where nothing speaks against the provider. */
  readonly name: SaboteurName | null;
  /** One sentence with the figures that it rests on. */
  readonly evidence: string;
  /** Standard deviation of repeated answers after the same history, in logits. */
  readonly noise: number;
}

/** A marker that stays as text costs about 30 tokens; a picture costs far more in every known model. */
const MARKER_TOKENS = 40;
/** Logits below which a difference is no difference, whatever the noise. */
const TINY = 1e-6;
/** A spread counts as an effect from this many standard deviations of the noise on, and this many logits. */
const SIGMAS = 4;
const LEAST_EFFECT = 0.05;
/** Five equal means lie within this many of their standard deviations of each other in all but one case of 10,000. */
const MEANS = 6.5;
/** Two texts that ask the same give answers closer than this, in logits, unless a reply belongs to another picture. */
const TEXT_SHIFT = 1;

/**
 * Names a broken provider from the observations of an audit, or nothing. Rules go from the plainest evidence to the
 * subtlest, and the first that holds names it: names in replies, token growth, answers that do not move at all, one
 * change for good, answers that fit the picture before, and last any spread that the order makes and noise does not.
 */
export function nameSaboteur(observations: readonly Observation[], model: string): AuditFinding {
  const { noise, pooled } = noiseOf(observations);
  const found = (name: SaboteurName | null, evidence: string): AuditFinding => ({ name, evidence, noise });
  const named = modelsNamed(observations, model);
  if (named !== null) return found(...named);
  const growth = growths(observations);
  if (growth.length > 0 && growth.every((each) => each === 0))
    return found('text-only model', 'A picture adds no token to the prompt.');
  if (growth.length > 0 && Math.max(...growth) <= MARKER_TOKENS)
    return found(
      'image dropped',
      `A picture adds ${Math.max(...growth)} tokens at most: the marker as text.`,
    );
  const own = observations.filter(({ probe }) => probe.text === 'own');
  const spread = spreadWithin(own, requestOf);
  const effect = SIGMAS * noise + LEAST_EFFECT;
  // Without an effect of order all repeats measure the noise, and many more of them than there are replays.
  const flat = flatness(observations, spread <= effect ? Math.max(noise, spread) : noise);
  if (flat !== null) return found(...flat);
  if (spread <= effect)
    return found(null, `Repeats lie ${figure(spread)} logits apart, as noise makes them.`);
  const change = changeOf(own, noise, spread, effect);
  if (change !== null) return found('model changed', change);
  const stale = staleOf(own, noise);
  if (stale !== null) return found('stale by one', stale);
  // Nothing else explains it; then a quiet sequence was chance, and repeats within one order vary as much.
  if (spread <= SIGMAS * pooled + LEAST_EFFECT)
    return found(null, `Repeats lie ${figure(spread)} logits apart, between orders and within one.`);
  return found(
    'order-dependent',
    `The same request varies by ${figure(spread)} logits between orders and by ${figure(noise)} within one.`,
  );
}

/**
 * What differences between replayed probes say of the noise, as a standard deviation (`deviation`). Where one replayed
 * sequence differs far more than another, something may have changed in between, and the quieter one is the noise;
 * `pooled` takes all of them.
 */
function noiseOf(observations: readonly Observation[]): { readonly noise: number; readonly pooled: number } {
  const bySequence = new Map<number, number[]>();
  for (const { probe, logit } of observations) {
    const before = probe.replays === null ? undefined : observations[probe.replays];
    if (before === undefined) continue;
    const differences = bySequence.get(probe.sequence) ?? [];
    bySequence.set(probe.sequence, differences);
    differences.push(Math.abs(logit - before.logit));
  }
  const each = [...bySequence.values()].map(deviation);
  const [least, greatest] = [Math.min(...each), Math.max(...each)];
  const pooled = deviation([...bySequence.values()].flat());
  return { noise: greatest > CHANGED * least + LEAST_EFFECT ? least : pooled, pooled };
}

/** Two estimates of one noise from a dozen differences never lie this far apart. */
const CHANGED = 5;

/** So many of the largest differences of a sequence may be no noise: what was sent before a sequence was another request. */
const OUTLIERS = 2;

/**
 * The greater of two estimates that a few outliers do not move: from the middle difference, and from the mean square of
 * all but the largest. Noise that takes one of two values has a middle of 0 and still is noise.
 */
function deviation(differences: readonly number[]): number {
  const sorted = [...differences].sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  const kept = sorted.slice(0, Math.max(1, sorted.length - OUTLIERS));
  const square = kept.reduce((sum, value) => sum + value * value, 0) / Math.max(1, kept.length);
  // A normal distribution's median absolute value is 0.6745 of its deviation; a difference has two of them.
  return Math.max(middle / 0.6745, Math.sqrt(square)) / Math.SQRT2;
}

function modelsNamed(
  observations: readonly Observation[],
  model: string,
): readonly [SaboteurName, string] | null {
  const wrong = observations.filter((each) => each.model !== null && each.model !== model);
  const first = wrong[0];
  if (first === undefined) return null;
  const right = observations.filter((each) => each.model === model).length;
  return right === 0
    ? ['wrong model named', `${wrong.length} replies name “${first.model}”, and “${model}” was asked.`]
    : ['model changed', `From call ${first.probe.index + 1} on replies name “${first.model}”.`];
}

/** Prompt tokens that a picture adds, by text; nothing where a count is missing. */
function growths(observations: readonly Observation[]): number[] {
  const without = new Map<string, number>();
  for (const { probe, tokens } of observations) {
    if (tokens === null) return [];
    if (probe.picture === null) without.set(probe.text, tokens);
  }
  return observations.flatMap(({ probe, tokens }) => {
    const bare = without.get(probe.text);
    return probe.picture === null || bare === undefined || tokens === null ? [] : [tokens - bare];
  });
}

/** Answers to different pictures that do not differ: who gives them, by what moves them at all. */
function flatness(
  observations: readonly Observation[],
  noise: number,
): readonly [SaboteurName, string] | null {
  const of = (text: string, imaged: boolean) =>
    observations.filter(({ probe }) => probe.text === text && (probe.picture !== null) === imaged);
  const everything = observations.map(({ logit }) => logit);
  if (range(everything) <= 6 * noise + TINY && range(everything) <= LEAST_EFFECT)
    return [
      'constant answer',
      `Every answer to every question is the same within ${figure(range(everything))} logits.`,
    ];
  const imaged = of('own', true);
  const means = [...groups(imaged, requestOf).values()].map(mean);
  const count = imaged.length / Math.max(1, means.length);
  // Means of so many answers scatter less than the answers.
  const bound = (MEANS * noise) / Math.sqrt(count) + TINY;
  // Single answers are looked at too: of a provider that changes or lags, the means alone can lie close.
  if (range(means) > bound || range(imaged.map(({ logit }) => logit)) > 10 * noise + TINY) return null;
  const shown = mean(imaged.map(({ logit }) => logit));
  const bare = mean(of('own', false).map(({ logit }) => logit));
  if (Math.abs(shown - bare) <= bound + LEAST_EFFECT)
    return ['prior-only', `Answers with any picture equal the one without (${figure(bare)} logits).`];
  const longer = mean(of('longer', true).map(({ logit }) => logit));
  return Math.abs(longer - shown) >= TEXT_SHIFT
    ? [
        'reply cached',
        `Every picture gets one answer for a text: ${figure(shown)} logits, and ${figure(longer)} after a longer text.`,
      ]
    : ['first image frozen', `Every picture gets one answer, ${figure(shown)} logits, whatever the text.`];
}

/** One point in time before and after which each request answers steadily, and differently. */
function changeOf(own: readonly Observation[], noise: number, spread: number, effect: number): string | null {
  let best: { at: number; left: number; shifted: number } | null = null;
  for (let at = 2; at < own.length - 1; at += 1) {
    const [before, after] = [own.slice(0, at), own.slice(at)];
    const left = spreadWithin(own, (each) => `${requestOf(each)} ${own.indexOf(each) < at}`);
    const later = groups(after, requestOf);
    const shifted = [...groups(before, requestOf)].filter(([request, values]) => {
      const now = later.get(request);
      return now !== undefined && Math.abs(mean(now) - mean(values)) > effect;
    }).length;
    if (best === null || left < best.left) best = { at, left, shifted };
  }
  const requests = groups(own, requestOf).size;
  if (best === null || best.shifted * 2 < requests) return null;
  if (best.left > Math.max(2 * noise, TINY) && best.left > spread / 5) return null;
  const call = (own[best.at]?.probe.index ?? 0) + 1;
  return `From call ${call} on ${best.shifted} of ${requests} requests answer differently, and steadily again.`;
}

/** Whether the answers with a picture fit the picture that was sent before. */
function staleOf(own: readonly Observation[], noise: number): string | null {
  const imaged = own.filter(({ probe }) => probe.picture !== null);
  const previous = new Map(imaged.map((each, at) => [each, imaged[at - 1]]));
  // What stands before the last sequence is another text's round.
  const known = imaged.filter((each) => {
    const before = previous.get(each);
    return before !== undefined && !broken(own, before, each);
  });
  const now = spreadWithin(known, requestOf);
  const then = spreadWithin(known, (each) => String(previous.get(each)?.probe.picture));
  if (then > Math.max(2 * noise + TINY, now / 4)) return null;
  return `Answers vary by ${figure(now)} logits for their own picture and by ${figure(then)} for the one sent before.`;
}

/** Whether probes of another text stand between two. */
function broken(own: readonly Observation[], before: Observation, after: Observation): boolean {
  const steps = own.indexOf(after) - own.indexOf(before);
  return after.probe.index - before.probe.index !== steps;
}

function requestOf({ probe }: Observation): string {
  return String(probe.picture);
}

function groups(
  observations: readonly Observation[],
  key: (observation: Observation) => string,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const observation of observations) {
    const name = key(observation);
    const values = found.get(name) ?? [];
    found.set(name, values);
    values.push(observation.logit);
  }
  return found;
}

/** Root mean square distance from the mean of each group. */
function spreadWithin(
  observations: readonly Observation[],
  key: (observation: Observation) => string,
): number {
  let [sum, count] = [0, 0];
  for (const values of groups(observations, key).values()) {
    const middle = mean(values);
    for (const value of values) sum += (value - middle) ** 2;
    count += values.length;
  }
  return count === 0 ? 0 : Math.sqrt(sum / count);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function range(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}

function figure(value: number): string {
  return value.toPrecision(3);
}
