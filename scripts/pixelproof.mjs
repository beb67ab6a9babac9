#!/usr/bin/env node
// The command line's door: builds the engine when it is missing or older than its sources, then hands over.
// Everything said on the way goes to stderr; stdout belongs to the command.
import { buildCli } from './build.mjs';

await buildCli();
const { main } = await import('../build/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
