import { afterEach, describe, expect, it } from 'vitest';
import { note } from '../../../e2e/servers/fault-notes';
import { CANARY, type FaultServer, MODEL } from '../../../e2e/servers/fault-server';
import { CASES, keyOf } from '../../../e2e/servers/faults';
import { entryOf } from '../catalogue';
import { type Check, examine, type Report, type Subject } from '.';

const open: FaultServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function examined(
  subject: Subject,
  forOrigin: string | null = null,
  signal = new AbortController().signal,
): Promise<{ report: Report; yielded: Check[] }> {
  const yielded: Check[] = [];
  const checking = examine(subject, { page: null, forOrigin }, signal);
  for (;;) {
    const step = await checking.next();
    if (step.done === true) return { report: step.value, yielded };
    yielded.push(step.value);
  }
}

describe('in a terminal, the doctor names', () => {
  for (const { fault, kind } of CASES) {
    const { name, node, serve, typed, forOrigin = null, seconds } = fault;
    if (node === null) continue;
    it(`${name}, ${kind}: ${node}`, async () => {
      const server = await serve(kind);
      open.push(server);
      const { report, yielded } = await examined(
        {
          entry: entryOf(kind),
          baseUrl: typed?.url?.(server.url) ?? server.url,
          model: typed?.model ?? MODEL,
          key: keyOf({ fault, kind }),
          capability: 'image-text-to-choices',
          ...(seconds === undefined ? {} : { patience: { listSeconds: seconds, askSeconds: seconds } }),
        },
        forOrigin,
      );
      note('node', name, kind, report.diagnosis.code);
      expect(report.diagnosis.code, JSON.stringify(report, null, 1)).toBe(node);
      expect(report.checks).toEqual(yielded);
      // What the button says beforehand; a terminal may ask for a page's permission too.
      expect(report.requests.length).toBeLessThanOrEqual(forOrigin === null ? 5 : 6);
      expect(JSON.stringify({ report, yielded })).not.toContain(CANARY);
    });
  }
});
