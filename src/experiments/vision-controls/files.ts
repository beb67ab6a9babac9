import { PixelproofError } from '../../errors';
import type { BundleFile } from '../../evidence/bundle/file';
import { canonicalJson } from '../../evidence/identity/canonical';
import type { JsonObject } from '../../evidence/identity/json';
import type { RunSource } from '../../runner/experiment';
import { markdownReport } from './markdown';
import { providerOf } from './materialise';
import { contentsOf, PICTURELESS_PROVIDERS, type VisionPlan } from './plan';
import { NON_CLAIMS } from './protocol';
import { receiptOf, receiptText } from './receipt';
import { reportJson, visionReport } from './report';

const utf8 = new TextEncoder();
const EXTENSIONS: { readonly [type: string]: string } = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The output tree, in a fixed order. Everything but the pictures follows from plan, cases and circumstances. */
export async function* outputFiles(source: RunSource<VisionPlan>): AsyncIterable<BundleFile> {
  const { plan } = source;
  const report = await visionReport(source);
  yield text('manifest.json', 'application/json', 'evidence', manifestTextOf(plan));
  yield text('receipt.json', 'application/json', 'circumstance', receiptText(await receiptOf(source)));
  yield text(
    'report.json',
    'application/json',
    'circumstance',
    `${canonicalJson(reportJson(plan, report))}\n`,
  );
  yield text('report.md', 'text/markdown', 'circumstance', markdownReport(plan, report, NON_CLAIMS));
  yield* pictures(source);
}

function manifestTextOf({ frozen }: VisionPlan): string {
  return String((frozen.fixture as JsonObject).manifest_text);
}

/** Where each picture lies: by place, because a file's own name comes from outside. None where nobody looked at any. */
export function* picturePaths(
  plan: VisionPlan,
): Iterable<{ readonly path: string; readonly sha256: string }> {
  if (PICTURELESS_PROVIDERS.includes(providerOf(plan))) return;
  for (const [index, { screenshot }] of contentsOf(plan).rows.entries()) {
    const end = EXTENSIONS[screenshot.mime_type] ?? 'bin';
    yield {
      path: `images/${String(index + 1).padStart(2, '0')}-${screenshot.sha256.slice(0, 12)}.${end}`,
      sha256: `sha256:${screenshot.sha256}`,
    };
  }
}

function* pictures({ plan, artifact }: RunSource<VisionPlan>): Iterable<BundleFile> {
  const types = new Map(
    contentsOf(plan).rows.map(({ screenshot }) => [`sha256:${screenshot.sha256}`, screenshot.mime_type]),
  );
  for (const { path, sha256 } of picturePaths(plan)) {
    yield {
      path,
      media_type: types.get(sha256) ?? 'application/octet-stream',
      role: 'image',
      content: async function* () {
        const bytes = await artifact(sha256);
        if (bytes === null) {
          throw new PixelproofError('image_missing', 'The run has lost a picture that its case names.', {
            expected: sha256,
            got: 'nothing',
          });
        }
        yield bytes;
      },
    };
  }
}

function text(path: string, media_type: string, role: BundleFile['role'], content: string): BundleFile {
  return { path, media_type, role, content: () => [utf8.encode(content)] };
}
