import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of the mock: each is one row of the result table or of the error table. */
export type LlamaFault =
  | 'none'
  | 'blind'
  | 'picture-dropped'
  | 'vision-false'
  | 'chatml'
  | 'mixed-template'
  | 'marker-rotates'
  | 'marker-rotates-forever'
  | 'control-beyond-list'
  | 'control-missing'
  | 'two-token-control'
  | 'unauthorised'
  | 'loading-then-ok'
  | 'loading-forever'
  | 'model-absent'
  | 'empty-logprobs'
  | 'empty-at-zero'
  | 'duplicate-token'
  | 'not-finite'
  | 'not-a-distribution'
  | 'image-refused'
  | 'context-too-small'
  | 'html'
  | 'redirect'
  | 'other-model'
  | 'down-after-four'
  | 'long-reply'
  | 'origin-refused'
  | 'no-cors'
  | 'stalls';

export interface LlamaOptions {
  readonly fault?: LlamaFault;
  /** SHA-256 (`sha256:…`) of the pictures that read true. */
  readonly yes?: ReadonlySet<string>;
  readonly model?: string;
  /** The loopback port to listen on; any free one without it. */
  readonly port?: number;
}

export interface LlamaCall {
  readonly path: string;
  readonly body: Record<string, unknown> | null;
  /** Digest of the picture attached, null without one. */
  readonly image: string | null;
  readonly authorization: string | null;
}

export interface MockLlama {
  readonly url: string;
  readonly calls: LlamaCall[];
  completions(): LlamaCall[];
  close(): Promise<void>;
}

const TOKENS: Readonly<Record<string, number>> = { '0': 236771, '1': 236770 };
const N_VOCAB = 262144;
const MODEL = 'gemma-3-4b-it-q4km-mm';
/** ln p and ln (1 - p) of the mock's three answers. */
const YES = [-0.030459207484708574, -3.506557897319982];
const NO = [-3.506557897319982, -0.030459207484708574];
const UNSURE = [-0.2876820724517809, -1.3862943611198906];
const BLIND = [-0.2816999, -1.404458];

