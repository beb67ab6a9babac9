export { csvColumns, csvHeader, csvRow } from './csv';
export { type Definition, parseDefinition } from './definition';
export { FROZEN } from './protocol';
export { failedRecord, measureFile, recordJson, type SignalRecord } from './record';
