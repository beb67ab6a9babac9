import { PixelproofError } from '../../errors';
import type { Sha256Id } from '../../evidence/identity/json';
import { sha256 } from '../../evidence/identity/sha256';
import type { ChoiceQuestion } from '../../providers/provider';
import type { CaseKey } from '../../runner/experiment';
import { demoPicture } from './demo';
import type { VisionHost } from './host';
import { requirePicture } from './pictures';
import { contentsOf, controlOf, imageDigest, PICTURELESS_PROVIDERS, type VisionPlan } from './plan';
import { annotationState, prefixOf, userText } from './prompt';
import type { Condition } from './protocol';
import { controlsOf, type Question } from './questions';

/** One question of a case, ready to be asked, and what it is called. */
interface AskedQuestion {
  readonly name: string;
  readonly question: ChoiceQuestion;
  /** Whether the picture goes with it. */
  readonly imaged: boolean;
  readonly prefix_sha256: Sha256Id;
}

/** What is known of a control before anybody is asked: pictures and texts, and no gold. */
export interface Material {
  readonly condition: Condition;
  readonly image_unique_data_id: string | null;
  readonly image_sha256: Sha256Id | null;
  readonly media_type: string;
  readonly image: Uint8Array<ArrayBuffer> | null;
  /** The visual question first; for a present control then the annotation's. */
  readonly questions: readonly AskedQuestion[];
}

/** Texts and digests of a control, without its picture's bytes: all that a verifier can have. */
export function describeCase(plan: VisionPlan, key: CaseKey): Material {
  const { condition, image_unique_data_id } = controlOf(plan, key);
  const { profile, rows, annotationRows } = contentsOf(plan);
  const { template, annotation } = plan.frozen;
  const image_sha256 = imageDigest(plan, image_unique_data_id);
  const shown = rows.find(({ unique_data_id }) => unique_data_id === image_unique_data_id);
  const asked = (question: Question, state: string, pictures: number): AskedQuestion => {
    const prefix = prefixOf(template, state, question, pictures);
    return {
      name: question.name,
      imaged: pictures > 0,
      prefix_sha256: sha256(prefix),
      question: {
        image: null,
        mediaType: shown?.screenshot.mime_type ?? 'image/png',
        prefix,
        userText: userText(state, question),
        controls: controlsOf(question),
      },
    };
  };
  const questions = [asked(profile.visual, profile.state, image_sha256 === null ? 0 : 1)];
  if (condition === 'present' && annotationRows.has(key.arm)) {
    const { task_name } = rows.find(({ unique_data_id }) => unique_data_id === key.arm) ?? { task_name: '' };
    const state = annotationState({ task_name });
    for (const question of profile.annotation)
      questions.push(asked(question, state, annotation === 'picture' ? 1 : 0));
  }
  return {
    condition,
    image_unique_data_id,
    image_sha256,
    media_type: shown?.screenshot.mime_type ?? 'image/png',
    image: null,
    questions,
  };
}

/**
 * The control with its picture: drawn, or lent by whoever has the file. Throws `picture_missing`, and what
 * `requirePicture` throws for a file that is not the one that the plan names.
 */
export async function materialiseCase(plan: VisionPlan, key: CaseKey, host: VisionHost): Promise<Material> {
  const material = describeCase(plan, key);
  const { image_sha256 } = material;
  if (image_sha256 === null || PICTURELESS_PROVIDERS.includes(providerOf(plan))) return material;
  const image = await pictureOf(plan, material.image_unique_data_id, host);
  const questions = material.questions.map(
    (asked): AskedQuestion => (asked.imaged ? { ...asked, question: { ...asked.question, image } } : asked),
  );
  return { ...material, image, questions };
}

/** A row's picture, checked. Throws as `materialiseCase`. */
async function pictureOf(
  plan: VisionPlan,
  row: string | null,
  host: VisionHost,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = contentsOf(plan).rows.find(({ unique_data_id }) => unique_data_id === row);
  const digest = `sha256:${found?.screenshot.sha256}`;
  const bytes = demoPicture(digest) ?? (await host.picture(digest));
  if (found === undefined || bytes === null) {
    throw new PixelproofError(
      'picture_missing',
      'A picture of the plan is not here; hand over the same files again and the run can go on.',
      { expected: digest, got: 'nothing' },
    );
  }
  await requirePicture(found.screenshot, bytes);
  return bytes;
}

/** Every picture of a plan is there and is the one it names, before anything is sent. Throws as `materialiseCase`. */
export async function requirePictures(plan: VisionPlan, host: VisionHost): Promise<void> {
  if (PICTURELESS_PROVIDERS.includes(providerOf(plan))) return;
  for (const { unique_data_id } of contentsOf(plan).rows) await pictureOf(plan, unique_data_id, host);
}

export function providerOf(plan: VisionPlan): string {
  const { provider } = plan.frozen;
  return String((provider as { readonly id?: unknown } | undefined)?.id);
}
