import { afterEach, describe, expect, it, vi } from 'vitest';
import { cartridgeOf, fixture } from '../../../fixtures/atari/read';
import { paddleRom } from '../../../fixtures/cartridge/read';
import { gameNamed } from '../../../src/atari';
import { Episode } from './episode';
import { webmRecorder } from './recorder';
import { Session } from './session';

const START = { game: null, seed: 0, sticky: 0 };
const code = (value: string) => expect.objectContaining({ code: value });
const image = (name: string) => cartridgeOf(fixture<{ rom_base64: string }>(`selftest-${name}.json`));

afterEach(() => vi.doUnmock('mediabunny'));

describe('a console without a cartridge', () => {
  it('refuses everything that needs one with atari_no_cartridge', async () => {
    const session = new Session();
    for (const ask of [
      () => session.console,
      () => session.step(1),
      () => session.back(1),
      () => session.run(1),
      () => session.screenshot(),
      () => session.restore(new Uint8Array(100)),
    ]) {
      expect(ask).toThrow(code('atari_no_cartridge'));
    }
    await expect(session.record('gif')).rejects.toEqual(code('atari_no_cartridge'));
  });
});

describe('what is refused leaves the running episode as it was', () => {
  async function running(): Promise<Session> {
    const session = new Session();
    await session.begin(image('cpu-1'), { ...START, sticky: 0.25 });
    session.press(3);
    session.step(40);
    return session;
  }

  it.each([
    ['atari_rom_empty', new Uint8Array(0)],
    ['atari_rom_odd_size', new Uint8Array(3000)],
    ['atari_rom_too_large', new Uint8Array(40_000)],
    ['atari_rom_unsupported', new Uint8Array(8448)],
    ['atari_no_frame', new Uint8Array(4096).fill(0x02)],
  ])('an image: %s', async (expected, rom) => {
    const session = await running();
    const before = session.console.snapshot();
    await expect(session.begin(rom, START)).rejects.toEqual(code(expected));
    expect(Buffer.from(before).equals(session.console.snapshot())).toBe(true);
    session.step(1);
    expect(session.console.frameNumber).toBe(41);
    expect(session.console.appliedAction).toBe(3);
  });

  it('a start, an action, a speed and a saved state', async () => {
    const session = await running();
    const before = session.console.snapshot();
    const other = new Session();
    await other.begin(image('cpu-2'), START);
    const { rom } = session.console.cartridge;
    await expect(session.begin(rom, { ...START, sticky: 2 })).rejects.toEqual(
      code('atari_sticky_out_of_range'),
    );
    await expect(session.begin(rom, { ...START, seed: -1 })).rejects.toEqual(code('atari_seed_out_of_range'));
    for (const action of [-1, 18, 40, 2.5, Number.NaN]) {
      expect(() => session.press(action)).toThrow(code('atari_action_out_of_range'));
    }
    for (const speed of [0, 17, -17, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => session.run(speed)).toThrow(code('atari_speed_out_of_range'));
    }
    expect(() => session.restore(other.console.snapshot())).toThrow(code('atari_snapshot_rom'));
    expect(() => session.restore(before.with(4, 99))).toThrow(code('atari_snapshot_version'));
    expect(() => session.restore(before.subarray(0, 999))).toThrow(code('atari_snapshot_invalid'));
    expect(Buffer.from(before).equals(session.console.snapshot())).toBe(true);
  });
});

describe('the log of an episode', () => {
  it('that has become longer than it may is refused with atari_log_full; a new start has one again', async () => {
    const episode = await Episode.begin(paddleRom, START, 10);
    for (let frame = 0; frame < 10; frame += 1) episode.forward(2);
    expect(JSON.parse(await episode.digestLog(() => undefined)).frames).toBe(10);
    episode.forward(2);
    await expect(episode.digestLog(() => undefined)).rejects.toEqual(code('atari_log_full'));
    episode.restore(episode.console.snapshot());
    episode.forward(2);
    expect(JSON.parse(await episode.digestLog(() => undefined)).frames).toBe(1);
  });
});

describe('recordings', () => {
  it('nothing recorded is recording_empty', async () => {
    const session = new Session();
    await session.begin(paddleRom, { ...START, game: gameNamed('pong')?.name ?? null });
    await expect(session.endRecording()).rejects.toEqual(code('recording_empty'));
    for (const kind of ['gif', 'apng'] as const) {
      await session.record(kind);
      await expect(session.endRecording()).rejects.toEqual(code('recording_empty'));
    }
  });

  it('where there is no video encoder, recording_unsupported, and the recording before goes on', async () => {
    const session = new Session();
    await session.begin(paddleRom, START);
    await session.record('gif');
    session.step(3);
    await expect(session.record('webm')).rejects.toEqual(code('recording_unsupported'));
    session.step(1);
    expect((await session.endRecording()).frames).toBe(4);
  });

  it.each([
    ['that stops', async () => Promise.reject(new Error('out of memory'))],
    ['that gives no bytes', async () => undefined],
  ])('an encoder %s is recording_failed', async (_, add) => {
    vi.resetModules();
    vi.doMock('mediabunny', () => ({
      BufferTarget: class {
        buffer = null;
      },
      canEncodeVideo: async () => true,
      Output: class {
        addVideoTrack(): void {}
        async start(): Promise<void> {}
        async cancel(): Promise<void> {}
        async finalize(): Promise<void> {}
      },
      QUALITY_VERY_HIGH: {},
      VideoSample: class {
        close(): void {}
      },
      VideoSampleSource: class {
        add = add;
      },
      WebMOutputFormat: class {},
    }));
    const recorder = await webmRecorder(2);
    const data = new Uint8Array(160 * 2 * 3);
    recorder.add({ width: 160, height: 2, data });
    await expect(recorder.finish()).rejects.toEqual(code('recording_failed'));
  });
});
