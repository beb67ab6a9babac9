import { PixelproofError } from '../../errors';
import type { Json } from '../../evidence/identity/json';
import type { Root } from '../audit/scored-body';
import { type Check, type CheckId, type Diagnosis, Found } from './diagnosis';
import { type Answer, type Ask, type Dialect, ownerOf, type Product } from './dialects';
import type { DoctorEnvironment } from './environment';
import { explainStatus, looksLikeHtml, type Reply, type Spoken, saidIn, textOnly, wrongPort } from './status';
import type { Subject } from './subject';
import { colourIn, type TestColour } from './test-pictures';
import { explainSilence } from './unreachable';
import type { Outcome, Wire } from './wire';

/** A check without its title, which is the same everywhere. */
type Step = Omit<Check, 'title'>;
type Steps = AsyncGenerator<Step, Diagnosis>;

/** Whether an entry is asked for log-probabilities under a capability; null for every capability it has. */
export function wantsLogprobs({ entry, capability }: Pick<Subject, 'entry' | 'capability'>): boolean {
  const choices = entry.capabilities.includes('image-text-to-choices') && !entry.id.endsWith('-sampled');
  return choices && (capability === null || capability === 'image-text-to-choices');
}

/** The requests of one examination, in order. The first thing that is wrong ends it, as a `Found`. */
export class Examination {
  readonly #subject: Subject;
  readonly #wire: Wire;
  readonly #environment: DoctorEnvironment;
  readonly #spoken: Spoken;

  constructor(subject: Subject, wire: Wire, environment: DoctorEnvironment) {
    this.#subject = subject;
    this.#wire = wire;
    this.#environment = environment;
    this.#spoken = { name: subject.entry.name, model: subject.model, keyGiven: subject.key !== null };
  }

