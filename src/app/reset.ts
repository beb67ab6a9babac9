import { KEEP_NOTHING } from './memory-session';

/** Everything of ours begins so, in every kind of storage; the origin may have other sites. */
const PREFIX = 'pixelproof';
/** The files of the site itself: the service worker's, one cache a build. */
const SITE_FILES = 'pixelproof-site';
const DATABASES = ['pixelproof', 'pixelproof-keys', 'pixelproof-providers'];
/** How long another tab may take to let go of a database. */
const WAIT_MS = 3000;

const WORDS: Readonly<Record<string, string>> = {
  pixelproof: 'Runs and their evidence',
  'pixelproof-keys': 'Keys of providers',
  'pixelproof-providers': 'Settings of providers',
  'pixelproof-downloaded-models': 'Downloaded models',
  'pixelproof-models': 'Copies of the site’s own models',
  'pixelproof-linked-runs': 'Which run a link opened',
};

/** One thing that a reset removes; `why` says what kept it. */
export interface ResetPart {
  readonly what: string;
  readonly why: string | null;
}

export interface ResetPlaces {
  readonly databases: IDBFactory | undefined;
  readonly caches: CacheStorage | undefined;
  readonly local: () => Storage;
  readonly session: () => Storage;
}

/**
 * Deletes all that this site keeps in the browser but the files of the site. Every part is tried, whatever becomes of the
 * others; nothing throws. Stores of this tab must be closed before.
 */
export async function removeAll(places: ResetPlaces, waitMs = WAIT_MS): Promise<readonly ResetPart[]> {
  return [
    ...(await removeDatabases(places.databases, waitMs)),
    ...(await removeCaches(places.caches)),
    removeWords('Choices such as the theme', places.local),
    removeDrafts(places.session),
  ];
}

async function removeDatabases(
  factory: IDBFactory | undefined,
  waitMs: number,
): Promise<readonly ResetPart[]> {
  if (factory === undefined) return [];
  const listed = await Promise.resolve()
    .then(() => factory.databases())
    .then((all) => all.flatMap(({ name }) => (name !== undefined && isOurs(name) ? [name] : [])))
    .catch(() => DATABASES);
  const parts: ResetPart[] = [];
  for (const name of listed) parts.push(await part(name, () => removeDatabase(factory, name, waitMs)));
  return parts;
}

function removeDatabase(factory: IDBFactory, name: string, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () =>
      setTimeout(
        () => reject(new Error('Another tab holds it open. It is deleted when that tab is closed.')),
        waitMs,
      );
  });
}

async function removeCaches(caches: CacheStorage | undefined): Promise<readonly ResetPart[]> {
  if (caches === undefined) return [];
  const names = await caches.keys().catch((): string[] => []);
  const parts: ResetPart[] = [];
  for (const name of names)
    if (isOurs(name) && !name.startsWith(SITE_FILES)) parts.push(await part(name, () => caches.delete(name)));
  return parts;
}

/** What a tab has in its own storage, but the choice that it keeps nothing: that holds until a person takes it back. */
export function removeDrafts(session: () => Storage): ResetPart {
  return removeWords('Drafts of this tab', session, KEEP_NOTHING);
}

function removeWords(what: string, storage: () => Storage, but?: string): ResetPart {
  try {
    const kept = storage();
    for (const key of Object.keys(kept)) if (isOurs(key) && key !== but) kept.removeItem(key);
    return { what, why: null };
  } catch {
    // Denied storage keeps nothing.
    return { what, why: null };
  }
}

async function part(name: string, remove: () => Promise<unknown>): Promise<ResetPart> {
  const what = WORDS[name] ?? name;
  try {
    await remove();
    return { what, why: null };
  } catch (error) {
    return { what, why: error instanceof Error ? error.message : String(error) };
  }
}

function isOurs(name: string): boolean {
  return name === PREFIX || name.startsWith(`${PREFIX}-`) || name.startsWith(`${PREFIX}.`);
}
