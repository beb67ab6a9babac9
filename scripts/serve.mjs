// A static file server for the built site: `npm start` and the browser tests use it. Serves one folder under a
// base path, GET and HEAD only, on the loopback interface.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { extname, join, normalize, sep } from 'node:path';

export const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
};

/** Resolves with { url, close }. `port` 0 takes a free one; `tls`, a key and a certificate, makes it https. */
export function serve({ folder, base = '/', port = 0, headers = {}, tls = null }) {
  const answer = (request, response) => {
    const path = decode((request.url ?? '/').split('?')[0]);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(response, 405, 'Method not allowed');
    if (path === null || !path.startsWith(base)) return end(response, 404, 'Not found');
    const inside = normalize(join(folder, path.slice(base.length)));
    if (inside !== normalize(folder) && !inside.startsWith(normalize(folder + sep)))
      return end(response, 404, 'Not found');
    let file = inside;
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) return end(response, 404, 'Not found');
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      'cache-control': 'no-cache',
      ...headers,
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(file).pipe(response);
  };
  const server = tls === null ? createServer(answer) : createSecureServer(tls, answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${address.port}${base}`,
        close: () => new Promise((done) => server.close(done)),
      });
    });
  });
}

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function end(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
