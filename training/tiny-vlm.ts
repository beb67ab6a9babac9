import { Xorshift32 } from '../src/numeric/xorshift32';
import { type Node, type ValueInfo, type Weights, writeOnnx } from './onnx-writer';

/**
 * A vision-language model that has learned nothing: the files, names, types and shapes of a SmolVLM with one attention
 * head of eight numbers, its weights drawn from a seed. What it says is noise. It is there so that the code which loads
 * and asks a real one runs where no weights are; it also depends on the picture and on the order of the words.
 */
const HIDDEN = 8;
/** Sides of a tile of the picture, and tokens of a tile. */
const TILE = 64;
const TILE_TOKENS = 4;
/** Longest side that a picture is brought to before it is cut into tiles. */
const LONGEST = 128;
const OPSET = 17;
const SEED = 20_260;

const SPECIAL = [
  '<|im_start|>',
  '<end_of_utterance>',
  '<fake_token_around_image>',
  '<image>',
  '<global-img>',
  ...[1, 2].flatMap((row) => [1, 2].map((column) => `<row_${row}_col_${column}>`)),
];

/** Each user's and assistant's turn as the family writes it, pictures by their token. */
const TEMPLATE = [
  '<|im_start|>{% for message in messages %}{{ message["role"] | capitalize }}:',
  '{% for part in message["content"] %}{% if part["type"] == "image" %}<image>{% else %} {{ part["text"] }}{% endif %}{% endfor %}',
  '<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}',
].join('');

/** The folder, path by path: what a person would choose, or a command line would read. */
export function tinyVlm(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const tokens = vocabulary();
  const random = new Xorshift32(SEED);
  const imageToken = tokens.get('<image>') ?? 0;
  const end = tokens.get('<end_of_utterance>') ?? 0;
  const text = {
    model_type: 'llama',
    hidden_size: HIDDEN,
    head_dim: HIDDEN,
    num_attention_heads: 1,
    num_key_value_heads: 1,
    num_hidden_layers: 1,
    vocab_size: tokens.size,
  };
  return new Map([
    json('config.json', {
      architectures: ['Idefics3ForConditionalGeneration'],
      model_type: 'idefics3',
      image_token_id: imageToken,
      text_config: text,
      vocab_size: tokens.size,
    }),
    json('generation_config.json', { eos_token_id: end, pad_token_id: end }),
    json('preprocessor_config.json', {
      do_convert_rgb: true,
      do_image_splitting: true,
      do_normalize: true,
      do_pad: true,
      do_rescale: true,
      do_resize: true,
      image_mean: [0.5, 0.5, 0.5],
      image_processor_type: 'Idefics3ImageProcessor',
      image_std: [0.5, 0.5, 0.5],
      max_image_size: { longest_edge: TILE },
      processor_class: 'Idefics3Processor',
      resample: 1,
      rescale_factor: 1 / 255,
      size: { longest_edge: LONGEST },
    }),
    json('processor_config.json', { image_seq_len: TILE_TOKENS, processor_class: 'Idefics3Processor' }),
    json('tokenizer.json', tokenizer(tokens)),
    json('tokenizer_config.json', {
      chat_template: TEMPLATE,
      eos_token: '<end_of_utterance>',
      model_max_length: 8192,
      pad_token: '<end_of_utterance>',
      tokenizer_class: 'GPT2Tokenizer',
    }),
    ['onnx/embed_tokens.onnx', embedTokens(tokens.size, random)],
    ['onnx/vision_encoder.onnx', visionEncoder(random)],
    ['onnx/decoder_model_merged.onnx', decoder(tokens.size, random)],
  ]);
}

function json(path: string, value: object): [string, Uint8Array<ArrayBuffer>] {
  return [path, new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)];
}

/** The bytes by the letters that byte-level tokenizers write for them, two digits with a space before, the special ones. */
function vocabulary(): ReadonlyMap<string, number> {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
  let next = 256;
  const letters = Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(printable(byte) ? byte : next++),
  );
  return new Map([...letters, 'Ġ0', 'Ġ1', ...SPECIAL].map((token, id) => [token, id]));
}

function tokenizer(tokens: ReadonlyMap<string, number>): object {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content) => ({
      id: tokens.get(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries([...tokens].filter(([token]) => !SPECIAL.includes(token))),
      merges: ['Ġ 0', 'Ġ 1'],
    },
  };
}

function drawn(name: string, shape: readonly number[], random: Xorshift32, scale: number): Weights {
  const count = shape.reduce((product, side) => product * side, 1);
  const data = Float32Array.from({ length: count }, () => ((random.next() % 2001) / 1000 - 1) * scale);
  return { name, shape, data };
}

const ints = (name: string, ...values: number[]): Weights => ({
  name,
  shape: [values.length],
  data: values.map(BigInt),
});
const node = (op: string, inputs: string[], output: string, attributes: Node['attributes'] = {}): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes,
});

function model(
  name: string,
  inputs: ValueInfo[],
  outputs: ValueInfo[],
  weights: Weights[],
  nodes: Node[],
): Uint8Array<ArrayBuffer> {
  return writeOnnx({ name, producer: 'pixelproof', opset: OPSET, inputs, outputs, weights, nodes });
}

