import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyBundle } from '../evidence/verify';
import { type Files, forged, manifestOf } from '../evidence/verify/testing/forge';
import { type Mutation, mutations } from '../evidence/verify/testing/mutate';
import { verifiers } from './lab';
import type { RunRequest } from './request';
import { labFiles } from './testing/smoke-files';

// A forger who changes one thing and computes every digest anew. Whatever he changes is named, but for this list, which
// docs/evidence-format.md gives in words: what no other file of the bundle repeats.

/** When, where and under which name. A measured run adds what docs/evidence-format.md lists for its exchanges. */
const UNBOUND = [
  /^environment\.json \/run$/,
  /^environment\.json \/created_at$/,
  /^environment\.json \/environment(\/|$)/,
];
/** Digests and lengths that the forger computes anew, so that changing one of them changes nothing. */
const ANEW = [
  /^pixelproof\.json \/(plan_id|root_digest|record_digest|manifest_id)$/,
  /^pixelproof\.json \/files\/\d+\/(sha256|bytes)$/,
];

const SCRIPTED: RunRequest = {
  experiment: 'png-representation',
  parameters: { variants: ['unlabelled-v1', 'labelled-v1'], max_cases: 1, compile_reports: true },
  provider: { id: 'scripted', settings: {} },
};
const REPLAY: RunRequest = {
  experiment: 'png-representation',
  parameters: { fixture: 'smoke', variants: ['unlabelled-v1'] },
  provider: { id: 'replay', settings: {} },
};

async function slips(mutation: Mutation): Promise<string | null> {
  const changed = mutation.apply();
  if (changed === null) return null;
  const bundle = await forged(changed.files, changed.manifest, changed.rewrite);
  const { ok, findings } = await verifyBundle(bundle, verifiers);
  const codes = findings.filter(({ level }) => level !== 'pass').map(({ code }) => code);
  if (codes.includes('verify_internal')) return `${mutation.where}, ${mutation.how}: a fault of the verifier`;
  // A container of a later build is a warning: only its layout is not known here.
  if (!ok || codes.includes('bundle_container_unknown')) return null;
  return `${mutation.where}, ${mutation.how}: verifies`;
}

describe.each([
  ['scripted', SCRIPTED, 90],
  ['replayed', REPLAY, 60],
] as const)('of a %s run', (_name, request, numRuns) => {
  let files: Files;
  let bound: readonly Mutation[];
  let unbound: readonly Mutation[];

  beforeAll(async () => {
    files = await labFiles(request);
    const all = [...mutations(files, 3)].filter(({ where }) => !ANEW.some((one) => one.test(where)));
    unbound = all.filter(({ where }) => UNBOUND.some((one) => one.test(where)));
    bound = all.filter((one) => !unbound.includes(one));
  }, 60_000);

  it('the honest bundle verifies, written again by the forger', async () => {
    const { ok, findings } = await verifyBundle(await forged(files, manifestOf(files)), verifiers);
    expect(findings.filter(({ level }) => level !== 'pass')).toEqual([]);
    expect(ok).toBe(true);
  });

  it('one change of any place is named', { timeout: 120_000 }, async () => {
    expect(bound.length).toBeGreaterThan(500);
    await fc.assert(
      fc.asyncProperty(fc.nat(bound.length - 1), async (at) => {
        const mutation = bound[at];
        expect(mutation === undefined ? null : await slips(mutation)).toBeNull();
      }),
      { numRuns },
    );
  });

  it('every other text of a record of ours is named', { timeout: 120_000 }, async () => {
    const ours =
      /^(cases|details|exchanges|artifacts)\.jsonl line 1$|^(environment|runtime|pixelproof)\.json$/;
    const forms = bound.filter(({ where, how }) => ours.test(where) && !/value|away/.test(how));
    expect(forms.length).toBeGreaterThan(20);
    for (const form of forms) expect(await slips(form)).toBeNull();
  });

  it('what is listed as bound to nothing is bound to nothing', { timeout: 60_000 }, async () => {
    const values = unbound.filter(
      ({ where, how }) => how === 'another value' && /run|created_at/.test(where),
    );
    expect(values.length).toBe(2);
    for (const value of values) expect(await slips(value)).toMatch(/verifies$/);
  });
});

describe('who was asked', () => {
  it.each([
    ['a label of another provider', { label: 'Ollama, fake' }],
    ['another kind', { kind: 'measured' as const }],
    ['an address', { base_url: 'http://localhost:11434' }],
    ['a provider that there is not', { id: 'oracle' }],
  ])('is named: %s', async (_what, change) => {
    const files = await labFiles(SCRIPTED);
    const manifest = manifestOf(files);
    const bundle = await forged(files, { ...manifest, provider: { ...manifest.provider, ...change } });
    const { findings } = await verifyBundle(bundle, verifiers);
    const found = findings.filter(({ code }) => code === 'provider_mismatch');
    expect(found[0]?.where).toMatch(/^pixelproof\.json (kind|provider)/);
  });
});

it.each([
  ['one that there is not', '"circumstances":{', '"circumstances":{"added":0,', 'plan_unknown_parameter'],
  ['one that is gone', '"resume":false,', '', 'circumstance_mismatch'],
])('a circumstance that no plan is made with is named: %s', async (_what, was, becomes, code) => {
  const files = await labFiles(SCRIPTED);
  const changed = new TextDecoder().decode(files.get('environment.json')).replace(was, becomes);
  const bundle = await forged(
    new Map(files).set('environment.json', new TextEncoder().encode(changed)),
    manifestOf(files),
  );
  const { findings } = await verifyBundle(bundle, verifiers);
  expect(findings.map((one) => one.code)).toContain(code);
});
