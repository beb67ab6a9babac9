import { PixelproofError } from '../../../src/errors';
import { ApngWriter } from '../../../src/pixels/apng';
import { encodePng } from '../../../src/pixels/png-encode';
import type { Recording, RecordingKind } from '../../atari-api';
import { FRAME_RATE } from './pacer';

/** RGB rows. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A picture of the console, rows of 160 pixels. Both forms are live until the next frame. */
export interface Shot extends Picture {
  /** Colour register values. */
  readonly indexed: Uint8Array<ArrayBuffer>;
}

export interface Recorder {
  readonly kind: RecordingKind;
  readonly frames: number;
  /** True while it lags behind: the caller waits for `settled` before it gives more. */
  readonly busy: boolean;
  add(shot: Shot): void;
  settled(): Promise<void>;
  finish(): Promise<Recording>;
}

/** Two minutes of lossless frames, which stay in memory until the end. */
export const VIEWING_FRAMES = 7200;
/** Frames that may wait for the video encoder; each is 800 KB. */
const WAITING = 8;
// Console pixels are about twice as wide as high; whole multiples keep edges sharp under 4:2:0 colour.
const SCALE_X = 4;
const SCALE_Y = 2;

/** A viewing copy keeps every pixel: an animated PNG of the frames as they are. Stops taking frames after two minutes. */
export function apngRecorder(): Recorder {
  const [seconds, per] = [1000, Math.round(FRAME_RATE * 1000)];
  const writer = new ApngWriter(seconds, per);
  return {
    kind: 'apng',
    get frames() {
      return writer.frames;
    },
    busy: false,
    add(shot) {
      if (writer.frames < VIEWING_FRAMES) writer.add(encodePng(shot));
    },
    settled: async () => undefined,
    async finish() {
      if (writer.frames === 0) throw nothingRecorded();
      return { kind: 'apng', bytes: writer.finish(), frames: writer.frames };
    },
  };
}

/**
 * A video by the browser's own encoder; its bytes depend on the browser. `width` and `scale` are for pictures of several
 * screens. Throws `recording_unsupported`.
 */
export async function webmRecorder(
  height: number,
  width = 160,
  scale: { readonly x: number; readonly y: number } = { x: SCALE_X, y: SCALE_Y },
): Promise<Omit<Recorder, 'add'> & { add(picture: Picture): void }> {
  const {
    BufferTarget,
    canEncodeVideo,
    Output,
    QUALITY_VERY_HIGH,
    VideoSample,
    VideoSampleSource,
    WebMOutputFormat,
  } = await import('mediabunny');
  const size = { width: width * scale.x, height: height * scale.y };
  const codec = (await canEncodeVideo('vp9', size))
    ? 'vp9'
    : (await canEncodeVideo('vp8', size))
      ? 'vp8'
      : null;
  if (codec === null) {
    throw new PixelproofError('recording_unsupported', 'This browser does not encode WebM video.', {
      expected: 'WebCodecs with VP9 or VP8',
      got: typeof VideoEncoder === 'undefined' ? 'no WebCodecs' : 'neither codec',
    });
  }
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new VideoSampleSource({ codec, bitrate: QUALITY_VERY_HIGH, latencyMode: 'quality' });
  output.addVideoTrack(source, { frameRate: FRAME_RATE });
  await output.start();
  let frames = 0;
  let waiting = 0;
  let failure: unknown = null;
  let last: Promise<void> = Promise.resolve();
  return {
    kind: 'webm',
    get frames() {
      return frames;
    },
    get busy() {
      return waiting >= WAITING;
    },
    add(shot) {
      const sample = new VideoSample(enlarged(shot, scale), {
        format: 'RGBX',
        codedWidth: size.width,
        codedHeight: size.height,
        timestamp: frames / FRAME_RATE,
        duration: 1 / FRAME_RATE,
      });
      frames += 1;
      waiting += 1;
      last = last
        .then(() => source.add(sample))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          sample.close();
          waiting -= 1;
        });
    },
    settled: () => last,
    async finish() {
      await last;
      if (failure !== null) {
        await output.cancel();
        throw new PixelproofError('recording_failed', 'The browser’s video encoder stopped.', {
          cause: failure,
        });
      }
      if (frames === 0) {
        await output.cancel();
        throw nothingRecorded();
      }
      await output.finalize();
      if (target.buffer === null) throw new PixelproofError('recording_failed', 'The video has no bytes.');
      return { kind: 'webm', bytes: new Uint8Array(target.buffer), frames };
    },
  };
}

export function nothingRecorded(): PixelproofError {
  return new PixelproofError('recording_empty', 'No frame was run while recording.');
}

/** Each pixel as a block of `scale`, RGBX. */
function enlarged(
  { width, height, data }: Picture,
  scale: { x: number; y: number },
): Uint8Array<ArrayBuffer> {
  const row = width * scale.x;
  const words = new Uint32Array(row * height * scale.y);
  for (let y = 0; y < height; y += 1) {
    const at = y * scale.y * row;
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      const word =
        0xff000000 | ((data[from + 2] ?? 0) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from] ?? 0);
      words.fill(word, at + x * scale.x, at + (x + 1) * scale.x);
    }
    for (let copy = 1; copy < scale.y; copy += 1) words.copyWithin(at + copy * row, at, at + row);
  }
  return new Uint8Array(words.buffer);
}
