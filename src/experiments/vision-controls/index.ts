export { visionControls } from './experiment';
export { bareVisionHost, type VisionHost } from './host';
export { requirePictures } from './materialise';
export { type VisionPlan } from './plan';
export { BLIND_PROBABILITY } from './protocol';
export { REPLAY_DESCRIPTION, recordedExchange } from './replay';
export { scriptedAnswers } from './scripted';
