import { unzipSync } from 'fflate';
import { bundleContents, writeZipBundle } from '../../src/evidence/bundle';
import { OURS } from '../../src/evidence/bundle/contents';
import type { BundleManifest } from '../../src/evidence/bundle/reader';
import { MemoryStore } from '../../src/evidence/store/memory';
import { storedRun } from '../../src/evidence/store/source';
import { importBundle } from '../../src/evidence/verify';

/** A zip of the same run, plan and root digest as this one, recorded on another machine. */
export async function anotherRecord(zip: Uint8Array): Promise<Buffer> {
  const bytes = new Uint8Array(zip);
  const files = unzipSync(bytes);
  const manifest = JSON.parse(new TextDecoder().decode(files['pixelproof.json'])) as BundleManifest;
  const store = new MemoryStore();
  const taken = await importBundle(bytes, store, [{ id: manifest.experiment, async *verify() {} }]);
  if (taken.header === null) throw new Error('The zip does not verify.');
  const run = await storedRun(store, taken.header.run);
  const ours: readonly string[] = Object.values(OURS);
  const tree = async function* () {
    for (const { path, media_type, role } of manifest.files)
      if (!ours.includes(path) && !path.startsWith('artifacts/'))
        yield { path, media_type, role, content: () => [new Uint8Array(files[path] ?? [])] };
  };
  const parts: Uint8Array[] = [];
  const other = { ...run, environment: { ...run.environment, machine: 'another' } };
  for await (const part of writeZipBundle(bundleContents(other, tree))) parts.push(part);
  return Buffer.concat(parts);
}
