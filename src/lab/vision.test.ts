import { describe, expect, it } from 'vitest';
import { bundleContents, writeZipBundle } from '../evidence/bundle';
import { MemoryStore } from '../evidence/store/memory';
import { storedRun } from '../evidence/store/source';
import { verifyBundle } from '../evidence/verify';
import { judgeReceipt, receiptOf, receiptText, type VisionPlan } from '../experiments/vision-controls';
import { executeRun, memoryLocks } from '../runner';
import type { RunSource } from '../runner/experiment';
import { labEntry, prepareRun, verifiers } from './lab';

async function run(provider: string, parameters: Record<string, string>) {
  const prepared = await prepareRun({
    experiment: 'vision-controls',
    parameters,
    provider: { id: provider, settings: {} },
  });
  const store = new MemoryStore(() => '2026-01-01T00:00:00.000Z');
  const { plan, answers, experiment } = prepared;
  await store.create({ run: 'r', plan, provider: answers.description, environment: {}, origin: 'here' });
  const { header, error } = await executeRun({
    store,
    locks: memoryLocks(),
    run: 'r',
    experiment,
    plan,
    answers,
    signal: new AbortController().signal,
  });
  const source = await storedRun(store, 'r');
  const report = await labEntry('vision-controls').report(source, {});
  const parts: Uint8Array[] = [];
  for await (const part of writeZipBundle(bundleContents(source, (s) => experiment.files(s))))
    parts.push(part);
  const result = await verifyBundle(new Uint8Array(Buffer.concat(parts)), verifiers, {});
  const receipt = receiptText(await receiptOf(source as RunSource as RunSource<VisionPlan>));
  return {
    header,
    error,
    report,
    receipt,
    failures: result.findings.filter(({ level }) => level === 'failure'),
  };
}

describe('vision runs without a server', () => {
  it('a question of a kind that a provider cannot answer is refused', async () => {
    const { liveAnswers } = await import('../runner');
    const { blindScorer, scriptedScorer } = await import('../providers/local-scorers');
    const call = { signal: new AbortController().signal, record: () => {} };
    const picture = { image: new Uint8Array(), mediaType: 'image/png', prompt: '', promptMode: '' } as const;
    const asked = liveAnswers(blindScorer(0.5)).answer({ arm: 'a', ordinal: 0 }, 0, picture, call);
    await expect(asked).rejects.toMatchObject({ code: 'answers_no_images' });
    const choice = { image: null, mediaType: 'image/png', prefix: 'x', userText: 'x', controls: ['0', '1'] };
    await expect(scriptedScorer(new Map()).scoreChoices(choice, call)).rejects.toMatchObject({
      code: 'provider_no_scripted_reply',
    });
  });

  it('the demo set with the scripted scorer passes and verifies', async () => {
    const { header, error, report, failures } = await run('scripted', { fixture: 'demo' });
    expect(error).toBeNull();
    expect(failures).toEqual([]);
    expect(header).toMatchObject({ status: 'complete', kind: 'wiring', total: 15 });
    expect(report).toMatchObject({
      verdict: 'pass',
      credit_level: null,
      hits: { counted: 10, hits: 10, uncounted: 5 },
      attachment: { min_growth: 259, ok: true },
    });
  });

  it('the blind harness fails: it did not move the judgment', async () => {
    const { report, failures } = await run('blind', {});
    expect(failures).toEqual([]);
    expect(report).toMatchObject({ verdict: 'fail', hits: { counted: 10, hits: 5, uncounted: 5 } });
    expect(String(report.cause)).toContain('did not move the judgment');
  });

  it('the published receipt, replayed, has the published margins', async () => {
    const { header, report, receipt, failures } = await run('replay', {});
    expect(failures).toEqual([]);
    expect(header.kind).toBe('replayed');
    expect(report.verdict).toBe('pass');
    const pairs = report.paired_ordering as { margin: number }[];
    expect(pairs.map(({ margin }) => margin)).toEqual([
      0.9999994808224107, 0.9999994808224107, 0.9999996980314801, 0.9999996980314801,
    ]);
    expect(report.attachment).toMatchObject({ min_growth: 413, ok: true });
    expect(judgeReceipt(receipt)).toMatchObject({ verdict: 'pass', stored_differences: [] });
  });
});
