import { nodeModelHost } from '../cli/model-host';
import {
  CANONICAL_STATES,
  combinedParts,
  materialiseSteps,
  readReply,
  recipeOf,
  VARIANTS,
} from '../src/experiments/png-representation';
import { decodePng } from '../src/pixels/decode/png';
import {
  ARCADE_READER,
  ARCADE_READER_CARD,
  ARCADE_READER_MODEL,
} from '../src/providers/in-page/arcade-reader-card';
import { VARIABLES, type Variable } from '../src/providers/in-page/card';
import { ClassifierProvider } from '../src/providers/in-page/classifier';
import { answersOf, heldOut, RECIPE } from './recipe';

/** What combined-v1 is made of here; it has no parts of its own. */
const COMBINED = combinedParts('cooldown-dual-v1', 'lane-enhanced-v1');
const NAMES = ['tank_column', 'target_column', 'cooldown'] as const;

interface Count {
  readonly states: number;
  /** States of which all three variables were read right. */
  readonly right: number;
}

export interface VariantAccuracy extends Count {
  readonly variant: string;
  readonly seen_in_training: boolean;
  /** The states that no training step had. */
  readonly held_out: Count;
  readonly right_by_variable: Readonly<Record<Variable, number>>;
  /** Every wrong reading, by what was true and what was said. */
  readonly confusion: readonly {
    readonly variable: Variable;
    readonly truth: string;
    readonly said: string;
    readonly states: number;
  }[];
  /** Mean of the confidences, in whole percents as said, of right and of wrong replies; null where there is none. */
  readonly mean_confidence: { readonly right: number | null; readonly wrong: number | null };
}

/** Asks a model about every state in every representation, by the provider that the experiment asks. */
export async function measure(model: Uint8Array<ArrayBuffer>): Promise<readonly VariantAccuracy[]> {
  const { signal } = new AbortController();
  const provider = new ClassifierProvider({
    id: ARCADE_READER,
    model: ARCADE_READER_MODEL,
    host: nodeModelHost(),
    decode: decodePng,
    load: async () => ({ bytes: model, card: ARCADE_READER_CARD }),
    sha256: null,
  });
  await provider.start(signal);
  const found: VariantAccuracy[] = [];
  try {
    for (const variant of VARIANTS) found.push(await ofVariant(variant, provider, signal));
  } finally {
    await provider.close();
  }
  return found;
}

async function ofVariant(
  variant: (typeof VARIANTS)[number],
  provider: ClassifierProvider,
  signal: AbortSignal,
): Promise<VariantAccuracy> {
  const recipe = recipeOf(variant, variant === 'combined-v1' ? COMBINED : null);
  const right = { tank_column: 0, target_column: 0, cooldown: 0 };
  const wrong = new Map<string, number>();
  const confidences: { right: number[]; wrong: number[] } = { right: [], wrong: [] };
  let held = 0;
  let heldRight = 0;
  for (const [index, state] of CANONICAL_STATES.entries()) {
    const { final } = await materialiseSteps(recipe, state);
    const question = {
      image: final.png,
      mediaType: 'image/png',
      prompt: '',
      promptMode: 'unlabelled',
    } as const;
    const { reply_text } = await provider.readImage(question, { signal, record: () => {} });
    const said = linesOf(reply_text ?? '');
    const whole = NAMES.every((name, at) => {
      const truth = String(VARIABLES[name][answersOf(index)[at] ?? 0]);
      return said.get(name) === truth;
    });
    for (const [at, name] of NAMES.entries()) {
      const truth = String(VARIABLES[name][answersOf(index)[at] ?? 0]);
      const key = JSON.stringify([name, truth, said.get(name)]);
      if (said.get(name) === truth) right[name] += 1;
      else wrong.set(key, (wrong.get(key) ?? 0) + 1);
    }
    const verdict = readReply(reply_text ?? '', 'labelled-lines');
    if (!verdict.ok) throw new Error(`The reader gave no reply of the experiment: ${verdict.reason}`);
    confidences[whole ? 'right' : 'wrong'].push(Number(said.get('confidence')));
    if (heldOut(index)) {
      held += 1;
      if (whole) heldRight += 1;
    }
  }
  return {
    variant,
    seen_in_training: (RECIPE.variants as readonly string[]).includes(variant),
    states: CANONICAL_STATES.length,
    right: confidences.right.length,
    held_out: { states: held, right: heldRight },
    right_by_variable: right,
    confusion: [...wrong].map(([key, states]) => {
      const [variable, truth, said] = JSON.parse(key) as [Variable, string, string];
      return { variable, truth, said, states };
    }),
    mean_confidence: { right: mean(confidences.right), wrong: mean(confidences.wrong) },
  };
}

function linesOf(reply: string): ReadonlyMap<string, string> {
  return new Map(
    reply.split('\n').map((each) => {
      const [name = '', value = ''] = each.split(': ');
      return [name.toLowerCase(), value];
    }),
  );
}

/** To one digit after the point. */
function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}
