import { PixelproofError } from '../errors';
import { sha256Hex } from '../evidence/identity/sha256';
import {
  type AuditPicture,
  DEMO_PROFILE,
  demoManifest,
  demoPicture,
  type SaboteurName,
} from '../experiments/vision-controls';
import { Xorshift32 } from '../numeric/xorshift32';
import { type LocalScore, listedScore } from '../providers/audit/local-protocol';
import { LocalScorer } from '../providers/local-scorers';
import type { ChoiceQuestion, ProviderDescription } from '../providers/provider';

/** How a simulated model that looks at its pictures answers. All figures in logits of `true`. */
export interface SimulatedModel {
  readonly seed: number;
  /** Digests (`sha256:…`) of the pictures of the first family. */
  readonly yes: ReadonlySet<string>;
  /** Half the distance between the two families; negative for a model that has them the wrong way round. */
  readonly separation: number;
  /** How pictures of one family differ. */
  readonly variety: number;
  /** Standard deviation of what a server adds to each answer. */
  readonly noise: number;
  /**
   * How that is spread: a normal distribution; `two-valued`, as kernels that take one of two paths; `heavy`, where one
   * answer in twelve is off by six times as much.
   */
  readonly jitter?: 'normal' | 'two-valued' | 'heavy';
  /** Decimal places of the log-probabilities that a server prints, all of them without it. */
  readonly decimals?: number;
  /**
   * Prompt tokens of a picture, null for a server that does not count. `varied`: other pictures, other counts. `cached`:
   * what was asked just before is not counted again.
   */
  readonly pictureTokens: number | 'varied' | 'cached' | null;
  readonly namesModel: boolean;
}

const SIMULATED: ProviderDescription = {
  id: 'simulated',
  kind: 'wiring',
  label: 'Simulated model',
  model: 'simulated',
  seed: 0,
  base_url: null,
};

const MARKER = '<__media__>';

/** A model that looks, and answers with noise: nothing may be said against it. */
export function honestScorer(model: SimulatedModel): LocalScorer {
  const answer = looking(model);
  return new LocalScorer(SIMULATED, (question, image) => answer(question, image));
}

type Answer = (question: ChoiceQuestion, image: string | null) => LocalScore;

function looking(model: SimulatedModel): Answer {
  const random = new Xorshift32(model.seed);
  let before: string | null = null;
  return ({ prefix, controls }, image) => {
    const text = prefix.replaceAll(`${MARKER}\n`, '');
    const asked = /\n\n([a-z_0-9]+): /.exec(text)?.[1] ?? '';
    const about = asked.startsWith('shows_animal') ? 0 : model.separation;
    const side = image !== null && model.yes.has(image) ? 1 : -1;
    const bare = 1.5 * gaussOf(`${model.seed} prior ${asked}`);
    const seen = about * side + model.variety * gaussOf(`${model.seed} ${image} ${asked}`);
    // Another wording of the same question moves an answer a little.
    const wording = 0.15 * gaussOf(`${model.seed} ${image} ${text}`);
    const logit = (image === null ? bare : seen) + wording + model.noise * jittered(model, random);
    const printed = (value: number) =>
      model.decimals === undefined ? value : Number(value.toFixed(model.decimals));
    const tokens = tokensOf(model, text, image);
    const request = `${image} ${prefix}`;
    const counted = model.pictureTokens === 'cached' && request === before ? 1 : tokens;
    before = request;
    return {
      controls: listedScore(controls, [printed(-softplus(-logit)), printed(-softplus(logit))]),
      tokens_evaluated: counted,
      model_in_reply: model.namesModel ? SIMULATED.model : null,
    };
  };
}

function jittered({ jitter = 'normal' }: SimulatedModel, random: Xorshift32): number {
  if (jitter === 'two-valued') return random.between(0, 4) === 0 ? 2 : -0.5;
  return gauss(random) * (jitter === 'heavy' && random.between(0, 11) === 0 ? 6 : 1);
}

function tokensOf(
  { pictureTokens, seed }: SimulatedModel,
  text: string,
  image: string | null,
): number | null {
  if (pictureTokens === null) return null;
  const bare = Math.round(text.length / 4);
  if (image === null) return bare;
  if (pictureTokens === 'cached') return bare + 259;
  const cost = pictureTokens === 'varied' ? 228 + (hashOf(`${seed} ${image}`) % 880) : pictureTokens;
  return bare + cost;
}

