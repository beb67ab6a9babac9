import { at, type ImageMaker, type ImageMakerSettings, makeBy, type Reading, replyJson } from './image-maker';

/** Status codes of MiniMax for content it refuses: in the prompt, in the picture. */
const SENSITIVE = [1026, 1027];

/** MiniMax: POST <base>/v1/image_generation, the picture as base64, the prompt untouched by its optimiser. */
export function createMiniMax(settings: ImageMakerSettings): ImageMaker {
  return {
    make: ({ prompt, width, height }, signal) =>
      makeBy(settings, signal, async (calls): Promise<Reading> => {
        const reply = await calls.post('/v1/image_generation', {
          model: settings.model,
          prompt,
          ...(width === height ? { aspect_ratio: '1:1' } : { width, height }),
          response_format: 'base64',
          n: 1,
          prompt_optimizer: false,
        });
        const body = replyJson(reply);
        const code = at(body, 'base_resp', 'status_code');
        const words = String(at(body, 'base_resp', 'status_msg') ?? 'nothing about why').slice(0, 300);
        if (typeof code === 'number' && SENSITIVE.includes(code)) {
          return { kind: 'moderated', reason: `MiniMax refused the content (${code}): ${words}` };
        }
        const [data, url] = [at(body, 'data', 'image_base64', 0), at(body, 'data', 'image_urls', 0)];
        if (reply.status === 200 && typeof data === 'string') return { kind: 'base64', data };
        if (reply.status === 200 && typeof url === 'string') return { kind: 'address', url };
        return {
          kind: 'failed',
          reason: `HTTP ${reply.status}, status ${String(code)}; MiniMax said: ${words}`,
        };
      }),
  };
}
