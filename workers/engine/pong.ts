import { transfer } from 'comlink';
import { platformSha256 } from '../../src/atari/digest';
import { PixelproofError } from '../../src/errors';
import { pythonDocument } from '../../src/evidence/identity/python-json';
import { storedRun } from '../../src/evidence/store/source';
import type { RunStore } from '../../src/evidence/store/store';
import { armsNamed } from '../../src/experiments/pong-controls/arms';
import { auditRun } from '../../src/experiments/pong-controls/audit';
import { boxesFromRam } from '../../src/experiments/pong-controls/boxes';
import { insertCartridge, type PongCartridge } from '../../src/experiments/pong-controls/machine';
import { CARTRIDGES, paddleRom } from '../../src/experiments/pong-controls/paddle';
import { checkFrames } from '../../src/experiments/pong-controls/plan';
import { ENGINE_VERSIONS } from '../../src/experiments/pong-controls/protocol';
import { replayEpisode } from '../../src/experiments/pong-controls/replay';
import { treeOfRun } from '../../src/experiments/pong-controls/run-files';
import { comparisonOf } from '../../src/experiments/pong-controls/run-plan';
import { Sweep, sweepArms, sweepEpisode, sweepSeeds } from '../../src/experiments/pong-controls/sweep';
import { answersFor, lendPong, liveDecisions, pongControlsLab } from '../../src/lab/pong-controls';
import { requireResumable } from '../../src/lab/pong-journal';
import type { Provider } from '../../src/providers/provider';
import { ScriptedDecisions } from '../../src/providers/scripted-decisions';
import { executeRun, webLocks } from '../../src/runner';
import type { Plan, Progress, RunHeader } from '../../src/runner/experiment';
import type { PongApi, PongPicture, PongProgress, PongSecrets, PongStart, ReplayView } from '../pong-api';
import { environmentRecord } from './environment';
import { KeptStore } from './kept-store';
import { lentStore } from './lent-store';
import { filmOf } from './pong/film';
import { Looking } from './pong/looking';
import { type OpenedTree, openTree, treeOfFiles } from './pong/opened';
import { rgbaOf } from './pong/pictures';
import { type Recording, recordingOf } from './pong/recording';
import { runHost, Watch } from './pong/run-host';
import { unpackPictures } from './unpack';

const locks = webLocks(navigator.locks);
const kept = new KeptStore();
const store = (): Promise<RunStore> => kept.open();
const watch = new Watch();
/** ROM files of this tab by their SHA-256. They are in no store and in no export. */
const roms = new Map<string, Uint8Array>();
let recording: Recording | null = null;
let running: AbortController | null = null;
/** Resolves when the run that goes on has ended. */
let under: Promise<void> = Promise.resolve();
let work: AbortController | null = null;

async function rom(sha256: string): Promise<Uint8Array | null> {
  return sha256 === CARTRIDGES.paddle ? paddleRom() : (roms.get(sha256) ?? null);
}

/** Who answers. A recording takes the place of the provider; its digest is in the plan. */
function providerOf(
  id: string,
  settings: PongStart['provider']['settings'],
  { key }: PongSecrets,
): Provider | null {
  if (id === 'local') return null;
  if (id === 'scripted') return new ScriptedDecisions();
  if (id !== 'recorded') return liveDecisions(id, settings, key);
  if (recording !== null) return recording.provider();
  throw new PixelproofError('recording_invalid', 'Choose the recorded exchanges first.', { got: 'none' });
}

async function planOf({ parameters, provider }: PongStart): Promise<Plan> {
  const asked =
    provider.id === 'recorded' && recording !== null
      ? recording.provider().description
      : pongControlsLab.asked(provider.id, provider.settings);
  const recorded =
    provider.id === 'recorded' && recording !== null
      ? { recording: recording.digest, expected_model: recording.expectedModel }
      : {};
  return pongControlsLab.experiment.plan({ ...parameters, ...recorded }, asked);
}

/** How often the page hears of a run, in milliseconds. */
const EVERY_MS = 100;