/** Ten broken providers. Each breaks one thing in a model that would answer well, and says nothing of it. */
export function saboteurScorer(name: SaboteurName, model: SimulatedModel): LocalScorer {
  return new LocalScorer(SIMULATED, SABOTAGE[name](looking(model), model));
}

/** The simulated provider that the command line and the page audit: honest for null. */
export function simulatedProvider(
  name: SaboteurName | null,
  pictures: readonly AuditPicture[],
  seed: number,
): LocalScorer {
  const simulated: SimulatedModel = {
    seed,
    yes: new Set(pictures.filter(({ first }) => first).map(({ id }) => id)),
    separation: 3,
    variety: 0.8,
    noise: 0.01,
    pictureTokens: 259,
    namesModel: true,
  };
  return name === null ? honestScorer(simulated) : saboteurScorer(name, simulated);
}

/** The demo pictures, each under its digest. */
export function auditPictures(): AuditPicture[] {
  return demoManifest().rows.map(({ visual_family, screenshot }) => {
    const id = `sha256:${screenshot.sha256}`;
    const bytes = demoPicture(id);
    if (bytes === null)
      throw new PixelproofError('picture_missing', 'A demo picture was not drawn.', { expected: id });
    return { id, first: visual_family === DEMO_PROFILE.families[0], bytes, media_type: screenshot.mime_type };
  });
}

const SABOTAGE: { readonly [name in SaboteurName]: (answer: Answer, model: SimulatedModel) => Answer } = {
  // The picture is lost on the way; its marker stays in the prompt as text.
  'image dropped': (answer) => (question, image) => {
    const { tokens_evaluated, ...score } = answer(question, null);
    return { ...score, tokens_evaluated: plus(tokens_evaluated, image === null ? 0 : 30) };
  },
  // The model takes text only, and the server leaves the picture out without a word.
  'text-only model': (answer) => (question) => answer(question, null),
  'stale by one': (answer) => {
    let before: string | null = null;
    return (question, image) => {
      if (image === null) return answer(question, null);
      const shown = before ?? image;
      before = image;
      return { ...answer(question, shown), tokens_evaluated: answer(question, image).tokens_evaluated };
    };
  },
  'first image frozen': (answer) => {
    let first: string | null = null;
    return (question, image) => {
      if (image === null) return answer(question, null);
      first ??= image;
      return answer(question, first);
    };
  },
  'reply cached': (answer) => {
    const replies = new Map<string, LocalScore>();
    return (question, image) => {
      const known = replies.get(question.prefix);
      if (known !== undefined) return known;
      const made = answer(question, image);
      replies.set(question.prefix, made);
      return made;
    };
  },
  'wrong model named': (answer) => (question, image) => ({
    ...answer(question, image),
    model_in_reply: 'another-model',
  }),
  'model changed': (answer, model) => {
    const other = looking({ ...model, seed: model.seed + 7919, separation: model.separation / 3 });
    const after = 20 + (hashOf(`${model.seed} change`) % 30);
    let calls = 0;
    return (question, image) => {
      calls += 1;
      return calls > after
        ? { ...other(question, image), tokens_evaluated: answer(question, image).tokens_evaluated }
        : answer(question, image);
    };
  },
  'constant answer': (answer) => (question, image) => ({
    ...answer(question, image),
    controls: listedScore(question.controls, [-0.2, -1.7]),
  }),
  'prior-only': (answer) => (question, image) => {
    const { tokens_evaluated } = answer(question, image);
    return { ...answer(question, null), tokens_evaluated };
  },
  'order-dependent': (answer) => {
    let calls = 0;
    return (question, image) => {
      calls += 1;
      const score = answer(question, image);
      const [yes = 0, no = 0] = score.controls.map(({ logprob }) => logprob ?? 0);
      const logit = yes - no + (calls % 2 === 0 ? 0.8 : -0.8);
      return { ...score, controls: listedScore(question.controls, [-softplus(-logit), -softplus(logit)]) };
    };
  },
};

function plus(tokens: number | null, more: number): number | null {
  return tokens === null ? null : tokens + more;
}

/** ln (1 + e^x), without overflow. */
function softplus(x: number): number {
  return x > 30 ? x : Math.log1p(Math.exp(x));
}

function hashOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 8), 16);
}

/** A draw that belongs to a text: the same each time. */
function gaussOf(text: string): number {
  return gauss(new Xorshift32(hashOf(text)));
}

function gauss(random: Xorshift32): number {
  const [u, v] = [random.next() / 2 ** 32, random.next() / 2 ** 32];
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}
