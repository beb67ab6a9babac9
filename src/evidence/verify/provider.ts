import type { BundleManifest } from '../bundle/reader';
import { isObject } from '../bundle/safe-json';
import { canonicalJson } from '../identity/canonical';
import { brief } from './compared';
import { unreadable } from './finding';
import type { Findings } from './findings';
import type { BundleVerifier } from './verifier';

/**
 * Who was asked, in the words that every page shows: each field that the plan repeats is the plan's, and kind and label
 * are the ones of that provider, so that a script cannot be shown as a model.
 */
export function checkProvider(
  { kind, provider, plan }: BundleManifest,
  { described }: Pick<BundleVerifier, 'described'>,
  findings: Findings,
): void {
  const say = (field: string, expected: string, got: string) =>
    findings.fail(
      'provider_mismatch',
      `pixelproof.json ${field}`,
      'The manifest names another provider than the plan.',
      expected,
      got,
    );
  if (kind !== provider.kind) say('kind', provider.kind, kind);
  const planned = isObject(plan.provider) ? plan.provider : {};
  for (const [field, got] of Object.entries(provider)) {
    const should = planned[field];
    if (should !== undefined && canonicalJson(should) !== canonicalJson(got))
      say(`provider ${field}`, brief(should), brief(got));
  }
  if (described === undefined) return;
  try {
    const should = described(provider);
    for (const field of Object.keys(should) as (keyof typeof should)[]) {
      if (should[field] !== provider[field])
        say(`provider ${field}`, brief(should[field]), brief(provider[field]));
    }
  } catch (error) {
    say('provider', unreadable(error).message, brief({ ...provider }));
  }
}
