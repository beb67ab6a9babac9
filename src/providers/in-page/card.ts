import * as v from 'valibot';
import { PixelproofError } from '../../errors';

/** The longest side of a picture that a model of this kind is given, in pixels. */
const MAX_SIDE = 2048;
const MAX_CARD_BYTES = 256 * 1024;
export const CARD_SCHEMA = 'pixelproof.classifier-card/1';

const LANES = ['0', '1', '2', '3', '4', '5', '6'] as const;

/** What an output can say about an arcade state, with the words that the experiment's reply has for it. */
export const VARIABLES = {
  tank_column: LANES,
  target_column: ['NONE', ...LANES],
  cooldown: ['READY', 'BLOCKED'],
} as const;
export type Variable = keyof typeof VARIABLES;
const NAMES = ['tank_column', 'target_column', 'cooldown'] as const satisfies readonly Variable[];

const line = (most: number) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(most),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'one line of text'),
  );
const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SIDE));
const three = (number: v.GenericSchema<number>) => v.pipe(v.array(number), v.length(3));
const finite = v.pipe(v.number(), v.finite());

const OUTPUT = v.strictObject({
  name: line(200),
  variable: v.picklist(NAMES),
  classes: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(8)),
  scores: v.picklist(['logits', 'probabilities']),
});

const CARD = v.strictObject({
  schema: v.literal(CARD_SCHEMA),
  name: line(80),
  licence: line(200),
  input: v.strictObject({
    name: line(200),
    layout: v.picklist(['NCHW', 'NHWC']),
    width: side,
    height: side,
    channels: v.picklist(['RGB', 'BGR']),
    resize: v.picklist(['area', 'nearest']),
    divide_by: v.pipe(finite, v.gtValue(0)),
    mean: three(finite),
    std: three(v.pipe(finite, v.gtValue(0))),
  }),
  outputs: v.pipe(v.array(OUTPUT), v.length(3)),
});

/**
 * How a picture becomes a classifier's input and its outputs become an answer: public/schemas/classifier-card-1.schema.json.
 * A value v of the resized picture becomes (v / divide_by - mean) / std, channel by channel in the card's channel order.
 */
export type ClassifierCard = v.InferOutput<typeof CARD>;
export type CardOutput = v.InferOutput<typeof OUTPUT>;

/** Reads a card's JSON text. Throws `model_card` with the first place that does not fit. */
export function readCard(text: string): ClassifierCard {
  if (text.length > MAX_CARD_BYTES) throw fault('at most 256 KiB of JSON', `${text.length} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fault('JSON', error instanceof Error ? error.message.slice(0, 120) : 'something else');
  }
  return checkedCard(value);
}

/** The same of a card that is an object already, from a record or a page. */
export function checkedCard(value: unknown): ClassifierCard {
  const { success, output, issues } = v.safeParse(CARD, value);
  if (!success) {
    const [{ message, path }] = issues;
    const where = (path ?? []).map(({ key }) => String(key)).join('.');
    throw fault(where === '' ? message : `${where}: ${message}`, 'another value');
  }
  const given = output.outputs.map(({ variable }) => variable);
  for (const name of NAMES) {
    if (given.filter((one) => one === name).length !== 1)
      throw fault(`one output that gives ${name}`, given.join(', '));
  }
  if (new Set(output.outputs.map(({ name }) => name)).size !== output.outputs.length)
    throw fault('three outputs of different names', output.outputs.map(({ name }) => name).join(', '));
  for (const { variable, classes } of output.outputs) {
    const known: readonly string[] = VARIABLES[variable];
    const wrong = classes.find((name, at) => !known.includes(name) || classes.indexOf(name) !== at);
    if (wrong !== undefined) throw fault(`classes of ${variable}, each once: ${known.join(', ')}`, wrong);
  }
  return output;
}

/** The output that gives a variable; a checked card has one for each. */
export function outputFor({ outputs }: ClassifierCard, variable: Variable): CardOutput {
  const found = outputs.find((output) => output.variable === variable);
  if (found === undefined) throw fault(`an output that gives ${variable}`, 'none');
  return found;
}

function fault(expected: string, got: string): PixelproofError {
  return new PixelproofError(
    'model_card',
    'The model card cannot be used; the JSON Schema classifier-card-1 says what one holds.',
    { expected, got: got.slice(0, 200) },
  );
}
