import { PixelproofError } from '../../errors';
import { Xorshift32 } from '../../numeric/xorshift32';
import type { ChoiceQuestion, ExchangeRecord } from '../../providers/provider';
import type { Profile } from './profile';
import { type NativeTemplate, prefixOf, userText } from './prompt';
import { controlsOf, type Question } from './questions';
import { readScoredReply } from './scored-reply';

/** A picture of the audit, under the id of its row. */
export interface AuditPicture {
  readonly id: string;
  /** Whether it is of the first family. */
  readonly first: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly media_type: string;
}

/** Which text is asked: the experiment's own, the same question after a longer state, or another question. */
type AuditText = 'own' | 'longer' | 'other';

/** One probe. `replays` is the probe that had the same text and picture after the same history, null without one. */
export interface Probe {
  readonly index: number;
  /** Which sequence or round it stands in, from 0. */
  readonly sequence: number;
  readonly text: AuditText;
  /** The picture's id, null without a picture. */
  readonly picture: string | null;
  readonly replays: number | null;
  readonly question: ChoiceQuestion;
}

/** What a probe gave. */
export interface Observation {
  readonly probe: Probe;
  /** ln p - ln (1 - p) of `true`. */
  readonly logit: number;
  readonly tokens: number | null;
  readonly model: string | null;
}

const OTHER_QUESTION: Question = {
  name: 'shows_animal_photo',
  kind: 'Noul',
  instructions: 'Does this screenshot show a photograph of an animal?',
  labels: ['true', 'false'],
  descriptions: [null, null],
};
/** Changes the text and not what is asked. */
const LONGER = ' It shows one whole screen.';
/** Each request comes this often in a sequence. */
const REPEATS = 2;

/**
 * The probes of an audit, in order: five sequences over every picture and no picture, each twice, in a seeded random
 * order (first order, again, second order, again, first order at the end); before the last, one round after a longer
 * state and one of another question. A sequence has an even number of probes, so that a replay stands at the same
 * parity. Throws `audit_pictures` without a picture of each family.
 */
export function auditProbes(
  profile: Profile,
  template: NativeTemplate,
  pictures: readonly AuditPicture[],
  seed: number,
): Probe[] {
  const [first, other] = [pictures.find((one) => one.first), pictures.find((one) => !one.first)];
  if (first === undefined || other === undefined) {
    throw new PixelproofError('audit_pictures', 'An audit needs pictures of both families.', {
      expected: 'at least one of each',
      got: pictures.map(({ id }) => id),
    });
  }
  const random = new Xorshift32(seed);
  const requests = [...pictures, null];
  const all = Array.from({ length: REPEATS }, () => requests).flat();
  const [one, two] = [shuffled(all, random), shuffled(all, random)];
  // The longer text meets a picture of the other family first than the own text did: a reply that is kept for a text
  // then shows whose it is.
  const opening = one.find((picture) => picture !== null)?.first === true ? other : first;
  const rest = (head: AuditPicture) => [head, ...requests.filter((request) => request !== head)];
  const probes: Probe[] = [];
  let sequences = 0;
  const add = (
    text: AuditText,
    sequence: readonly (AuditPicture | null)[],
    replayed: number | null,
  ): number => {
    const start = probes.length;
    for (const [at, picture] of sequence.entries()) {
      probes.push({
        index: start + at,
        sequence: sequences,
        text,
        picture: picture?.id ?? null,
        // The first probe of a sequence follows on something else than it did before.
        replays: replayed === null || at === 0 ? null : replayed + at,
        question: questionOf(profile, template, text, picture),
      });
    }
    sequences += 1;
    return start;
  };
  const before = add('own', one, null);
  add('own', one, before);
  add('own', two, add('own', two, null));
  add('longer', rest(opening), null);
  add('other', rest(opening), null);
  add('own', one, null);
  return probes;
}

function questionOf(
  profile: Profile,
  template: NativeTemplate,
  text: AuditText,
  picture: AuditPicture | null,
): ChoiceQuestion {
  const question = text === 'other' ? OTHER_QUESTION : profile.visual;
  const state = text === 'longer' ? `${profile.state}${LONGER}` : profile.state;
  return {
    image: picture?.bytes ?? null,
    mediaType: picture?.media_type ?? 'image/png',
    prefix: prefixOf(template, state, question, picture === null ? 0 : 1),
    userText: userText(state, question),
    controls: controlsOf(question),
  };
}

/** Throws as `readScoredReply`, and for a reply that only bounds a control: an audit needs both. */
export function observationOf(probe: Probe, { reply_text, model_in_reply }: ExchangeRecord): Observation {
  const { controls, tokens_evaluated } = readScoredReply(reply_text, probe.question.controls);
  const [yes, no] = controls.map(
    ({ logprob, probability }) => logprob ?? Math.log(probability ?? Number.NaN),
  );
  const logit = (yes ?? Number.NaN) - (no ?? Number.NaN);
  if (Number.isFinite(logit)) return { probe, logit, tokens: tokens_evaluated, model: model_in_reply };
  throw new PixelproofError('audit_bounded', 'An audit needs a figure for every control of every probe.', {
    expected: 'two log-probabilities',
    got: reply_text ?? 'nothing',
  });
}

function shuffled<T>(items: readonly T[], random: Xorshift32): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random.between(0, at);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
