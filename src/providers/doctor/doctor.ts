import { authHeaders, usableKey } from '../secret';
import { type Address, readAddress, shownAddress, spaceOfOrigin } from './address';
import { type Check, type CheckId, type Diagnosis, Found } from './diagnosis';
import { type Dialect, dialectOf } from './dialects';
import { type DoctorEnvironment, goesInward, localPermission } from './environment';
import { Examination, wantsLogprobs } from './examination';
import { redacted } from './redact';
import type { Report, Subject } from './subject';
import { type Patience, Wire } from './wire';

const PATIENCE: Patience = { listSeconds: 15, askSeconds: 120 };

/** The checks of a page in their order, for one that shows what is to come. */
export function checksOf(
  subject: Pick<Subject, 'entry' | 'capability'>,
): readonly Pick<Check, 'id' | 'title'>[] {
  const { entry, capability } = subject;
  const ids: CheckId[] = ['address', 'page', 'reach'];
  const asked = dialectOf(entry.id, capability) !== null;
  if (asked) ids.push('service', 'model', 'sees', 'answer');
  if (asked && wantsLogprobs(subject)) ids.push('logprobs');
  return ids.map((id) => ({ id, title: titleOf(id, entry.name) }));
}

/** What will be sent, in the words that a person reads before pressing the button. */
export function whatIsSent({ entry, capability }: Pick<Subject, 'entry' | 'capability'>): string {
  const { id, name, runs, key } = entry;
  const cost = runs === 'hosted' ? ` ${name} may charge for it.` : '';
  const withKey = key === 'none' ? '' : ', with the key where you gave one';
  if (dialectOf(id, capability) === null)
    return `One request to the address above${withKey}. No question is asked.`;
  return `At most five requests to the address above${withKey}: its list of models, what the model can take, and one or two test pictures of one colour with the question which it is.${cost}`;
}

/**
 * Examines one server: yields each check as it ends, and returns the report. Every text in it is free of the key.
 * Sends nothing before the first `next()`. Rejects only with the signal's reason.
 */
export async function* examine(
  subject: Subject,
  environment: DoctorEnvironment,
  signal: AbortSignal,
): AsyncGenerator<Check, Report> {
  const checks: Check[] = [];
  let wire: Wire | null = null;
  const done = (check: Check): Check => {
    const clean = redacted(check, subject.key);
    checks.push(clean);
    return clean;
  };
  const title = (id: CheckId) => titleOf(id, subject.entry.name);
  let diagnosis: Diagnosis;
  try {
    signal.throwIfAborted();
    const { address, key } = usable(subject);
    yield done({ id: 'address', title: title('address'), state: 'ok', says: saysOf(address) });
    if (environment.page !== null) {
      yield done({
        id: 'page',
        title: title('page'),
        state: 'ok',
        says: await mayAsk(address, environment.page),
      });
    }
    const dialect: Dialect | null = dialectOf(subject.entry.id, subject.capability);
    const headers = dialect?.headers(key) ?? authHeaders('bearer', key);
    wire = new Wire(address, headers, { ...PATIENCE, ...subject.patience }, signal);
    const examination = new Examination(subject, wire, environment);
    const steps = dialect === null ? examination.reach() : examination.whole(dialect);
    for (;;) {
      const { done: ended, value } = await steps.next();
      if (ended) {
        diagnosis = value;
        break;
      }
      yield done({ ...value, title: title(value.id) });
    }
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    diagnosis = error.diagnosis;
    yield done({
      id: error.check,
      title: title(error.check),
      state: 'failed',
      says: error.diagnosis.sentence,
    });
  }
  return redacted(
    {
      provider: subject.entry.id,
      base_url: shownAddress(subject.baseUrl),
      model: subject.model,
      diagnosis,
      checks,
      requests: wire?.sent ?? [],
    },
    subject.key,
  );
}

function usable({ baseUrl, entry, key: typed, model, capability }: Subject): {
  address: Address;
  key: string | null;
} {
  const paths = dialectOf(entry.id, capability)?.modelsPath ?? '';
  const address = readAddress(baseUrl, entry.baseUrl, paths);
  if ('fault' in address) {
    throw new Found(
      'address',
      'bad_address',
      `“${shownAddress(baseUrl)}” is no server’s address: ${address.fault}.`,
      'Nothing was sent.',
      { meant: address.meant },
    );
  }
  let key: string | null;
  try {
    key = usableKey(typed);
  } catch {
    throw new Found(
      'address',
      'bad_key',
      'The key is not one that can be sent: it is too short, or has a space, a line break or a letter that is no ASCII.',
      'Something probably came along when it was copied, or was left out. Nothing was sent.',
    );
  }
  if (key === null && entry.key === 'required') {
    throw new Found(
      'address',
      'key_missing',
      `${entry.name} answers nobody without a key.`,
      'Nothing was sent.',
    );
  }
  if (dialectOf(entry.id, capability) !== null && model.trim() === '' && entry.runs === 'hosted') {
    throw new Found('address', 'model_not_named', 'No model is named.', 'Nothing was sent.');
  }
  return { address, key };
}

/** Whether the browser lets this page ask at all. Throws `mixed_content`, which is known before anything is sent. */
async function mayAsk(address: Address, page: NonNullable<DoctorEnvironment['page']>): Promise<string> {
  const passes = address.space === 'this machine' || (page.chromium && privateByName(address));
  if (page.origin.startsWith('https:') && !address.secure && !passes) {
    throw new Found(
      'page',
      'mixed_content',
      `This page came over https, so the browser does not let it ask ${address.host} over http.`,
      'Browsers block such mixed content and show nothing. Nothing was sent.',
    );
  }
  if (goesInward(spaceOfOrigin(page.origin), address.space)) {
    const state = await localPermission(page, address.space);
    if (state === 'prompt')
      return 'The browser will ask whether this site may reach the local network: press Allow.';
    if (state === 'denied') return 'The permission for the local network seems to be refused.';
  }
  return 'Nothing on the page’s side stands against it.';
}

/** What Chromium can tell to be private before it looks the name up. */
function privateByName({ space, numeric, host }: Address): boolean {
  return space === 'local network' && (numeric || /\.local(?::\d+)?$/i.test(host));
}

function saysOf({ host, space }: Address): string {
  return {
    'this machine': `${host} is on this machine.`,
    'local network': `${host} is in the local network.`,
    internet: `${host} is on the internet.`,
  }[space];
}

function titleOf(id: CheckId, name: string): string {
  switch (id) {
    case 'address':
      return 'The address and the key can be used';
    case 'page':
      return 'The browser lets this page ask';
    case 'reach':
      return 'Its answer arrives';
    case 'service':
      return `It is ${name}`;
    case 'model':
      return 'The model is there';
    case 'sees':
      return 'The model takes pictures';
    case 'answer':
      return 'It answers a picture';
    case 'logprobs':
      return 'It lists log-probabilities';
    case 'origin':
      return 'It lets the page in';
  }
}
