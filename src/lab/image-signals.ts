import { PixelproofError } from '../errors';
import { bareHost, imageSignals, type SignalsHost } from '../experiments/image-signals';
import { selfTest } from '../pixels/decode/self-test';
import { wasmEngine } from '../pixels/signals/engine';
import type { ProviderDescription } from '../providers/provider';
import { recordedAnswers } from '../runner';
import type { Experiment } from '../runner/experiment';
import type { LabEntry } from './entry';

/** Where the pictures of these runs come from. Nobody is asked while a run goes: the pictures are there, or drawn. */
const SOURCES: readonly ProviderDescription[] = [
  {
    id: 'drawn',
    kind: 'wiring',
    label: 'Drawn scenes (wiring check)',
    model: 'scene generator',
    seed: 0,
    base_url: null,
  },
  {
    id: 'files',
    kind: 'measured',
    label: 'Pictures brought by a person',
    model: 'none',
    seed: 0,
    base_url: null,
  },
];

let host: SignalsHost = bareHost;

/** Called once by whoever has files and engines to lend (the runner's worker). */
export function lendSignals(lent: SignalsHost): void {
  host = lent;
}

const experiment = imageSignals({
  picture: (sha256) => host.picture(sha256),
  engine: (id) => host.engine(id),
});

export const imageSignalsLab: LabEntry = {
  experiment: experiment as Experiment,
  asked(provider) {
    const found = SOURCES.find(({ id }) => id === provider);
    if (found !== undefined) return found;
    throw new PixelproofError(
      'provider_unknown',
      `This experiment has no provider ${JSON.stringify(provider)}.`,
      {
        expected: SOURCES.map(({ id }) => id).join(', '),
        got: provider,
      },
    );
  },
  async answers(_plan, description) {
    const { exact, probes } = await selfTest();
    const runtime = {
      runtime_name: 'pixelproof image signals',
      runtime_version: wasmEngine.identity.version,
      model_digest: null,
      details: { decoders_exact: { ...exact }, probes: probes.length },
    };
    return recordedAnswers({ description, runtime, lookup: () => null });
  },
  report: async (source) =>
    (await experiment.report(source as never)) as Awaited<ReturnType<LabEntry['report']>>,
};
