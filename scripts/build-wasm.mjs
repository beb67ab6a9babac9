// Compiles every wasm/<name>/index.ts to wasm/build/<name>.wasm and wraps it in an environment-neutral module
// wasm/build/<name>.js, so that a window, a worker, Node and a test load the same bytes without any host's help.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../', import.meta.url));
const out = join(root, 'wasm/build');

// Decoders that others keep, compiled by them: wrapped like our own, so that every host loads the same bytes.
const VENDORED = {
  'libjpeg-turbo': '@cornerstonejs/codec-libjpeg-turbo-8bit/dist/libjpegturbowasm_decode.wasm',
};

const FLAGS = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--converge',
  '--enable',
  'simd',
  '--enable',
  'bulk-memory',
];

export async function buildWasm({ force = false } = {}) {
  mkdirSync(out, { recursive: true });
  const names = readdirSync(join(root, 'wasm'), { withFileTypes: true })
    .filter(
      (d) => d.isDirectory() && d.name !== 'build' && existsSync(join(root, 'wasm', d.name, 'index.ts')),
    )
    .map((d) => d.name)
    .sort();
  for (const name of names) {
    const stamp = join(out, `${name}.inputs`);
    const inputs = digestOfSources(join(root, 'wasm', name));
    if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) continue;
    const bytes = await compile(name);
    writeFileSync(join(out, `${name}.wasm`), bytes);
    wrap(name, bytes, `Built from wasm/${name}.`);
    writeFileSync(stamp, inputs);
    console.error(`wasm/${name}: ${bytes.length} bytes`);
  }
  for (const [name, path] of Object.entries(VENDORED)) {
    const bytes = readFileSync(join(root, 'node_modules', path));
    const stamp = join(out, `${name}.inputs`);
    const inputs = createHash('sha256').update(bytes).digest('hex');
    if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) continue;
    wrap(name, bytes, `From ${path}.`);
    writeFileSync(stamp, inputs);
  }
}

function wrap(name, bytes, origin) {
  writeFileSync(
    join(out, `${name}.js`),
    `/* ${origin} */\nexport const wasmBase64 =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
  );
  writeFileSync(join(out, `${name}.d.ts`), 'export declare const wasmBase64: string;\n');
}

export async function compile(name) {
  const file = `${name}.wasm`;
  let binary = null;
  const { error, stderr } = await asc.main([`wasm/${name}/index.ts`, ...FLAGS, '--outFile', file], {
    baseDir: root,
    writeFile: (path, contents) => {
      if (path === file) binary = contents;
    },
    readFile: (path, base) => {
      const full = join(base ?? root, path);
      return existsSync(full) ? readFileSync(full, 'utf8') : null;
    },
  });
  if (error || binary === null)
    throw new Error(`wasm/${name} does not compile:\n${stderr.toString()}${error ?? ''}`);
  return binary;
}

function digestOfSources(folder) {
  const hash = createHash('sha256').update(FLAGS.join(' '));
  for (const file of readdirSync(folder, { recursive: true }).sort()) {
    const full = join(folder, file);
    if (statSync(full).isFile() && full.endsWith('.ts') && !full.endsWith('.test.ts'))
      hash.update(file).update(readFileSync(full));
  }
  hash.update(readFileSync(join(root, 'node_modules/assemblyscript/package.json')));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildWasm({ force: process.argv.includes('--force') });
