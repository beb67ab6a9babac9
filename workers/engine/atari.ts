import { compareTrace, gameNamed, measureSpeed, readCartridge, readTrace } from '../../src/atari';
import { PixelproofError } from '../../src/errors';
import type { AtariApi, AtariStart, CartridgeView } from '../atari-api';
import { Session } from './atari/session';

const session = new Session();

export const api: AtariApi = {
  async load(rom, start) {
    const { known } = readCartridge(rom);
    await session.begin(rom, start ?? { game: suggested(known?.rules ?? null), seed: 0, sticky: 0 });
    return cartridgeView();
  },
  async restart(start: AtariStart) {
    await session.begin(session.console.cartridge.rom, start);
    return cartridgeView();
  },

  async watch(onFrame, digests) {
    session.watch({ onFrame, digests });
  },
  async unwatch() {
    session.watch(null);
  },

  async press(action) {
    session.press(action);
  },
  async hold(held) {
    session.hold(held);
  },
  async run(speed) {
    session.run(speed);
  },
  async pause() {
    session.pause();
  },
  async step(frames) {
    session.step(frames);
  },
  async back(frames) {
    session.back(frames);
  },

  async save() {
    return session.console.snapshot();
  },
  async restore(state) {
    session.restore(state);
  },

  async screenshot() {
    return session.screenshot();
  },
  record: (kind) => session.record(kind),
  endRecording: () => session.endRecording(),

  digestLog: (onProgress) => session.episode.digestLog(onProgress),
  async compare(text) {
    return compareTrace(session.console.cartridge.rom, readTrace(parsed(text)));
  },
  measure: (frames) => measureSpeed(session.console.cartridge.rom, frames, () => performance.now()),
};

/** Rules whose name is the image's own. */
function suggested(name: string | null): string | null {
  return name === null ? null : (gameNamed(name)?.name ?? null);
}

function cartridgeView(): CartridgeView {
  const { cartridge, format, height, properties } = session.console;
  const { md5, scheme, rom, known } = cartridge;
  const name = known?.name ?? null;
  return {
    md5,
    scheme,
    size: rom.length,
    name,
    format,
    height,
    first_line: properties.ystart,
    paddles: properties.controller_left === 'PADDLES' || properties.controller_right === 'PADDLES',
    suggested_game: suggested(name),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PixelproofError('file_not_json', 'The file is not JSON.', { cause });
  }
}
