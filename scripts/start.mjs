// `npm start`: install, build, serve the built site on a free port, print the address.
import { join } from 'node:path';
import { buildSite } from './build.mjs';
import { root } from './lib.mjs';
import { serve } from './serve.mjs';

await buildSite();
const wanted = Number(process.env.PORT ?? 0);
const { url } = await serve({ folder: join(root, 'dist'), port: wanted });
console.log(`Pixelproof is at ${url}   (Ctrl+C stops it)`);
