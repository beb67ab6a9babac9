// `npm run lighthouse`: the built site under a sub-path, looked at by Lighthouse as a phone and as a desktop. The exit
// code is about accessibility, best practices and SEO; performance is printed, because it depends on the machine's load.
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { createGzip } from 'node:zlib';
import { findBrowser } from './browser.mjs';
import { buildSite } from './build.mjs';
import { root, run, say } from './lib.mjs';
import { TYPES } from './serve.mjs';

/** Lighthouse 13 asks for Node 22. It is not among the dependencies: 111 MB for a report that is made now and then. */
const LIGHTHOUSE = 'lighthouse@12.2.3';
const PAGES = [
  '',
  '#/png-representation',
  '#/pong-controls',
  '#/vision-controls',
  '#/image-signals',
  '#/evidence',
  'examples.html',
  'verifier.html',
  'embed.html?experiment=png-representation&run=replay',
];
/** Debian's Chromium asks for a GPU to paint also where there is none; emulated, it takes the processor from the page. */
const FLAGS = [
  '--headless=new',
  '--disable-gpu-rasterization',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const LEAST = 95;
/**
 * A demo's frame tells search engines to stay away: what is found should be the site. The verifier's policy refuses every
 * request, so Lighthouse cannot read a robots.txt from it.
 */
const NOT_FOR_SEARCH = /^(embed|verifier)\.html/;
const BASE = '/tools/lab/';

/** As a static host serves it: text compressed, and below a path. */
function serveCompressed(folder) {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    let file = normalize(join(folder, decodeURIComponent(path.slice(BASE.length))));
    if (!path.startsWith(BASE) || !(file + sep).startsWith(normalize(folder + sep)))
      return response.writeHead(404).end();
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const compressed = /text|javascript|json|svg/.test(type);
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'max-age=600',
      ...(compressed ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : {}),
    });
    const bytes = createReadStream(file);
    (compressed ? bytes.pipe(createGzip()) : bytes).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** One visit with an empty profile; the scores by category, 0 to 100, and the audits that cost points. */
async function visit(url, preset, browser, file) {
  const code = await run(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      ...(preset === 'desktop' ? ['--preset=desktop'] : []),
      `--chrome-flags=${FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: browser } },
  );
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} on ${url}.`);
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
  const scores = Object.fromEntries(
    CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]),
  );
  const lost = Object.values(categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter(({ id: audit, weight }) => weight > 0 && (audits[audit].score ?? 1) < 0.9)
      .map(({ id: audit }) => `${id}: ${audits[audit].title} ${audits[audit].displayValue ?? ''}`),
  );
  return { scores, lost };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const browser = await findBrowser();
if (browser === null) throw new Error('No Chromium was found; set CHROMIUM_PATH.');
await buildSite();
const rounds = Number(process.env.ROUNDS ?? 3);
const only = process.argv.slice(2);
const reports = join(root, 'build/reports/lighthouse');
mkdirSync(reports, { recursive: true });
const server = await serveCompressed(join(root, 'dist'));
const rows = [];
let low = 0;
for (const preset of ['mobile', 'desktop']) {
  for (const page of PAGES.filter((each) => only.length === 0 || only.includes(each))) {
    const visits = [];
    for (let round = 0; round < rounds; round++) {
      const name = `${preset}-${page.replace(/\W+/g, '-') || 'home'}-${round}.json`;
      const url = `http://127.0.0.1:${server.address().port}${BASE}${page}`;
      visits.push(await visit(url, preset, browser, join(reports, name)));
    }
    const score = (id) => median(visits.map(({ scores }) => scores[id]));
    rows.push(`| \`./${page}\` | ${preset} | ${CATEGORIES.map(score).join(' | ')} |`);
    say(rows.at(-1));
    for (const lost of new Set(visits.flatMap(({ lost }) => lost))) say(`    ${lost}`);
    for (const id of CATEGORIES.slice(1)) {
      if (id === 'seo' && NOT_FOR_SEARCH.test(page)) continue;
      if (score(id) < LEAST) low += 1;
    }
  }
}
server.close();
console.log(
  [
    '| page | as | performance | accessibility | best practices | SEO |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n'),
);
console.log(
  low === 0 ? `Everything but performance is at least ${LEAST}.` : `${low} scores are below ${LEAST}.`,
);
process.exitCode = low === 0 ? 0 : 1;
