export { withTable } from './table';
export { schemaFiles } from './write';
