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
export { type ArmSummary, type SignalSummary, summarise } from './matrix-report';
export {
  ARMS,
  type Arm,
  CANVAS,
  CELL,
  FROZEN,
  NON_CLAIMS,
  PROMPT,
  PROMPT_SHA256,
  RUBRIC,
  type RubricItem,
} from './protocol';
export {
  failedRecord,
  type MeasuredRecord,
  measureFile,
  measureImage,
  type SignalRecord,
} from './record';
export { recordJson } from './record-json';
export { type Agreement, addReview, agreements, mayReveal, type Review, SCORES, type Score } from './review';
export { drawScene, LAYOUTS, type Layout } from './scene';
export { sceneFile } from './scene-file';
export { planSignals, type Signals, type SignalValue } from './signals';
