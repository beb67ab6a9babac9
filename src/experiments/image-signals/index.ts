export { CONVENTIONS, type Convention } from './bounds';
export {
  advance,
  attemptsOf,
  CELL_STATES,
  type Cell,
  type CellState,
  type CellStep,
  startCells,
  stateOf,
} from './cells';
export { csvColumns, csvHeader, csvRow } from './csv';
export { type Definition, type DefinitionFile, parseDefinition } from './definition';
export { imageSignals } from './experiment';
export { bareHost, type SignalsHost } from './host';
export { mediaType } from './judge';
export { BLOBS, masksOf } from './masks';
export { type MatrixPlan, planMatrix, verifyPrompt } from './matrix-plan';
export { type ArmSummary, summarise } from './matrix-report';
export {
  ARMS,
  CANVAS,
  CELL,
  FROZEN,
  NON_CLAIMS,
  PROMPT,
  PROMPT_SHA256,
  RUBRIC,
} from './protocol';
export {
  failedRecord,
  measureFile,
  measureImage,
  type SignalRecord,
} from './record';
export { recordJson } from './record-json';
export { addReview, agreements, mayReveal, SCORES } from './review';
export { drawScene, LAYOUTS } from './scene';
export { sceneFile } from './scene-file';
export { planSignals } from './signals';
