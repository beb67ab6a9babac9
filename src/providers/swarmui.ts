import { at, type ImageMaker, type ImageMakerSettings, makeBy, type Reading, replyJson } from './image-maker';

/**
 * SwarmUI: a session first, then one picture in it (docs/API.md of the project: GetNewSession, GenerateText2Image). The
 * picture is asked for as a data address; a server that saves it first names a path, which is fetched.
 */
export function createSwarmUi(settings: ImageMakerSettings): ImageMaker {
  return {
    make: ({ prompt, width, height }, signal) =>
      makeBy(settings, signal, async (calls): Promise<Reading> => {
        const session = replyJson(await calls.post('/API/GetNewSession', {}));
        const session_id = at(session, 'session_id');
        if (typeof session_id !== 'string') return failed('no session', session);
        const reply = replyJson(
          await calls.post('/API/GenerateText2Image', {
            session_id,
            images: 1,
            prompt,
            model: settings.model,
            width,
            height,
            seed: -1,
            donotsave: true,
          }),
        );
        const image = at(reply, 'images', 0);
        if (typeof image !== 'string') return failed('no picture', reply);
        const data = /^data:[^,]*;base64,(.*)$/s.exec(image)?.[1];
        if (data !== undefined) return { kind: 'base64', data };
        return { kind: 'address', url: new URL(image, `${settings.baseUrl.replace(/\/+$/, '')}/`).href };
      }),
  };
}

function failed(what: string, reply: unknown): Reading {
  const words = at(reply, 'error') ?? at(reply, 'error_id') ?? 'nothing about why';
  return { kind: 'failed', reason: `SwarmUI gave ${what}; it said: ${String(words).slice(0, 300)}` };
}
