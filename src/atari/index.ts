export { ACTIONS } from './actions';
export { readCartridge } from './cartridge';
export { Console } from './console';
export { frameDigest, type Sha256 } from './digest';
export { GAME_NAMES, type Game, gameNamed } from './games';
export { compareTrace, recordTrace, type TraceRequest } from './trace';
export { readTrace } from './trace-form';
