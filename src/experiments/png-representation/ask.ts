import type { Sha256Id } from '../../evidence/identity/json';
import { pyFloat, pythonLineUnsorted } from '../../evidence/identity/python-json';
import type { ExchangeRecord } from '../../providers/provider';
import type { Ask, CaseKey } from '../../runner/experiment';
import { type Material, materialiseCase } from './materialise';
import { caseOfPlan, type PngPlan, planAnswer, planCases } from './plan';
import { PROMPT } from './prompt';
import { PROMPT_MODE } from './protocol';
import { type PublishedCase, publishedCase } from './published';
import { factorsOf } from './states';

/** What came back: an exchange made now, or the published record of the case, for which nobody is asked. */
export type Answer =
  | { readonly kind: 'exchange'; readonly exchange: ExchangeRecord }
  | { readonly kind: 'recorded'; readonly entry: PublishedCase };

/** The provider sees the PNG bytes, the fixed prompt and the word `unlabelled`, whatever the variant. */
export async function askCase(plan: PngPlan, key: CaseKey, material: Material, ask: Ask): Promise<Answer> {
  if (plan.frozen.provider.id === 'replay') {
    return { kind: 'recorded', entry: await publishedCase(key.arm, key.ordinal) };
  }
  const exchange = await ask(0, {
    image: material.final.png,
    mediaType: 'image/png',
    prompt: PROMPT,
    promptMode: PROMPT_MODE,
    answer: planAnswer(plan),
  });
  return { kind: 'exchange', exchange };
}

/** Cases rendered, of some 10 ms each, before others have a turn. */
const TURN = 8;

/**
 * The scripted provider's replies, written before any call: for every variant and state of the plan, the truth as JSON
 * text under the digest of the final PNG. Variants with equal pictures share their keys. A large plan takes seconds:
 * others have the thread in between, so that a cancel is heard. Rejects with the signal's reason.
 */
export async function createScriptedReplies(
  plan: PngPlan,
  signal?: AbortSignal,
): Promise<Map<Sha256Id, string>> {
  const replies = new Map<Sha256Id, string>();
  let at = 0;
  for (const key of planCases(plan)) {
    if (at++ % TURN === 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    const material = await materialiseCase(plan, key);
    replies.set(material.final.png_sha256, scriptedReply(plan, key));
  }
  return replies;
}

/** The truth of one case as the reference's scripted provider says it. */
export function scriptedReply(plan: PngPlan, key: CaseKey): string {
  const truth = factorsOf(caseOfPlan(plan, key).state);
  return pythonLineUnsorted({ ...truth, confidence: pyFloat(1) });
}
