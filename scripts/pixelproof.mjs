#!/usr/bin/env node
// The command line's door: builds the engine when it is missing or older than its sources, then hands over.
// Everything said on the way goes to stderr; stdout belongs to the command.
import { buildCli } from './build.mjs';

// A reader that has enough (`| head`) is no fault.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});

await buildCli();
const { main } = await import('../build/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
