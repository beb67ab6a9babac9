import type { Json } from '../../evidence/identity/json';
import { describeCase } from './materialise';
import { contentsOf, controlOf, planCases, type VisionPlan } from './plan';

/** One answer of the scripted scorer, by the picture and the prompt that it belongs to. */
export interface ScriptedAnswer {
  readonly image_sha256: string | null;
  readonly prefix: string;
  readonly answer: 'yes' | 'no' | 'unsure';
}

/** What a perfect model would answer to every question of a plan, and nothing certain where no picture is shown. */
export function scriptedAnswers(plan: VisionPlan): ScriptedAnswer[] {
  const { profile, rows } = contentsOf(plan);
  return [...planCases(plan)].flatMap((key) => {
    const { image_sha256, questions } = describeCase(plan, key);
    const { expected } = controlOf(plan, key);
    const gold = rows.find(({ unique_data_id }) => unique_data_id === key.arm)?.expected ?? {};
    return questions.map(({ question, imaged }, index): ScriptedAnswer => {
      const annotation = profile.annotation[index - 1];
      const first = annotation === undefined ? expected : isFirst(gold[annotation.name], annotation.labels);
      return {
        image_sha256: imaged ? image_sha256 : null,
        prefix: question.prefix,
        answer: first === null ? 'unsure' : first ? 'yes' : 'no',
      };
    });
  });
}

function isFirst(gold: Json | undefined, labels: readonly string[]): boolean {
  return String(gold) === labels[0];
}
