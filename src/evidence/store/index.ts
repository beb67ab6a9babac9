// What the page, the workers and the command line use of the store. The browser's own is in indexeddb/open.ts.
export { MemoryStore } from './memory';
export { storedRun } from './source';
export type { CaseQuery, NewRun, Page, RunQuery, RunStore, StoreEvent, Tally, Usage } from './store';
