import { PixelproofError } from '../../src/errors';
import type { RunSource, StoredRun } from '../../src/evidence/run';
import { attemptOf, receiptOf, receiptText, type VisionPlan } from '../../src/experiments/vision-controls';
import { labEntry } from '../../src/lab/lab';
import { visionOutcome } from '../../src/lab/vision-outcome';
import type { VisionResult } from '../api';

/** What a stored vision run came to, and its receipt: also of one that stopped, whose attempts are counted. */
export async function visionResult(source: StoredRun): Promise<VisionResult> {
  const { header, plan } = source;
  let [calls, answered] = [0, 0];
  const failed = new Map<string, VisionResult['failed'][number]>();
  for await (const { key, exchange } of source.exchanges()) {
    calls += 1;
    if (exchange.cause === null) answered += 1;
    else failed.set(`${key.arm} ${key.ordinal}`, { ...key, code: exchange.cause.code });
  }
  const { stopped, status } = header;
  const error = stopped === null ? null : new PixelproofError(stopped.code, stopped.message);
  const report = await labEntry(plan.experiment).report(source, {});
  const { result, cause } = visionOutcome(status, error, { calls, answered }, report);
  const run = source as RunSource as RunSource<VisionPlan>;
  const attempt = status === 'complete' ? null : await attemptOf(run, result, stopped?.code ?? null);
  const receipt = receiptText(await receiptOf(run, attempt));
  return { result, cause, calls, answered, failed: [...failed.values()], receipt };
}
