import { PixelproofError } from '../errors';
import { CATALOGUE } from './catalogue-entries';
import type { CatalogueEntry } from './catalogue-entry';
import type { Capability } from './provider';

export { CATALOGUE } from './catalogue-entries';
export type { CatalogueEntry, Runs } from './catalogue-entry';

/** Everybody with this capability, in the catalogue's order. */
export function entriesFor(capability: Capability): readonly CatalogueEntry[] {
  return CATALOGUE.filter(({ capabilities }) => capabilities.includes(capability));
}

/** Throws `provider_unknown`, and `provider_capability` for somebody who cannot be asked this. */
export function entryOf(id: string, capability?: Capability): CatalogueEntry {
  const found = CATALOGUE.find((entry) => entry.id === id);
  const able = capability === undefined ? CATALOGUE : entriesFor(capability);
  const expected = able.map((entry) => entry.id).join(', ');
  if (found === undefined) {
    throw new PixelproofError('provider_unknown', `There is no provider ${JSON.stringify(id)}.`, {
      expected,
      got: id,
    });
  }
  if (able.includes(found)) return found;
  throw new PixelproofError(
    'provider_capability',
    `${found.name} cannot be asked this: it has no ${capability}, and nobody answers in its place.`,
    { expected, got: id },
  );
}

/** Under which id a person's key for it is kept. */
export function keyIdOf({ id, sharesKeyWith }: CatalogueEntry): string {
  return sharesKeyWith ?? id;
}

/** What a provider does under this capability, in one sentence. */
export function summaryOf({ notes, summary }: CatalogueEntry, capability: Capability): string {
  return notes?.[capability] ?? summary;
}

/** Where a provider is asked under this capability; the empty text where a person has to say it. */
export function addressOf({ addresses, baseUrl }: CatalogueEntry, capability: Capability): string {
  return addresses?.[capability] ?? baseUrl ?? '';
}

/** Whether asking sends anything to a server. */
export function asksServer({ runs }: CatalogueEntry): boolean {
  return runs === 'local-server' || runs === 'hosted';
}