/** A llama.cpp server stand-in on the loopback interface, with CORS as builds before July 2026 have it. */
export async function mockLlama(options: LlamaOptions = {}): Promise<MockLlama> {
  const { fault = 'none', yes = new Set<string>(), model = MODEL } = options;
  const calls: LlamaCall[] = [];
  let healthChecks = 0;
  let generation = 0;
  const marker = () => `<__media_${String(generation).padStart(32, 'x')}__>`;
  const completions = () => calls.filter(({ path }) => path === '/completion');

  const server = createServer(async (request, response) => {
    if (fault !== 'no-cors') response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'content-type, authorization');
    response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
    response.setHeader('access-control-allow-private-network', 'true');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const call = await seen(request);
    calls.push(call);
    const send = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (fault === 'unauthorised' && call.authorization !== 'Bearer secret-key')
      return send({ error: { code: 401, message: 'Invalid API Key' } }, 401);
    if (fault === 'origin-refused') return send({ error: { code: 403, message: 'origin' } }, 403);
    switch (call.path.split('?')[0]) {
      case '/health': {
        healthChecks += 1;
        const loading = fault === 'loading-forever' || (fault === 'loading-then-ok' && healthChecks < 3);
        return loading
          ? send({ error: { code: 503, message: 'Loading model' } }, 503)
          : send({ status: 'ok' });
      }
      case '/v1/models':
        return send({ data: fault === 'model-absent' ? [] : [{ id: model, meta: { n_vocab: N_VOCAB } }] });
      case '/props':
        if (fault === 'marker-rotates-forever') generation += 1;
        return send({
          modalities: { vision: fault !== 'vision-false' },
          media_marker: marker(),
          build_info: 'b11176-f805c57a2',
          model_path: '/home/somebody/models/gemma-3-4b-it-Q4_K_M.gguf',
        });
      case '/apply-template':
        return send({
          prompt: TEMPLATES[fault === 'chatml' || fault === 'mixed-template' ? fault : 'gemma3'],
        });
      case '/tokenize': {
        const id = TOKENS[String(call.body?.content)] ?? 7;
        return send({ tokens: fault === 'two-token-control' ? [1, id] : [id] });
      }
      case '/completion':
        if (fault === 'marker-rotates' && completions().length === 4) generation += 1;
        if (fault === 'marker-rotates-forever' && call.image !== null) generation += 1;
        return complete(call, completions().length, response, send);
      default:
        response.writeHead(404).end('not found');
    }
  });

  function complete(
    call: LlamaCall,
    number: number,
    response: ServerResponse,
    send: (value: unknown, status?: number) => void,
  ): unknown {
    const { body, image } = call;
    const prompt = body?.prompt;
    const text =
      typeof prompt === 'string' ? prompt : String((prompt as { prompt_string?: unknown }).prompt_string);
    if (image !== null && !text.includes(marker()))
      return send({ error: { code: 400, message: 'Failed to tokenize prompt' } }, 400);
    if (fault === 'image-refused' && image !== null)
      return send({ error: { code: 400, message: 'Failed to load image or audio file' } }, 400);
    if (fault === 'context-too-small')
      return send({ error: { code: 500, message: 'context size exceeded' } }, 500);
    if (fault === 'html') {
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy</html>');
    }
    if (fault === 'redirect') {
      return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    }
    if (fault === 'down-after-four' && number > 4) {
      return response.destroy();
    }
    if (fault === 'stalls') return null;
    const pair =
      fault === 'blind'
        ? BLIND
        : image === null || fault === 'picture-dropped'
          ? UNSURE
          : yes.has(image)
            ? YES
            : NO;
    const wanted = Number(body?.n_probs);
    const empty = fault === 'empty-logprobs' || (fault === 'empty-at-zero' && body?.n_predict === 0);
    return send({
      completion_probabilities: empty ? [] : [{ id: TOKENS['0'], top_logprobs: listed(pair, wanted) }],
      tokens_evaluated: image === null ? 104 : fault === 'picture-dropped' ? 134 : 363,
      tokens_predicted: 1,
      model: fault === 'other-model' ? 'somebody-else' : model,
      timings: fault === 'long-reply' && number === 1 ? { note: 'x'.repeat(70_000) } : {},
    });
  }

  /** The controls and some others; a list of the whole vocabulary where it is asked for. */
  function listed([l0 = 0, l1 = 0]: readonly number[], wanted: number) {
    const one = { id: TOKENS['1'], token: '1', bytes: [49], logprob: fault === 'not-finite' ? null : l1 };
    const whole = wanted >= N_VOCAB;
    const missing = fault === 'control-missing' || (fault === 'control-beyond-list' && !whole);
    const list = [
      { id: TOKENS['0'], token: '0', bytes: [48], logprob: fault === 'not-a-distribution' ? 0.5 : l0 },
      ...(missing ? [] : [one]),
      ...(fault === 'duplicate-token' ? [one] : []),
      { id: 5, token: '2', bytes: [50], logprob: -20 },
    ];
    // The rest of the vocabulary, small enough to send: what is listed still says its own count.
    if (whole)
      for (let id = list.length; id < 1000; id += 1)
        list.push({ id: 1000 + id, token: '', bytes: [], logprob: -60 });
    return list;
  }

  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    completions,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

const TEMPLATES = {
  gemma3: '<bos><start_of_turn>user\nhello<end_of_turn>\n<start_of_turn>model\n',
  chatml: '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n',
  'mixed-template': '<start_of_turn>user\nhello<|im_start|>',
};

async function seen(request: IncomingMessage): Promise<LlamaCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const body = bytes.length > 0 ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : null;
  const prompt = body?.prompt as { multimodal_data?: string[] } | string | undefined;
  // Only the nested form attaches a picture; a top-level `multimodal_data` is dropped, as in the original.
  const data = typeof prompt === 'object' ? prompt.multimodal_data?.[0] : undefined;
  return {
    path: request.url ?? '/',
    body,
    image:
      data === undefined
        ? null
        : `sha256:${createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')}`,
    authorization: request.headers.authorization ?? null,
  };
}
