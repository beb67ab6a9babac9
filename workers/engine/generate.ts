import { PixelproofError } from '../../src/errors';
import { sha256Large } from '../../src/evidence/identity/sha256';
import { CANVAS, mediaType, PROMPT, verifyPrompt } from '../../src/experiments/image-signals';
import { requireBaseUrl } from '../../src/providers/base-url';
import type { ImageMaker, ImageMakerSettings } from '../../src/providers/image-maker';
import { createMiniMax } from '../../src/providers/minimax';
import { createOpenAiImages } from '../../src/providers/openai-images';
import { usableKey } from '../../src/providers/secret';
import { createSwarmUi } from '../../src/providers/swarmui';
import type { Generated, GenerateRequest } from '../api';

const MAKERS: ReadonlyMap<string, (settings: ImageMakerSettings) => ImageMaker> = new Map([
  ['swarmui', createSwarmUi],
  ['openai-images', createOpenAiImages],
  ['minimax', createMiniMax],
]);

/** Asks for one picture of the frozen prompt, byte for byte as published. Throws `prompt_altered`, and `provider_settings` for an
 * address or a key that cannot be used. */
export async function generateImage(request: GenerateRequest, signal: AbortSignal): Promise<Generated> {
  verifyPrompt();
  const settings = {
    ...request,
    baseUrl: requireBaseUrl(request.baseUrl),
    key: usableKey(request.key) ?? '',
  };
  const make = MAKERS.get(request.provider);
  if (make === undefined)
    throw new PixelproofError('provider_unknown', 'Nobody of this name draws.', { got: request.provider });
  const made = await make(settings).make({ prompt: PROMPT, ...CANVAS }, signal);
  const { outcome, reason, exchanges, image } = made;
  if (image === null) return { outcome, reason, exchanges, file: null };
  const sha256 = (await sha256Large(image)).slice('sha256:'.length);
  const type = mediaType(image);
  const end = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }[type] ?? 'bin';
  const name = `${request.provider}-${sha256.slice(0, 12)}.${end}`;
  return { outcome, reason, exchanges, file: { name, blob: new Blob([image], { type }), sha256 } };
}
