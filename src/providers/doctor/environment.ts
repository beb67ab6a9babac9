/** What a browser says of a permission; null where it knows no such permission or does not say. */
export type PermissionState = 'granted' | 'denied' | 'prompt' | null;

/** The system whose commands the next steps are written in. */
export type System = 'macos' | 'windows' | 'linux';

/** A page that asks, as far as the doctor needs to know it. */
export interface PageAround {
  /** The page's origin, which a server has to let in: `https://example.org`, or `null` for a page without one. */
  readonly origin: string;
  /** A secure context: only such a page is asked for local network access. */
  readonly secure: boolean;
  /** The page is inside a frame of another page, which decides what it may ask for. */
  readonly framed: boolean;
  /** The state of a permission by its name, null where the browser does not know the name. */
  permission(name: string): Promise<PermissionState>;
  /** Chromium lets a secure page ask private addresses by http once the permission is given; others do not. */
  readonly chromium: boolean;
}

/** Where the doctor works. */
export interface DoctorEnvironment {
  /** Null in a terminal, where no browser stands between. */
  readonly page: PageAround | null;
  /** In a terminal: the origin of a page that is to be let in, null to leave that question out. */
  readonly forOrigin: string | null;
}

/** How far the host of an address is away. The order is that of a browser's address spaces. */
export type Space = 'this machine' | 'local network' | 'internet';

const ORDER: readonly Space[] = ['this machine', 'local network', 'internet'];

/** Whether asking from one space into another is what browsers ask a person's permission for. */
export function goesInward(from: Space, to: Space): boolean {
  return ORDER.indexOf(from) > ORDER.indexOf(to);
}

/** The permission that stands between, newest name first (Chromium 145 split the one of Chromium 142 in two). */
export async function localPermission(page: PageAround, to: Space): Promise<PermissionState> {
  if (to === 'internet') return null;
  const own = await page.permission(to === 'this machine' ? 'loopback-network' : 'local-network');
  return own ?? (await page.permission('local-network-access'));
}