async function execute(
  run: string,
  plan: Plan,
  provider: Provider | null,
  description: RunHeader['provider'],
  onProgress: (progress: PongProgress) => void,
): Promise<RunHeader> {
  if (running !== null)
    throw new PixelproofError('run_locked', 'A comparison is already running in this tab.', { got: run });
  running = new AbortController();
  const { signal } = running;
  let ended = () => {};
  under = new Promise((resolve) => {
    ended = resolve;
  });
  const into = await store();
  let latest: Progress | null = null;
  let told = 0;
  const tell = (now: number): void => {
    if (latest === null) return;
    told = now;
    const { maxDecisions } = comparisonOf(plan);
    onProgress({ ...latest, decision: watch.decision + 1, decisions: maxDecisions, points: watch.take() });
  };
  const onStep = (): void => {
    const now = performance.now();
    if (now - told >= EVERY_MS) tell(now);
  };
  lendPong(runHost({ store: into, run, plan, provider, rom, signal, watch, onStep }));
  try {
    const { header } = await executeRun({
      store: into,
      locks,
      run,
      experiment: pongControlsLab.experiment,
      plan,
      answers: answersFor(description, plan),
      signal,
      onProgress: (progress) => {
        latest = progress;
        onStep();
      },
      clock: () => performance.now(),
    });
    return header;
  } finally {
    tell(performance.now());
    lendPong(null);
    running = null;
    ended();
  }
}

let looking: Looking | null = null;

function look(): Looking {
  if (looking !== null) return looking;
  throw new PixelproofError('pong_record', 'No run is open.', { got: 'none' });
}

const sent = (picture: PongPicture) => transfer(picture, [picture.rgba.buffer]);

/** One piece of long work at a time, which `cancelWork` ends. */
async function working<T>(does: (signal: AbortSignal) => Promise<T>): Promise<T> {
  work?.abort(new DOMException('Other work was begun.', 'AbortError'));
  const mine = new AbortController();
  work = mine;
  try {
    return await does(mine.signal);
  } finally {
    if (work === mine) work = null;
    // Replay and film leave the machine elsewhere.
    looking?.forgetPlayer();
  }
}

let swept: Promise<PongCartridge> | null = null;

