export { ACTIONS, type ActionName, FULL_ACTION_SET } from './actions';
export { type Cartridge, readCartridge, type Scheme } from './cartridge';
export { Console, type ConsoleOptions, type StepResult } from './console';
export { type FrameDigest, frameDigest, platformSha256, type Sha256 } from './digest';
export { GAME_NAMES, type Game, gameNamed } from './games';
export { type MachineView, type Register, TIA_GROUPS } from './machine-view';
export { type Press, Rewind } from './rewind';
export { compareTrace, recordTrace, type TraceComparison, type TraceRequest } from './trace';
export { readTrace, type Trace } from './trace-form';
