import type { Fact } from '../../../src/lab/self-check/report';

/** The console's picture as a film has it: 160 x 210, four times as wide, twice as high. */
const SIZE = { width: 640, height: 420, bitrate: 2_000_000, framerate: 60 };
const CODECS = [
  ['VP9', 'vp09.00.31.08'],
  ['VP8', 'vp8'],
  ['AV1', 'av01.0.05M.08'],
  ['H.264', 'avc1.42E01F'],
] as const;
/** A film is WebM with one of these. */
const NEEDED = ['VP9', 'VP8'];

/** Which video codecs this browser encodes. */
export async function videoFact(): Promise<Fact> {
  const encoder: typeof VideoEncoder | undefined = globalThis.VideoEncoder;
  const codecs: string[] = [];
  for (const [name, codec] of encoder === undefined ? [] : CODECS) {
    const answer = await encoder?.isConfigSupported({ codec, ...SIZE }).catch(() => null);
    if (answer?.supported === true) codecs.push(name);
  }
  return {
    id: 'video',
    state: codecs.some((name) => NEEDED.includes(name)) ? 'yes' : 'no',
    value: codecs,
    says: codecs.length === 0 ? 'none' : codecs.join(', '),
  };
}
