// `node scripts/schemas.mjs`: writes public/schemas/ and the table of docs/schemas.md from the forms in schemas/. A test
// compares both with the forms, so neither is ever stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './lib.mjs';

const { module } = await runnerImport(join(root, 'schemas/main.ts'), { root, logLevel: 'warn' });
for (const [file, text] of module.schemaFiles())
  if (text !== null) writeFileSync(join(root, 'public/schemas', file), text);
const page = join(root, 'docs/schemas.md');
writeFileSync(page, module.withTable(readFileSync(page, 'utf8')));
