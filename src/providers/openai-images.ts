import { at, type ImageMaker, type ImageMakerSettings, makeBy, type Reading, replyJson } from './image-maker';

/** Error codes by which a service says that it refuses the content. */
const MODERATED = ['moderation_blocked', 'content_policy_violation', 'content_filter'];

/** An OpenAI-compatible images end point: POST <base>/images/generations, one picture, medium quality. */
export function createOpenAiImages(settings: ImageMakerSettings): ImageMaker {
  return {
    make: ({ prompt, width, height }, signal) =>
      makeBy(settings, signal, async (calls): Promise<Reading> => {
        const reply = await calls.post('/images/generations', {
          model: settings.model,
          prompt,
          n: 1,
          size: `${width}x${height}`,
          quality: 'medium',
        });
        const body = replyJson(reply);
        const error = at(body, 'error');
        if (reply.status !== 200 || error !== undefined) {
          const codes = [at(error, 'code'), at(error, 'type')].map(String);
          const kind = codes.some((code) => MODERATED.includes(code)) ? 'moderated' : 'failed';
          const words = String(at(error, 'message') ?? 'nothing about why').slice(0, 300);
          return { kind, reason: `HTTP ${reply.status}; the service said: ${words}` };
        }
        const [data, url] = [at(body, 'data', 0, 'b64_json'), at(body, 'data', 0, 'url')];
        if (typeof data === 'string') return { kind: 'base64', data };
        if (typeof url === 'string') return { kind: 'address', url };
        return { kind: 'failed', reason: 'The reply holds no picture.' };
      }),
  };
}
