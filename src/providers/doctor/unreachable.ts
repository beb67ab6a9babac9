import { type Address, spaceOfOrigin } from './address';
import { type CheckId, Found } from './diagnosis';
import { type DoctorEnvironment, goesInward, localPermission, type PageAround } from './environment';
import type { Outcome, Wire } from './wire';

type Silence = Extract<Outcome, { kind: 'none' }>;

/** A failure quicker than this was not a person who answered the browser's question. */
const BY_HAND_MS = 700;

/** Names the reason why no reply came. Always throws: a `Found`, or the signal's reason. */
export async function explainSilence(
  silence: Silence,
  check: CheckId,
  wire: Wire,
  path: string,
  { page }: DoctorEnvironment,
): Promise<never> {
  const { host } = wire.address;
  switch (silence.why) {
    case 'timeout':
      if (silence.status === null && page !== null) await unansweredQuestion(check, wire.address, page);
      throw new Found(
        check,
        'stalled',
        silence.status === null
          ? `${host} took the request and answered nothing in time.`
          : `${host} began to answer with HTTP ${silence.status} and stopped in the middle.`,
        'The server is busy, loads a model, or hangs. Nothing was counted; a run would name this a timeout.',
        silence.status === null ? {} : { status: silence.status },
      );
    case 'redirect':
      throw new Found(
        check,
        'redirect',
        `${host} answers with a redirect to another address, which is never followed.`,
        'Evidence must say who answered, so the address that answers has to be the one that is asked.',
        silence.status === null ? {} : { status: silence.status },
      );
    case 'too-large':
      throw new Found(
        check,
        'body_too_large',
        `${host} sent more than 8 MiB and was not read on.`,
        'A list of models or one word is a few kilobytes: something else answers at this address.',
      );
    case 'not-text':
      throw new Found(
        check,
        'reply_broken',
        `${host} sent bytes that are no text.`,
        'A JSON interface answers UTF-8. Something else answers, or the reply was damaged on the way.',
      );
    case 'unreachable':
      if (silence.status !== null) {
        throw new Found(
          check,
          'reply_broken',
          `${host} began to answer with HTTP ${silence.status} and closed the connection before the end.`,
          'The server stopped in the middle of its reply. Its own log says why.',
          { status: silence.status },
        );
      }
      return page === null
        ? inTerminal(silence, check, wire.address)
        : inPage(silence, check, wire, path, page);
  }
}

/** A browser tells a page nothing: what it is has to be inferred. docs/providers.md says how far that goes. */
async function inPage(
  silence: Silence,
  check: CheckId,
  wire: Wire,
  path: string,
  page: PageAround,
): Promise<never> {
  const { address } = wire;
  const { host, space } = address;
  const inward = goesInward(spaceOfOrigin(page.origin), space);
  if (inward) {
    const state = await localPermission(page, space);
    if (state === 'denied') throw denied(check, address, page);
    if (state === 'prompt' && silence.milliseconds > BY_HAND_MS) throw unasked(check, address, 'unanswered');
  }
  if (await wire.answersUnread(path)) {
    throw new Found(
      check,
      'cors_refused',
      `${host} answers, but does not let this page (${page.origin}) read the answer.`,
      'Browsers show a page what another server says only if that server allows the page’s origin (CORS). An error that is answered without that permission, and a redirect, look the same.',
    );
  }
  if (space === 'internet') {
    throw new Found(
      check,
      'server_down',
      `${host} cannot be reached from this browser.`,
      'There is no connection, a blocker or a firewall is in between, the name is wrong, or its certificate is not accepted. A browser does not tell a page which.',
    );
  }
  throw new Found(
    check,
    'server_down',
    `Nothing answers at ${host}.`,
    address.secure
      ? 'The server is not running, listens on another port, or its certificate is not accepted. A browser does not tell a page which.'
      : 'The server is not running, or it listens on another port.',
  );
}

/** After a time limit without a single byte: perhaps the browser still waits for a person's answer. */
async function unansweredQuestion(check: CheckId, address: Address, page: PageAround): Promise<void> {
  if (!goesInward(spaceOfOrigin(page.origin), address.space)) return;
  const state = await localPermission(page, address.space);
  if (state === 'prompt') throw unasked(check, address, 'unanswered');
}

function denied(check: CheckId, address: Address, page: PageAround): Found {
  if (page.framed) return unasked(check, address, 'framed');
  if (!page.secure) return unasked(check, address, 'insecure');
  return new Found(
    check,
    'local_network_denied',
    `This browser does not let the page reach ${placeOf(address)}.`,
    'The permission for the local network is refused for this site. While it is, nobody can tell whether the server runs.',
  );
}

function unasked(check: CheckId, address: Address, unasked: 'framed' | 'insecure' | 'unanswered'): Found {
  const why = {
    framed: 'The page is inside a frame, and the page around it does not pass the permission on.',
    insecure: 'The page came over plain http, and browsers ask that question for secure pages only.',
    unanswered: 'The browser asked whether this site may reach it, and nobody pressed Allow.',
  }[unasked];
  return new Found(
    check,
    'local_network_not_asked',
    `The page has no permission to reach ${placeOf(address)}, and nobody refused it.`,
    why,
    { unasked },
  );
}

function placeOf({ space, host }: Address): string {
  return space === 'this machine' ? `servers on this machine (${host})` : `the local network (${host})`;
}

/** Node says what happened to the connection. */
function inTerminal({ system }: Silence, check: CheckId, { host }: Address): never {
  const code = system ?? '';
  if (/^(ENOTFOUND|EAI_)/.test(code)) {
    throw new Found(
      check,
      'host_unknown',
      `There is no machine of the name in ${host}.`,
      `The name could not be looked up (${code}): a typing error, or no connection.`,
    );
  }
  if (/CERT|SIGNATURE|ALTNAME|ISSUER/.test(code)) {
    throw new Found(
      check,
      'certificate_refused',
      `The certificate of ${host} is not accepted.`,
      `The connection was ended before anything was sent (${code}).`,
    );
  }
  if (
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EADDRNOTAVAIL)$/.test(
      code,
    )
  ) {
    throw new Found(
      check,
      'server_down',
      `Nothing answers at ${host}.`,
      `The server is not running, or it listens on another port (${code}).`,
    );
  }
  throw new Found(
    check,
    'not_http',
    `Something takes the connection at ${host} and does not speak ${code.includes('SSL') || code === 'EPROTO' ? 'https' : 'http'}.`,
    `Another program listens there, the address says http where the server speaks https or the other way round, or the server broke off (${code === '' ? 'no reason given' : code}).`,
  );
}
