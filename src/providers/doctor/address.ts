import { baseUrlFault } from '../base-url';
import type { Space } from './environment';

/** An address that can be asked. */
export interface Address {
  /** Without trailing slashes. */
  readonly base: string;
  readonly secure: boolean;
  /** Host and port as in the address. */
  readonly host: string;
  /** The port, also where the address leaves it out. */
  readonly port: number;
  readonly space: Space;
  /** The host is a number, not a name. */
  readonly numeric: boolean;
}

/** An address that cannot, and the one that was probably meant, null where there is no telling. */
export interface AddressFault {
  readonly fault: string;
  readonly meant: string | null;
}

/** Ports that neither browsers nor Node ask (Fetch standard, section "port blocking"). */
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** An end that belongs to one request, not to the address of a server. */
const ROUTE =
  /\/(?:v1(?:beta)?(?:\/(?:models|chat\/completions|completions|responses|messages).*)?|api(?:\/(?:tags|chat|generate|show|version))?)$/;

/**
 * Reads an address as a person types it. `usual` is the catalogue's own: an end such as `/api` is a fault only where
 * the usual address has none. `paths` is a path that will be asked: its first part may stand at the end of the address,
 * as many write it (`/v1`), and is not asked twice.
 */
export function readAddress(typed: string, usual: string | null, paths = ''): Address | AddressFault {
  const text = typed.trim().replace(/\/+$/, '');
  const fault = baseUrlFault(text);
  if (fault !== null) return { fault, meant: meantBy(text) };
  const url = new URL(text);
  const host = url.hostname;
  if (host === '0.0.0.0' || host === '[::]') {
    const port = url.port === '' ? '' : `:${url.port}`;
    return {
      fault: `${host} is where a server listens, and nothing that can be asked`,
      meant: `${url.protocol}//127.0.0.1${port}`,
    };
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (BLOCKED_PORTS.has(port))
    return { fault: `port ${port} belongs to another protocol, and browsers do not ask it`, meant: usual };
  const route = ROUTE.exec(text)?.[0];
  const first = /^\/[^/]+/.exec(paths)?.[0];
  if (route !== undefined && route !== first && !(usual ?? '').endsWith(route)) {
    return {
      fault: `it ends with ${route}, which is added by itself`,
      meant: text.slice(0, -route.length),
    };
  }
  return {
    base: text,
    secure: url.protocol === 'https:',
    host: url.host,
    port,
    space: spaceOf(host),
    numeric: /^\[|^\d+(?:\.\d+){3}$/.test(host),
  };
}

/** What was meant where only the scheme is missing. */
function meantBy(text: string): string | null {
  const meant = `http://${text}`;
  return !/^\w+:\/\//.test(text) && text !== '' && baseUrlFault(meant) === null ? meant : null;
}

/** How far a host is away, by its name alone: nothing is looked up. */
export function spaceOf(hostname: string): Space {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
    return 'this machine';
  const four = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (four !== null) {
    const [first, second] = [Number(four[1]), Number(four[2])];
    const near =
      first === 10 ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254);
    return near ? 'local network' : 'internet';
  }
  if (host.includes(':'))
    return /^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/.test(host) ? 'local network' : 'internet';
  return host.endsWith('.local') || !host.includes('.') ? 'local network' : 'internet';
}

/** The same for a page's origin. One without an origin (a sandbox) is treated as the farthest. */
export function spaceOfOrigin(origin: string): Space {
  try {
    return spaceOf(new URL(origin).hostname);
  } catch {
    return 'internet';
  }
}

/** An address as it may be shown: without a name, a password, a query or a fragment, whatever else is wrong with it. */
export function shownAddress(typed: string): string {
  return typed
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/^(\w+:\/\/)?[^/]*@/, '$1');
}
