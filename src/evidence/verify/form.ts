import { OURS } from '../bundle/contents';
import { type OpenedBundle, textLines } from '../bundle/open';
import { parseJson } from '../bundle/safe-json';
import { canonicalJson } from '../identity/canonical';
import { brief } from './compared';
import type { Findings } from './findings';

// A digest covers bytes, and one value has many texts: `1.0` and `1`, CRLF and LF, keys in another order. Whoever
// computes all digests anew may choose among them. So a file of ours must be the one text that we write for its value.

/** JSON Lines files whose lines are records. `cases.jsonl` is compared by the digest of its canonical form. */
const LINES = [OURS.details, OURS.exchanges, OURS.artifacts];
const DOCUMENTS = [OURS.environment, OURS.runtime];

/** Every file of ours is written as we write what it parses to. A file that cannot be read is named by its reader. */
export async function checkForms(bundle: OpenedBundle, findings: Findings): Promise<void> {
  if (bundle.manifestForm !== null) {
    findings.fail(
      'record_form',
      `pixelproof.json byte ${bundle.manifestForm}`,
      'The manifest is not in canonical form.',
    );
  }
  for (const path of LINES) {
    await findings.attempt(path, async () => {
      for await (const { text, where } of textLines(bundle.read, path)) check(text, where, findings);
    });
  }
  for (const path of DOCUMENTS) {
    await findings.attempt(path, async () => {
      const text = await bundle.text(path);
      if (text.endsWith('\n')) check(text.slice(0, -1), path, findings);
      else
        findings.fail('record_form', path, 'The file does not end with a line feed.', 'a line feed', 'none');
    });
  }
}

function check(text: string, where: string, findings: Findings): void {
  const should = canonicalJson(parseJson(text, where));
  if (text === should) return;
  const at = firstDifference(text, should);
  findings.fail(
    'record_form',
    `${where} character ${at + 1}`,
    'The record is not in canonical form.',
    brief(should.slice(at)),
    brief(text.slice(at)),
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
