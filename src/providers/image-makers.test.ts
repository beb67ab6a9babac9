import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256 } from '../evidence/identity/sha256';
import type { ImageMaker, ImageMakerSettings } from './image-maker';
import { createMiniMax } from './minimax';
import { createOpenAiImages } from './openai-images';
import { createSwarmUi } from './swarmui';

interface Seen {
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}
type Reply = { status?: number; json?: unknown; bytes?: Uint8Array };

const PICTURE = Uint8Array.from({ length: 6000 }, (_, i) => i % 251);
const BASE64 = Buffer.from(PICTURE).toString('base64');
const REQUEST = { prompt: 'A prompt, as it is.', width: 1024, height: 1024 };
let server: Server | null = null;

async function service(answer: (path: string) => Reply) {
  const seen: Seen[] = [];
  const made = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const path = request.url ?? '';
      seen.push({ path, body, authorization: request.headers.authorization });
      const { status = 200, json, bytes } = answer(path);
      response.writeHead(status).end(bytes ?? JSON.stringify(json ?? {}));
    });
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  server = made;
  return { seen, baseUrl: `http://127.0.0.1:${(made.address() as AddressInfo).port}` };
}
afterEach(() => server?.close());

const settings = (baseUrl: string): ImageMakerSettings => ({
  baseUrl,
  model: 'm',
  key: 'secret-key',
  timeoutSeconds: 5,
});
const make = (maker: ImageMaker) => maker.make(REQUEST, new AbortController().signal);

describe('image services', () => {
  test('SwarmUI: a session, a picture as data address, both exchanges recorded', async () => {
    const { seen, baseUrl } = await service((path) => ({
      json: path.endsWith('GetNewSession')
        ? { session_id: 'S' }
        : { images: [`data:image/png;base64,${BASE64}`] },
    }));
    const made = await make(createSwarmUi(settings(baseUrl)));
    expect(made.outcome).toBe('image');
    expect(made.image).toEqual(PICTURE);
    expect(seen.map(({ path }) => path)).toEqual(['/API/GetNewSession', '/API/GenerateText2Image']);
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({
      session_id: 'S',
      prompt: REQUEST.prompt,
      images: 1,
      seed: -1,
    });
    expect(made.exchanges.map(({ request_sha256 }) => request_sha256)).toEqual(
      seen.map(({ body }) => sha256(body)),
    );
    expect(JSON.stringify(made.exchanges)).not.toContain('secret-key');
    expect(made.exchanges[1]?.reply_text).toContain(sha256(BASE64));
    expect(made.exchanges[1]?.reply_text?.length).toBeLessThan(400);
  });

  test('SwarmUI: a picture by its path', async () => {
    const { baseUrl } = await service((path) => {
      if (path.endsWith('.png')) return { bytes: PICTURE };
      return {
        json: path.endsWith('GetNewSession') ? { session_id: 'S' } : { images: ['View/local/1.png'] },
      };
    });
    const made = await make(createSwarmUi(settings(baseUrl)));
    expect(made.image).toEqual(PICTURE);
    expect(made.exchanges).toHaveLength(3);
  });

  test('SwarmUI: its own error is a failure in its words', async () => {
    const { baseUrl } = await service((path) => ({
      json: path.endsWith('GetNewSession') ? { session_id: 'S' } : { error: 'No model loaded' },
    }));
    expect(await make(createSwarmUi(settings(baseUrl)))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('No model loaded'),
      image: null,
    });
  });

  test('OpenAI-compatible: base64, and the key only in the header', async () => {
    const { seen, baseUrl } = await service(() => ({ json: { data: [{ b64_json: BASE64 }] } }));
    const made = await make(createOpenAiImages(settings(`${baseUrl}/v1/`)));
    expect(made.image).toEqual(PICTURE);
    expect(seen[0]).toMatchObject({ path: '/v1/images/generations', authorization: 'Bearer secret-key' });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ n: 1, size: '1024x1024', quality: 'medium' });
  });

  test('OpenAI-compatible: refused content is moderated, anything else failed', async () => {
    const refusal = await service(() => ({
      status: 400,
      json: { error: { code: 'moderation_blocked', message: 'no' } },
    }));
    expect((await make(createOpenAiImages(settings(refusal.baseUrl)))).outcome).toBe('moderated');
    server?.close();
    const broken = await service(() => ({ status: 500, json: { error: { message: 'down' } } }));
    expect((await make(createOpenAiImages(settings(broken.baseUrl)))).outcome).toBe('failed');
  });

  test('MiniMax: base64, and its status codes', async () => {
    const good = await service(() => ({
      json: { data: { image_base64: [BASE64] }, base_resp: { status_code: 0 } },
    }));
    expect((await make(createMiniMax(settings(good.baseUrl)))).image).toEqual(PICTURE);
    server?.close();
    const refused = await service(() => ({
      json: { base_resp: { status_code: 1026, status_msg: 'sensitive' } },
    }));
    expect(await make(createMiniMax(settings(refused.baseUrl)))).toMatchObject({ outcome: 'moderated' });
  });

  test('no server, no JSON, no base64, no picture at the address: failures, recorded', async () => {
    const dead = await make(createMiniMax(settings('http://127.0.0.1:9')));
    expect(dead).toMatchObject({ outcome: 'failed', image: null });
    expect(dead.exchanges[0]?.cause?.code).toBe('provider_unreachable');
    const text = await service(() => ({ bytes: new TextEncoder().encode('<html>') }));
    expect((await make(createOpenAiImages(settings(text.baseUrl)))).reason).toContain(
      'provider_body_not_json',
    );
    server?.close();
    const junk = await service(() => ({ json: { data: [{ b64_json: '!' }] } }));
    expect((await make(createOpenAiImages(settings(junk.baseUrl)))).reason).toContain(
      'provider_picture_not_base64',
    );
    server?.close();
    const lost = await service((path) =>
      path.endsWith('.png')
        ? { status: 404 }
        : { json: { data: { image_urls: [`${lost.baseUrl}/x.png`] }, base_resp: { status_code: 0 } } },
    );
    expect((await make(createMiniMax(settings(lost.baseUrl)))).reason).toContain('provider_http_status');
  });
});
