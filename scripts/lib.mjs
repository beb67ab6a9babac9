// What the other scripts share. Only Node's own modules here: these run before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

export const say = (text) => console.error(text);

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Pixelproof needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

/** Runs a command with the terminal's own output; resolves with the exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: onWindows, ...options });
    child.on('error', (error) => {
      say(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

const onWindows = process.platform === 'win32';

/** A tool of node_modules/.bin. */
export const bin = (name) => join(root, 'node_modules/.bin', onWindows ? `${name}.cmd` : name);

/**
 * Installs the locked packages when they are not there or belong to another lock file. The stamp makes the second
 * `npm start` quick; a half-finished install leaves no stamp and is done again.
 */
export async function ensureInstalled() {
  requireNode();
  const stamp = join(root, 'node_modules/.pixelproof-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages (once)…');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    say('npm ci failed. Check the network and the npm registry, then try again.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** Digest of everything a build depends on, so that an unchanged tree is not built twice. */
export function digestOfInputs(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const full = join(root, path);
    if (!existsSync(full)) continue;
    const files = statSync(full).isDirectory()
      ? readdirSync(full, { recursive: true }).map((f) => join(path, f))
      : [path];
    for (const file of files.sort()) {
      if (file.includes('wasm/build')) continue;
      const stat = statSync(join(root, file));
      if (stat.isFile())
        hash
          .update(file)
          .update('\0')
          .update(readFileSync(join(root, file)));
    }
  }
  return hash.digest('hex');
}

/** Runs `make` unless the outputs of the same inputs are already there. */
export async function ifChanged(name, inputs, output, make) {
  const stamp = join(root, 'build', `${name}.inputs`);
  const digest = digestOfInputs(inputs);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  await make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

/** True when a command exists and answers. */
export const answers = (command, args = ['--version']) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A port of the loopback interface that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
