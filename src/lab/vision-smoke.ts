import { sha256 } from '../evidence/identity/sha256';
import {
  judgeReceipt,
  manifestText,
  publishedManifest,
  publishedReceipt,
  REVISION_DIGESTS,
  REVISIONS,
} from '../experiments/vision-controls';
import { check, type SmokeCheck } from './smoke-check';

/** The vision experiment against its reference figures: manifests rebuilt, the published receipt judged again. */
export async function* visionSmokeChecks(): AsyncIterable<SmokeCheck> {
  for (const revision of REVISIONS)
    yield check(
      `${revision} manifest`,
      REVISION_DIGESTS[revision],
      sha256(manifestText(publishedManifest(revision))),
    );
  const receipt = await publishedReceipt();
  const { verdict, stored_differences, judgement } = judgeReceipt(JSON.stringify(receipt));
  yield check('published receipt, judged again', 'pass', verdict);
  yield check('published receipt, stored figures that differ', 0, stored_differences.length);
  yield check('published receipt, token growth', 413, judgement?.attachment.min_growth);
}