  /** Only whether anybody answers: a question to this server costs, or draws. */
  async *reach(): Steps {
    const { name } = this.#spoken;
    const reached = (meaning: string): Diagnosis => ({
      code: 'reached',
      sentence: `${name} is reached; nothing else was tested.`,
      meaning: `${meaning} A question would decide or draw something, so none was asked.`,
      facts: {},
    });
    const outcome = await this.#wire.ask({ path: '' }, 'whether it answers');
    if (outcome.kind === 'reply') {
      // The route is for questions, so a refusal of a bare request is as good an answer as any.
      const refused = outcome.status >= 400 && outcome.status < 500;
      if (!refused || [401, 402, 403, 429].includes(outcome.status))
        explainStatus(outcome, 'reach', this.#spoken);
      yield this.#answered(outcome);
      return reached('It answers.');
    }
    if (outcome.why === 'redirect') return reached('It answers with a redirect.');
    try {
      return await explainSilence(outcome, 'reach', this.#wire, '', this.#environment);
    } catch (error) {
      // Services often let pages read the answers to questions, and no others.
      if (!(error instanceof Found) || error.diagnosis.code !== 'cors_refused') throw error;
      const says = 'It answers; whether a page may read an answer shows only with a question.';
      yield { id: 'reach', state: 'unknown', says };
      return reached(says);
    }
  }

  async *whole(dialect: Dialect): Steps {
    const { modelsPath } = dialect;
    const reply = await this.#reply({ path: modelsPath }, 'its list of models', 'reach', modelsPath);
    yield this.#answered(reply);
    const root = await this.#list(reply, dialect);
    const listed = dialect.models(root) ?? [];
    yield {
      id: 'service',
      state: 'ok',
      says: `It lists ${listed.length} ${listed.length === 1 ? 'model' : 'models'}.`,
    };
    yield* this.#origin(dialect);
    const found = this.#model(listed, dialect);
    yield { id: 'model', state: 'ok', says: `It lists ${found.name}.` };
    const sees = await this.#sees(found.images, dialect);
    if (sees !== null) yield { id: 'sees', state: 'ok', says: 'The server says so.' };
    const ending = yield* this.#questions(dialect, sees);
    return ending;
  }

  /** The list of models as an object. Throws where it is none, or another product's. */
  async #list(reply: Reply, dialect: Dialect): Promise<Root> {
    explainStatus(reply, 'service', this.#spoken);
    const { name } = this.#spoken;
    const { host } = this.#wire.address;
    if (reply.status === 404) {
      throw wrongPort('service', name, host, await this.#whoElse(reply, dialect), reply.status);
    }
    const plain = !/^\s*[[{]/.test(reply.text) && !looksLikeHtml(reply.text);
    if (plain) throw wrongPort('service', name, host, productIn(reply.text), reply.status);
    const root = this.#object(reply, 'service');
    const listed = dialect.models(root);
    const owner = listed === null ? await this.#whoElse(reply, dialect) : ownerOf(root);
    if (listed === null || (dialect.product !== null && owner !== null && owner !== dialect.product)) {
      throw wrongPort('service', name, host, owner, reply.status);
    }
    return root;
  }

  /** Who answers, by one more list of models, which all of them have in the same place. */
  async #whoElse(reply: Reply, dialect: Dialect): Promise<Product | null> {
    const known = productIn(reply.text);
    if (known !== null || dialect.modelsPath.startsWith('/v1/models')) return known;
    const other = await this.#wire.ask({ path: '/v1/models' }, 'who answers instead');
    if (other.kind === 'none') return null;
    try {
      return ownerOf(JSON.parse(other.text) as Root) ?? productIn(other.text);
    } catch {
      return productIn(other.text);
    }
  }

  /** In a terminal: whether a page of an origin would be let in. */
  async *#origin(dialect: Dialect): AsyncGenerator<Step> {
    const { forOrigin, page } = this.#environment;
    if (forOrigin === null || page !== null) return;
    const { path } = dialect.question(this.#subject.model, 'red', false);
    const found = await this.#wire.preflight(path, forOrigin);
    if (found === null) {
      yield {
        id: 'origin',
        state: 'unknown',
        says: 'It did not answer a browser’s question for permission.',
      };
      return;
    }
    if (!found.allows) {
      throw new Found(
        'origin',
        'cors_refused',
        `${this.#spoken.name} answers, but does not let a page of ${forOrigin} read the answer.`,
        `It answered a browser’s question for permission (CORS) with HTTP ${found.status} and without naming that origin.`,
        { status: found.status },
      );
    }
    yield { id: 'origin', state: 'ok', says: `A page of ${forOrigin} may ask and read.` };
  }

  /** The model in the list, by the names that a run accepts. Throws `model_not_named` or `model_missing`. */
  #model<T extends { readonly name: string }>(listed: readonly T[], dialect: Dialect): T {
    const { model, entry } = this.#subject;
    const installed = listed.map(({ name }) => name).sort();
    const facts = { installed };
    if (model.trim() === '') {
      throw new Found(
        'model',
        'model_not_named',
        'No model is named.',
        'The server lists those below.',
        facts,
      );
    }
    const found =
      listed.find(({ name }) => name === model) ?? listed.find(({ name }) => dialect.isModel(model, name));
    if (found !== undefined) return found;
    throw new Found(
      'model',
      'model_missing',
      `${entry.name} has no model ${model}.`,
      installed.length === 0 ? 'It lists none at all.' : 'Names must be equal to the last letter.',
      facts,
    );
  }

  /** What the server says about pictures, null where it says nothing. Throws where it says no. */
  async #sees(listed: boolean | null, dialect: Dialect): Promise<boolean | null> {
    const { model } = this.#subject;
    let sees = listed;
    if (sees === null && dialect.describe !== undefined) {
      const ask = dialect.describe.ask(model);
      const outcome = await this.#wire.ask(ask, 'what the model can take');
      if (outcome.kind === 'none' && ask.body !== undefined)
        return explainSilence(outcome, 'sees', this.#wire, dialect.modelsPath, this.#environment);
      sees = outcome.kind === 'reply' ? describedBy(outcome, dialect.describe, model) : null;
    }
    if (sees === false) throw textOnly(model, 'The server says that text is all that this model takes.');
    return sees;
  }

  async *#questions(dialect: Dialect, told: boolean | null): Steps {
    const { model } = this.#subject;
    const red = await this.#question(dialect, 'red');
    yield { id: 'answer', state: 'ok', says: `It answered “${shortened(red.text)}”.` };
    yield* this.#logprobs(red);
    // A lucky guess is possible for one picture, so without the server's word it takes both.
    const sure = told === true && colourIn(red.text ?? '') === 'red';
    const blue = sure ? null : await this.#question(dialect, 'blue');
    const ok = {
      code: 'doctor_ok',
      sentence: `${this.#spoken.name} answers with ${model}, and the model looks at the picture.`,
      meaning: 'It can be asked.',
      facts: {},
    } as const;
    if (blue === null) return ok;
    const answers = `It called a red picture “${shortened(red.text)}” and a blue one “${shortened(blue.text)}”.`;
    if (colourIn(red.text ?? '') === 'red' && colourIn(blue.text ?? '') === 'blue') {
      if (told === null) yield { id: 'sees', state: 'ok', says: answers };
      return ok;
    }
    const same = plainly(red.text) === plainly(blue.text) && plainly(red.text) !== '';
    if (same && told === null) {
      throw textOnly(model, `${answers} Either it does not look, or the server drops the picture.`);
    }
    yield { id: 'sees', state: 'unknown', says: answers };
    return {
      code: 'vision_unclear',
      sentence: `${this.#spoken.name} answers with ${model}; whether the model looks at the picture cannot be told.`,
      meaning: `${answers} It can be asked, and the experiment will show what it sees.`,
      facts: {},
    };
  }

  async #question(dialect: Dialect, colour: TestColour): Promise<Answer> {
    const { model, entry } = this.#subject;
    const logprobs = wantsLogprobs(this.#subject);
    const ask = dialect.question(model, colour, logprobs);
    const why = `the colour of a ${colour} test picture`;
    const reply = await this.#reply(ask, why, 'answer', dialect.modelsPath, true);
    if (logprobs && (reply.status === 400 || reply.status === 422) && /logprob/i.test(reply.text)) {
      throw this.#noLogprobs(`It says: “${saidIn(reply.text)}”`);
    }
    explainStatus(reply, 'answer', this.#spoken);
    if (reply.status === 404) {
      const facts = { status: 404, said: saidIn(reply.text) };
      const quoted = facts.said === '' ? '' : `It says: “${facts.said}”`;
      if (/model/i.test(reply.text))
        throw new Found('answer', 'model_missing', `${entry.name} has no model ${model}.`, quoted, facts);
      throw new Found('answer', 'request_refused', `${entry.name} has no route ${ask.path}.`, quoted, facts);
    }
    const answer = this.#read(dialect, this.#object(reply, 'answer'));
    if (answer.model !== null && !dialect.isModel(model, answer.model)) {
      throw new Found(
        'answer',
        'wrong_model',
        `${model} was asked and ${answer.model} answered.`,
        'A run stops at such a reply, because nobody could say later which model was measured.',
        { named: answer.model },
      );
    }
    return answer;
  }

  /** Throws `reply_broken` for an object of another form than the interface's. */
  #read(dialect: Dialect, root: Root): Answer {
    try {
      return dialect.answer(root);
    } catch (error) {
      if (!(error instanceof PixelproofError)) throw error;
      const { error: said } = root;
      const words =
        said === undefined ? error.message : `It says: “${saidIn(JSON.stringify({ error: said }))}”`;
      throw new Found('answer', 'reply_broken', `The reply of ${this.#spoken.name} has another form.`, words);
    }
  }

  *#logprobs({ candidates }: Answer): Generator<Step> {
    if (!wantsLogprobs(this.#subject)) return;
    if (candidates > 0) {
      yield { id: 'logprobs', state: 'ok', says: `It listed ${candidates} for the first position.` };
      return;
    }
    const { capability, entry } = this.#subject;
    if (capability !== null || !entry.capabilities.includes('image-text-to-text'))
      throw this.#noLogprobs('The reply has none, although they were asked for.');
    yield {
      id: 'logprobs',
      state: 'unknown',
      says: 'It listed none: enough for answers in words, not for the vision controls.',
    };
  }

  #noLogprobs(meaning: string): Found {
    return new Found(
      'logprobs',
      'no_logprobs',
      `${this.#spoken.name} gives no log-probabilities.`,
      `${meaning} The vision controls are scored from them.`,
    );
  }

  /** Sends, and explains where no reply came. */
  async #reply(ask: Ask, why: string, check: CheckId, getPath: string, question = false): Promise<Reply> {
    const outcome: Outcome = await this.#wire.ask(ask, why, question);
    if (outcome.kind === 'reply') return outcome;
    return explainSilence(outcome, check, this.#wire, getPath, this.#environment);
  }

  /** One JSON object. Throws `html_instead_of_json` or `reply_broken`. */
  #object({ text, status }: Reply, check: CheckId): Root {
    const { host } = this.#wire.address;
    let value: Json = null;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      if (looksLikeHtml(text)) {
        throw new Found(
          check,
          'html_instead_of_json',
          `${host} answers with a web page.`,
          'The address belongs to a site or to a sign-in page in between, and not to the interface of a server.',
          { status },
        );
      }
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Root;
    throw new Found(
      check,
      'reply_broken',
      `The reply of ${host} is no whole JSON object.`,
      `It ends with “${text.trim().slice(-60)}”: it was cut off, or something changed it on the way.`,
      { status },
    );
  }

  #answered({ status, milliseconds }: Reply): Step {
    const { host } = this.#wire.address;
    return {
      id: 'reach',
      state: 'ok',
      says: `${host} answered with HTTP ${status} in ${Math.round(milliseconds)} ms.`,
    };
  }
}

function describedBy(
  { status, text }: Reply,
  describe: NonNullable<Dialect['describe']>,
  model: string,
): boolean | null {
  if (status < 200 || status > 299) return null;
  try {
    const value = JSON.parse(text) as Root | null;
    return typeof value === 'object' && value !== null ? describe.sees(value, model) : null;
  } catch {
    return null;
  }
}

/** Products that say their name, or speak in a way of their own, on routes that they do not have. */
function productIn(text: string): Product | null {
  if (/ollama is running/i.test(text)) return 'Ollama';
  return /unexpected endpoint or method/i.test(text) ? 'LM Studio' : null;
}

const plainly = (text: string | null) =>
  (text ?? '')
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '');

function shortened(text: string | null): string {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