function embedTokens(vocabulary: number, random: Xorshift32): Uint8Array<ArrayBuffer> {
  return model(
    'embed_tokens',
    [{ name: 'input_ids', type: 'int64', shape: ['batch_size', 'sequence_length'] }],
    [{ name: 'inputs_embeds', shape: ['batch_size', 'sequence_length', HIDDEN] }],
    [drawn('table', [vocabulary, HIDDEN], random, 1)],
    [node('Gather', ['table', 'input_ids'], 'inputs_embeds')],
  );
}

/** Tiles, masked, averaged by 8 x 8, then one number a 4 x 4 of those for each of the hidden numbers. */
function visionEncoder(random: Xorshift32): Uint8Array<ArrayBuffer> {
  const sides = ['batch_size', 'num_images'];
  return model(
    'vision_encoder',
    [
      { name: 'pixel_values', shape: [...sides, 3, TILE, TILE] },
      { name: 'pixel_attention_mask', type: 'bool', shape: [...sides, TILE, TILE] },
    ],
    [{ name: 'image_features', shape: ['tiles', TILE_TOKENS, HIDDEN] }],
    [
      ints('channel_axis', 2),
      ints('tiles', -1, 3, TILE, TILE),
      ints('rows', 0, HIDDEN, TILE_TOKENS),
      drawn('kernel', [HIDDEN, 3, 4, 4], random, 0.5),
    ],
    [
      node('Cast', ['pixel_attention_mask'], 'shown', { to: 1 }),
      node('Unsqueeze', ['shown', 'channel_axis'], 'shown_planes'),
      node('Mul', ['pixel_values', 'shown_planes'], 'masked'),
      node('Reshape', ['masked', 'tiles'], 'each'),
      node('AveragePool', ['each'], 'small', { kernel_shape: [8, 8], strides: [8, 8] }),
      node('Conv', ['small', 'kernel'], 'patches', { kernel_shape: [4, 4], strides: [4, 4] }),
      node('Reshape', ['patches', 'rows'], 'by_number'),
      node('Transpose', ['by_number'], 'image_features', { perm: [0, 2, 1] }),
    ],
  );
}

/** One causal attention head over all that came before, a cache, and scores of the vocabulary. */
function decoder(vocabulary: number, random: Xorshift32): Uint8Array<ArrayBuffer> {
  const cache = (name: string, length: string): ValueInfo => ({
    name,
    shape: ['batch_size', 1, length, HIDDEN],
  });
  const projected = (name: string): Node[] => [
    node('MatMul', ['inputs_embeds', `${name}_weights`], `${name}_flat`),
    node('Unsqueeze', [`${name}_flat`, 'head_axis'], name),
  ];
  return model(
    'decoder_model_merged',
    [
      { name: 'inputs_embeds', shape: ['batch_size', 'sequence_length', HIDDEN] },
      { name: 'attention_mask', type: 'int64', shape: ['batch_size', 'total_sequence_length'] },
      { name: 'position_ids', type: 'int64', shape: ['batch_size', 'sequence_length'] },
      cache('past_key_values.0.key', 'past_sequence_length'),
      cache('past_key_values.0.value', 'past_sequence_length'),
    ],
    [
      { name: 'logits', shape: ['batch_size', 'sequence_length', vocabulary] },
      cache('present.0.key', 'total_sequence_length'),
      cache('present.0.value', 'total_sequence_length'),
    ],
    [
      ...['query', 'key', 'value'].map((name) => drawn(`${name}_weights`, [HIDDEN, HIDDEN], random, 1)),
      drawn('out_weights', [HIDDEN, vocabulary], random, 1),
      ints('head_axis', 1),
      ints('last_axis', -1),
      { name: 'one', shape: [], data: [1n] },
      { name: 'far', shape: [1], data: Float32Array.of(-1e9) },
      { name: 'near', shape: [1], data: Float32Array.of(0) },
    ],
    [
      ...projected('query'),
      ...projected('key'),
      ...projected('value'),
      node('Concat', ['past_key_values.0.key', 'key'], 'present.0.key', { axis: 2 }),
      node('Concat', ['past_key_values.0.value', 'value'], 'present.0.value', { axis: 2 }),
      node('Transpose', ['present.0.key'], 'keys_across', { perm: [0, 1, 3, 2] }),
      node('MatMul', ['query', 'keys_across'], 'alike'),
      // The place of each key is how many are not masked before it; a key after the query's own place is far.
      node('CumSum', ['attention_mask', 'one'], 'count'),
      node('Sub', ['count', 'one'], 'places'),
      node('Unsqueeze', ['places', 'head_axis'], 'key_places'),
      node('Unsqueeze', ['position_ids', 'last_axis'], 'query_places'),
      node('Greater', ['key_places', 'query_places'], 'later_flat'),
      node('Unsqueeze', ['later_flat', 'head_axis'], 'later'),
      node('Where', ['later', 'far', 'near'], 'distance'),
      node('Add', ['alike', 'distance'], 'reachable'),
      node('Softmax', ['reachable'], 'weights', { axis: -1 }),
      node('MatMul', ['weights', 'present.0.value'], 'gathered'),
      node('Squeeze', ['gathered', 'head_axis'], 'gathered_flat'),
      node('Add', ['gathered_flat', 'inputs_embeds'], 'hidden'),
      node('MatMul', ['hidden', 'out_weights'], 'logits'),
    ],
  );
}
