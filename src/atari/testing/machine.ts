import * as layout from '../../../wasm/atari/layout';
import { SCHEME_NUMBERS, type Scheme } from '../cartridge';
import { type Core, createCore } from '../core';

/** A bare machine with an image in it under a given scheme, powered, joysticks in both jacks, NTSC. */
export async function machineWith(rom: Uint8Array, scheme: Scheme): Promise<Core> {
  const core = await createCore();
  core.bytes.set(rom, layout.ROM);
  core.calls.load_cartridge(SCHEME_NUMBERS[scheme], rom.length);
  core.calls.configure(34, 210, 1, layout.CONTROLLER_JOYSTICK, layout.CONTROLLER_JOYSTICK, 0, 0, 790196);
  core.calls.set_switches(0x3f);
  core.calls.power_on();
  core.calls.set_format(0);
  core.calls.reset_console();
  return core;
}
