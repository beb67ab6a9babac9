import { decodePng } from '../../src/pixels/decode/png';
import {
  ARCADE_READER,
  ARCADE_READER_CARD,
  ARCADE_READER_MODEL,
} from '../../src/providers/in-page/arcade-reader-card';
import { ClassifierProvider } from '../../src/providers/in-page/classifier';
import { pageModelHost } from '../../workers/engine/model-host';

// arcade-reader over a pack of pictures, by the provider and the nested worker of the site. Posts one ReaderFigures a
// message; a message names the address of the model and of the pack.

export interface ReaderFigures {
  readonly images: number;
  readonly seconds: number;
  /** One line a picture: tank, target, cooldown, as said. */
  readonly said: string;
}

const { signal } = new AbortController();
const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

self.addEventListener('message', ({ data }: MessageEvent<{ model: string; pack: string }>) => {
  measured(data.model, data.pack).then(
    (figures) => self.postMessage(figures),
    (error: unknown) => self.postMessage(String(error)),
  );
});

async function measured(modelUrl: string, packUrl: string): Promise<ReaderFigures> {
  const model = await bytesOf(modelUrl);
  const pictures = unpacked(await bytesOf(packUrl));
  const reader = new ClassifierProvider({
    id: ARCADE_READER,
    model: ARCADE_READER_MODEL,
    host: pageModelHost,
    decode: decodePng,
    load: async () => ({ bytes: model, card: ARCADE_READER_CARD }),
    sha256: null,
  });
  await reader.start(signal);
  const ask = async (image: Uint8Array<ArrayBuffer>): Promise<string> => {
    const question = { image, mediaType: 'image/png', prompt: '', promptMode: 'unlabelled' } as const;
    const { reply_text } = await reader.readImage(question, { signal, record: () => {} });
    return (reply_text ?? '')
      .split('\n')
      .slice(0, 3)
      .map((line) => line.split(': ')[1])
      .join(' ');
  };
  for (const picture of pictures.slice(0, 50)) await ask(picture);
  const began = performance.now();
  const said: string[] = [];
  for (const picture of pictures) said.push(await ask(picture));
  const seconds = (performance.now() - began) / 1000;
  await reader.close();
  return { images: pictures.length, seconds, said: said.join('\n') };
}

// What is sent before this module has loaded is lost.
self.postMessage('ready');

/** A length of four bytes, big-endian, before each picture. */
function unpacked(pack: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const found: Uint8Array<ArrayBuffer>[] = [];
  const view = new DataView(pack.buffer);
  for (let at = 0; at < pack.length; ) {
    const length = view.getUint32(at);
    found.push(pack.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}