export const api: PongApi = {
  async onStoreEvent(listener) {
    kept.onEvent(listener);
  },

  async useStore(port, always, lend) {
    kept.inMemory(lentStore(port, lend), always);
  },

  async letGo() {
    running?.abort(new DOMException('The site is reset.', 'AbortError'));
    await under;
    await kept.close();
  },

  async insert(bytes) {
    const { name, md5, sha256 } = await insertCartridge(bytes);
    roms.set(sha256, bytes);
    swept = null;
    if (name === 'pong') swept = insertCartridge(bytes);
    return { name, md5, sha256 };
  },

  async preview(start) {
    const { hash, maxDecisions, schedule, arms } = comparisonOf(await planOf(start));
    const models = arms.filter(({ kind }) => kind === 'model').map(({ id }) => id);
    const calls = schedule.filter(({ arm }) => models.includes(arm)).length * maxDecisions;
    return { hash, calls, decisions: schedule.length * maxDecisions };
  },

  async lendRecording(files) {
    recording = await recordingOf(files);
    const { lines, digest, model, backend } = recording;
    return { exchanges: lines.length, digest, model, backend };
  },

  async start(start, secrets, onHeader, onProgress) {
    const plan = await planOf(start);
    const provider = providerOf(start.provider.id, start.provider.settings, secrets);
    const description = provider?.description ?? pongControlsLab.asked('local', {});
    const run = `${plan.experiment}-${crypto.randomUUID()}`;
    const header = await (await store()).create({
      run,
      plan,
      provider: description,
      environment: await environmentRecord(),
      origin: 'here',
    });
    onHeader(header);
    return execute(run, plan, provider, description, onProgress);
  },

  async resume(run, secrets, onProgress) {
    const from = await store();
    const header = await from.header(run);
    if (header === null)
      throw new PixelproofError('store_run_missing', 'There is no such run here.', { got: run });
    requireResumable(header);
    const { plan } = await from.plan(run);
    const { provider: asked } = header;
    const id = asked.kind === 'replayed' ? 'recorded' : asked.id;
    const provider = providerOf(id, { model: asked.model, base_url: asked.base_url }, secrets);
    return execute(run, plan, provider, asked, onProgress);
  },

  async cancel() {
    running?.abort(new DOMException('Cancelled.', 'AbortError'));
  },

  async watch(onPicture) {
    watch.look((picture) => onPicture(sent(picture)));
  },

  async unwatch() {
    watch.look(null);
  },

  async unpack(zip) {
    return (await unpackPictures(zip)).map(({ name, blob }) => ({ path: name, blob }));
  },

  async open(source) {
    looking = null;
    let tree: OpenedTree;
    if ('run' in source) {
      const stored = await storedRun(await store(), source.run);
      tree = await openTree(await treeOfRun(stored), source.run, stored.header);
    } else tree = await openTree(treeOfFiles(source.files), source.name, null);
    looking = new Looking(tree, rom);
    return { ...tree.view, playable: (await looking.cartridge()) !== null };
  },

  async timeline(seed, arm) {
    return (await look().file(seed, arm)).timeline;
  },

  async decision(seed, arm, decision) {
    return (await look().file(seed, arm)).decision(decision);
  },

  async picture(seed, arm, decision) {
    const here = look();
    if ((await here.cartridge()) === null) return null;
    return sent((await here.player(seed, arm)).picture(decision));
  },

  async branch(request) {
    return (await look().player(request.seed, request.arm)).explore(request);
  },

  async branchPictures(frame) {
    const pictures = look().branchPictures(frame) ?? null;
    if (pictures === null)
      throw new PixelproofError('pong_decision', 'No other action was taken yet.', { got: frame });
    return transfer(pictures, [pictures.recorded.rgba.buffer, pictures.other.rgba.buffer]);
  },

  replay: (seed, arm, onDecision) =>
    working(async (signal): Promise<ReplayView> => {
      const { report, difference } = await replayEpisode(look().tree.episode(seed, arm), {
        cartridge: await look().requireCartridge(),
        sha256: platformSha256,
        versions: ENGINE_VERSIONS,
        source: `${arm}/seed-${seed}`,
        signal,
        onDecision: (done) => {
          if (done % 25 === 0) onDecision(done);
        },
      });
      const frame = difference?.frame ?? null;
      return {
        verified: difference === null,
        status: String(report.status),
        decisions: Number(report.decisions),
        rawFrames: Number(report.raw_frames),
        report: pythonDocument(report),
        difference:
          difference === null
            ? null
            : {
                where: difference.where,
                expected: difference.expected,
                got: difference.got,
                rawFrame: frame?.rawFrame ?? null,
                recordedBoxes: frame === null ? null : boxesFromRam(Uint8Array.from(frame.recordedRam)),
                picture: frame === null ? null : rgbaOf(frame.picture),
                boxes: frame === null ? null : boxesFromRam(Uint8Array.from(frame.ram)),
                before: frame === null || frame.before === null ? null : rgbaOf(frame.before),
              },
      };
    }),

  audit: (onFinding) =>
    working(async (signal) => {
      const found = await look().cartridge();
      const replay =
        found === null ? null : { cartridge: found, sha256: platformSha256, versions: ENGINE_VERSIONS };
      let whole = true;
      for await (const finding of auditRun(look().tree.tree, { replay, signal })) {
        if (finding.level === 'failure') whole = false;
        onFinding(finding);
      }
      return whole;
    }),

  film: (seed, arms, onFrame) =>
    working(async (signal) => {
      const { rom: bytes } = await look().requireCartridge();
      const episodes = [];
      for (const arm of arms) {
        const { machine } = await insertCartridge(bytes);
        episodes.push({ machine, file: await look().file(seed, arm) });
      }
      const film = await filmOf(episodes, { signal, onFrame });
      return transfer(film, [film.bytes.buffer]);
    }),

  async cancelWork() {
    work?.abort(new DOMException('Cancelled.', 'AbortError'));
  },

  async sweepPlan(seeds, arms) {
    const named = sweepArms(armsNamed(arms));
    return { ...sweepSeeds(seeds), arms: named.map(({ id }) => id) };
  },

  async sweep(seed, arms, frames) {
    swept ??= paddleRom().then(insertCartridge);
    const { machine } = await swept;
    return sweepArms(armsNamed(arms)).map((arm) => sweepEpisode(machine, arm, seed, checkFrames(frames)));
  },

  async sweepSummary(seeds, arms, episodes, frames) {
    const sweep = new Sweep(sweepArms(armsNamed(arms)), seeds);
    for (const episode of episodes) sweep.add(episode);
    return sweep.summary((await (swept ?? paddleRom().then(insertCartridge))).sha256, frames);
  },
};
