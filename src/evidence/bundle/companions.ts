import { canonicalJson } from '../identity/canonical';
import type { Json, JsonObject } from '../identity/json';
import { createSha256Stream } from '../identity/sha256';
import { MANIFEST_PATH, manifestText } from './manifest';
import type { BundleManifest, ManifestFile } from './reader';

// Files for programs that know research objects and attestations and not this format. They add nothing: each is a
// function of the manifest and of environment.json, written anew and compared whenever a bundle is verified. So the
// manifest, which they speak of, need not list them.

/** RO-Crate 1.2 metadata (https://w3id.org/ro/crate/1.2): what each file is, for catalogues and archives. */
export const CRATE_PATH = 'ro-crate-metadata.json';
/** An in-toto Statement v1 (https://in-toto.io/Statement/v1) about the manifest. Whoever vouches for it signs this. */
export const STATEMENT_PATH = 'statement.intoto.json';
export const COMPANION_PATHS: readonly string[] = [CRATE_PATH, STATEMENT_PATH];

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** A name, not an address: the predicate is described in docs/evidence-format.md. */
const PREDICATE_TYPE = 'urn:pixelproof:run:1';

/** What the companions say beside the manifest; all of it stands in environment.json. */
export interface CompanionFacts {
  readonly run: string;
  readonly created_at: string;
  readonly environment: JsonObject;
}

export interface Companion {
  readonly path: string;
  readonly media_type: string;
  content(): Iterable<Uint8Array<ArrayBuffer>>;
}

/** Both companions of a manifest, in the order in which a ZIP has them, after `pixelproof.json`. */
export async function companions(
  manifest: BundleManifest,
  facts: CompanionFacts,
): Promise<readonly Companion[]> {
  const about = await manifestFile(manifest);
  return [
    {
      path: CRATE_PATH,
      media_type: 'application/ld+json',
      content: () => encoded(crateText(manifest, facts, about)),
    },
    {
      path: STATEMENT_PATH,
      media_type: 'application/vnd.in-toto+json',
      content: () => encoded([`${canonicalJson(statement(manifest, facts, about))}\n`]),
    },
  ];
}

interface AboutManifest {
  readonly sha256: string;
  readonly bytes: number;
}

async function manifestFile(manifest: BundleManifest): Promise<AboutManifest> {
  const hash = await createSha256Stream();
  let bytes = 0;
  for (const part of encoded([...manifestText(manifest), '\n'])) {
    hash.update(part);
    bytes += part.length;
  }
  return { sha256: hex(hash.digest()), bytes };
}

/** The subject is the manifest, which has the digest of every other file. */
function statement(manifest: BundleManifest, facts: CompanionFacts, about: AboutManifest): JsonObject {
  const { experiment, kind, plan_id, root_digest, record_digest, case_count, complete, provider } = manifest;
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: MANIFEST_PATH, digest: { sha256: about.sha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      experiment,
      kind,
      plan_id,
      root_digest,
      record_digest,
      case_count,
      complete,
      provider: { id: provider.id, model: provider.model },
      run: facts.run,
      created_at: facts.created_at,
    },
  };
}

const KINDS: { readonly [kind in BundleManifest['kind']]: string } = {
  measured: 'A provider was asked.',
  replayed: 'Published answers were read again.',
  wiring: 'A wiring check: it says nothing about any model.',
};

/** One RFC 8785 document, in parts: a run may have ten thousand pictures. */
function* crateText(manifest: BundleManifest, facts: CompanionFacts, about: AboutManifest): Iterable<string> {
  const { program } = facts.environment;
  const graph: readonly Json[] = [
    {
      '@id': CRATE_PATH,
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
      about: { '@id': './' },
    },
    {
      '@id': '#run',
      '@type': 'CreateAction',
      name: `Run of ${manifest.experiment}`,
      endTime: facts.created_at,
      instrument: { '@id': '#program' },
      result: { '@id': './' },
    },
    {
      '@id': '#program',
      '@type': 'SoftwareApplication',
      name: 'Pixelproof',
      ...(typeof program === 'string' ? { softwareVersion: program.replace(/^pixelproof /, '') } : {}),
    },
    fileEntity(MANIFEST_PATH, 'application/json', about.bytes, about.sha256, 'manifest'),
  ];
  yield `{"@context":"https://w3id.org/ro/crate/1.2/context","@graph":[`;
  for (const entity of graph) yield `${canonicalJson(entity)},`;
  yield* rootText(manifest, facts);
  for (const file of manifest.files.filter(isThere)) {
    const { path, media_type, bytes, sha256, role } = file;
    yield `,${canonicalJson(fileEntity(path, media_type, bytes, hex(sha256), role))}`;
  }
  yield ']}\n';
}

/** The root data set with its parts. Its keys are in order: `@…`, `datePublished`, `description`, `hasPart`, the rest. */
function* rootText(manifest: BundleManifest, { created_at, run }: CompanionFacts): Iterable<string> {
  const { experiment, kind, provider, complete, root_digest } = manifest;
  const head = {
    '@id': './',
    '@type': 'Dataset',
    datePublished: created_at,
    description: `${complete ? 'A' : 'An unfinished'} run of the experiment ${experiment}, asked of ${provider.label}. ${KINDS[kind]}`,
  };
  const rest = {
    identifier: root_digest,
    license: 'Not stated by the program that wrote this bundle; ask whoever gave it to you.',
    mentions: { '@id': '#run' },
    name: `Pixelproof evidence: ${experiment}, ${run}`,
  };
  yield `${canonicalJson(head).slice(0, -1)},"hasPart":[${canonicalJson({ '@id': MANIFEST_PATH })}`;
  for (const { path } of manifest.files.filter(isThere)) yield `,${canonicalJson({ '@id': path })}`;
  yield `],${canonicalJson(rest).slice(1)}`;
}

function fileEntity(path: string, media_type: string, bytes: number, sha256: string, role: string): Json {
  return {
    '@id': path,
    '@type': 'File',
    contentSize: String(bytes),
    description: ROLES[role] ?? role,
    encodingFormat: media_type,
    name: path,
    sha256,
  };
}

const ROLES: { readonly [role: string]: string } = {
  manifest: 'Plan, identities and the digest of every file',
  evidence: 'Evidence: the same for the same plan and replies',
  circumstance: 'Circumstance: may differ between runs of one plan',
  image: 'Picture: the same for the same plan',
};

function isThere({ inlined }: ManifestFile): boolean {
  return inlined;
}

function hex(id: string): string {
  return id.slice('sha256:'.length);
}

const utf8 = new TextEncoder();

function* encoded(parts: Iterable<string>): Iterable<Uint8Array<ArrayBuffer>> {
  for (const part of parts) yield utf8.encode(part);
}
