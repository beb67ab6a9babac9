export { ACTIONS } from './actions';
export { readCartridge } from './cartridge';
export { Console } from './console';
export { type FrameDigest, frameDigest, type Sha256 } from './digest';
export { GAME_NAMES, type Game, gameNamed } from './games';
export type { MachineView } from './machine-view';
export { type Press, Rewind } from './rewind';
export { compareTrace, recordTrace, type TraceComparison, type TraceRequest } from './trace';
export { readTrace } from './trace-form';
