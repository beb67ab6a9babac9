import { PixelproofError } from '../../errors';
import type { Json, JsonObject } from '../../evidence/identity/json';
import type { ScoredReply } from '../../providers/provider';
import type { Artifact, CaseKey, CaseRecord, Judged } from '../../runner/experiment';
import type { Answer } from './ask';
import type { Control } from './controls';
import { isHit, polarityOf, type ScoredControl } from './gate';
import type { Material } from './materialise';
import { contentsOf, controlOf, type VisionPlan } from './plan';
import type { Question } from './questions';
import { choiceOf, noulOf, readScoredReply } from './scored-reply';

/** The case of a control from what was answered. Throws as `readScoredReply`. */
export function judgeCase(plan: VisionPlan, key: CaseKey, material: Material, answer: Answer): Judged {
  const { image, image_sha256, media_type } = material;
  const artifacts: Artifact[] =
    image === null || image_sha256 === null ? [] : [{ sha256: image_sha256, media_type, bytes: image }];
  return { record: caseOf(plan, key, material, answer), artifacts };
}

export function caseOf(plan: VisionPlan, key: CaseKey, material: Material, answer: Answer): CaseRecord {
  const control = controlOf(plan, key);
  const { profile, rows } = contentsOf(plan);
  const [visual, ...annotation] = material.questions.map((asked, index) => ({
    asked,
    reply: readScoredReply(answer[index]?.reply_text ?? null, asked.question.controls),
  }));
  if (visual === undefined) throw new PixelproofError('plan_rows', 'A control asks the visual question.');
  const scored = scoredControl(control, visual.reply);
  const gold = rows.find(({ unique_data_id }) => unique_data_id === key.arm)?.expected ?? {};
  const hit = isHit(scored);
  return {
    arm: key.arm,
    ordinal: key.ordinal,
    outcome: !control.counts_as_semantic_hit ? 'uncounted' : hit ? 'hit' : 'miss',
    evidence: {
      ...control,
      image_sha256: material.image_sha256,
      prefix_sha256: visual.asked.prefix_sha256,
      reply: plain(visual.reply),
      probability: scored.probability,
      reading: { ...scored.reading },
      polarity: polarityOf(scored.probability),
      semantic_hit: hit,
      tokens_evaluated: scored.tokens_evaluated,
      annotation: Object.fromEntries(
        annotation.map(({ asked, reply }, index) => {
          const question = profile.annotation[index];
          const expected = gold[asked.name] ?? null;
          return [asked.name, question === undefined ? null : annotated(question, reply, expected, asked)];
        }),
      ),
    },
    detail: {
      seconds: answer.map(({ latency_us }) =>
        latency_us === null ? null : Math.round(latency_us / 1000) / 1000,
      ),
      attempts: answer.map(({ attempt }) => attempt),
      models: answer.map(({ model_in_reply }) => model_in_reply),
      metadata: answer.map(({ response_metadata_text }) => response_metadata_text),
    },
  };
}

function scoredControl(control: Control, reply: ScoredReply): ScoredControl {
  return { ...control, ...noulOf(reply), tokens_evaluated: reply.tokens_evaluated };
}

/** Matches with the annotation's gold are recorded and decide nothing. */
function annotated(
  question: Question,
  reply: ScoredReply,
  expected: string | boolean | null,
  { prefix_sha256 }: { readonly prefix_sha256: string },
): JsonObject {
  const shared = { prefix_sha256, reply: plain(reply), tokens_evaluated: reply.tokens_evaluated };
  if (question.kind === 'Noul') {
    const { probability } = noulOf(reply);
    const polarity = polarityOf(probability);
    return { ...shared, probability, polarity, expected, gold_match: polarity === expected };
  }
  const { choice, confidence } = choiceOf(reply, question);
  return { ...shared, predicted: choice, confidence, expected, gold_match: choice === expected };
}

/** The scored control that a finished case holds. */
export function controlOfCase({ evidence }: CaseRecord): ScoredControl {
  const {
    unique_data_id,
    visual_family,
    condition,
    image_unique_data_id,
    expected,
    counts_as_semantic_hit,
    probability,
    reading,
    tokens_evaluated,
  } = evidence as unknown as ScoredControl;
  return {
    unique_data_id,
    visual_family,
    condition,
    image_unique_data_id,
    expected,
    counts_as_semantic_hit,
    probability,
    // Field by field: a record that was read back has its keys in another order.
    reading: { low: reading.low, high: reading.high },
    tokens_evaluated,
  };
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
