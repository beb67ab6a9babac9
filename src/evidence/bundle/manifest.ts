import * as v from 'valibot';
import { PixelproofError } from '../../errors';
import { canonicalJson } from '../identity/canonical';
import type { Json, JsonObject } from '../identity/json';
import { createSha256Stream, isSha256Id } from '../identity/sha256';
import { LIMITS } from './limits';
import { PathSet } from './path';
import type { BundleManifest } from './reader';
import { isObject } from './safe-json';

export const FORMAT = 'pixelproof-bundle/1';
const RECORD_FORMAT = 'pixelproof-record/1';
export const MANIFEST_PATH = 'pixelproof.json';

const FAMILY = /^pixelproof-bundle\/(\d{1,9})$/;

const sha256Id = v.custom<`sha256:${string}`>(isSha256Id, 'not sha256: and 64 lowercase hexadecimal digits');
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const shortText = v.pipe(v.string(), v.maxLength(400));
const kind = v.picklist(['measured', 'replayed', 'wiring']);

const providerSchema = v.strictObject({
  id: shortText,
  kind,
  label: shortText,
  model: shortText,
  seed: v.pipe(v.number(), v.safeInteger()),
  base_url: v.nullable(shortText),
});

/** The manifest of format 1; public/schemas/bundle-1.schema.json says the same to other programs. */
const manifestSchema = v.strictObject({
  format: v.literal(FORMAT),
  experiment: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/)),
  plan_id: sha256Id,
  root_digest: sha256Id,
  record_digest: sha256Id,
  plan: v.custom<JsonObject>(isObject, 'not an object'),
  case_count: count,
  complete: v.boolean(),
  kind,
  provider: providerSchema,
  container: v.pipe(v.string(), v.regex(/^(zip|json|directory)\/\d{1,9}$/)),
  files: v.pipe(
    v.array(
      v.strictObject({
        path: v.string(),
        sha256: sha256Id,
        bytes: count,
        media_type: v.pipe(v.string(), v.regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/)),
        role: v.picklist(['evidence', 'circumstance', 'image']),
        inlined: v.boolean(),
      }),
    ),
    v.maxLength(LIMITS.entries),
  ),
  manifest_id: sha256Id,
});

/** Throws `bundle_foreign` where it is no format of ours and `bundle_newer` where this build does not know it yet. */
export function requireFormat(format: Json | undefined): void {
  const version = typeof format === 'string' ? FAMILY.exec(format)?.[1] : undefined;
  if (version === undefined) {
    throw new PixelproofError('bundle_foreign', 'This is not a Pixelproof bundle.', {
      expected: FORMAT,
      got: format ?? 'no format',
    });
  }
  if (Number(version) > 1) {
    throw new PixelproofError(
      'bundle_newer',
      'The bundle was made by a newer build; open it with that one.',
      {
        expected: FORMAT,
        got: format,
      },
    );
  }
}

/**
 * Checks a parsed manifest. Throws as `requireFormat`, and `bundle_manifest` naming the first fault, `bundle_path`,
 * `bundle_duplicate` and `bundle_manifest_id`.
 */
export async function requireManifest(value: JsonObject): Promise<BundleManifest> {
  requireFormat(value.format);
  const parsed = v.safeParse(manifestSchema, value, { abortEarly: true });
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new PixelproofError(
      'bundle_manifest',
      `The manifest is not valid at ${v.getDotPath(issue) ?? 'its top'}: ${issue.message}.`,
      { got: issue.received },
    );
  }
  const manifest: BundleManifest = parsed.output;
  const paths = new PathSet();
  paths.add(MANIFEST_PATH);
  for (const file of manifest.files) paths.add(file.path);
  const left = manifest.files.find((file) => !file.inlined);
  if (left !== undefined && !manifest.container.startsWith('json/')) {
    throw new PixelproofError('bundle_manifest', 'Only a JSON bundle may name a file without carrying it.', {
      expected: 'inlined true',
      got: left.path,
    });
  }
  const id = await manifestId(manifest);
  if (id !== manifest.manifest_id) {
    throw new PixelproofError('bundle_manifest_id', 'The manifest was changed after it was written.', {
      expected: manifest.manifest_id,
      got: id,
    });
  }
  return manifest;
}

/**
 * The record digest: everything that a bundle says of a run, circumstances included, whatever its container. The root
 * digest leaves out clock, latency and machine, so it cannot notice a forged one; this one can, where it is known from
 * elsewhere. SHA-256 of the RFC 8785 form of the facts below, each file without `inlined`.
 */
export async function recordDigest(
  manifest: Omit<BundleManifest, 'record_digest' | 'manifest_id'>,
): Promise<`sha256:${string}`> {
  const { case_count, complete, experiment, kind, plan_id, provider, root_digest } = manifest;
  const hash = await createSha256Stream();
  hash.update(`${canonicalJson({ case_count, complete, experiment }).slice(0, -1)},"files":[`);
  let separator = '';
  for (const { path, sha256, bytes, media_type, role } of manifest.files) {
    hash.update(`${separator}${canonicalJson({ path, sha256, bytes, media_type, role })}`);
    separator = ',';
  }
  const rest = { format: RECORD_FORMAT, kind, plan_id, provider: { ...provider }, root_digest };
  hash.update(`],${canonicalJson(rest).slice(1)}`);
  return hash.digest();
}

/** SHA-256 of the RFC 8785 form of the manifest without `manifest_id`. */
export async function manifestId(manifest: Omit<BundleManifest, 'manifest_id'>): Promise<`sha256:${string}`> {
  const { manifest_id: _, ...named } = { manifest_id: '', ...manifest };
  const hash = await createSha256Stream();
  for (const part of manifestText(named)) hash.update(part);
  return hash.digest();
}

/**
 * The RFC 8785 text of a manifest, in parts, so that a list of many files is never one string. `files` sorts after
 * `complete`, `container`, `case_count` and `experiment` and before everything else.
 */
export function* manifestText(manifest: Omit<BundleManifest, 'manifest_id'>): Iterable<string> {
  const { case_count, complete, container, experiment, files, provider, ...rest } = manifest;
  yield `${canonicalJson({ case_count, complete, container, experiment }).slice(0, -1)},"files":[`;
  let separator = '';
  for (const file of files) {
    yield `${separator}${canonicalJson({ ...file })}`;
    separator = ',';
  }
  yield `],${canonicalJson({ ...rest, provider: { ...provider } }).slice(1)}`;
}
