import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { bundleContents, writeDirectoryBundle } from '../src/evidence/bundle';
import {
  armsNamed,
  type ComparisonEnd,
  type ComparisonPlan,
  ENGINE_VERSIONS,
  LOCAL_ARMS,
  LOCAL_PLAYERS,
  leftFiles,
  MODEL,
  type ModelRequest,
  makePlan,
  NON_CLAIMS,
  outputFiles,
  type Program,
  PUBLISHED_VERSIONS,
  parseProgram,
  runComparison,
  treeRun,
} from '../src/experiments/pong-controls';
import { DECISION_BACKENDS, decisionBackend, keyNameOf } from '../src/providers/decision-backends';
import type { Provider } from '../src/providers/provider';
import { RecordedDecisions } from '../src/providers/recorded-decisions';
import { ScriptedDecisions } from '../src/providers/scripted-decisions';
import { readFileOf } from './atari-rom';
import { EXIT, type ExitCode } from './exit';
import { writing } from './folder';
import { KEY_OPTION } from './key';
import { nodeSha256 } from './node-sha256';
import { listOf, numberOf } from './option';
import { errorRecord, exitCodeOf, printJson, say, sayError, shown, tell } from './output';
import { type CartridgeOptions, cartridgeOf } from './pong-cartridge';
import { bundleAround, FolderFiles, folderTree } from './pong-folder';
import { PongVideo } from './pong-video';
import { environmentRecord } from './run';
import type { Session } from './session';

interface Options extends CartridgeOptions {
  readonly arms?: string;
  readonly seeds?: string;
  readonly frames?: string;
  readonly out: string;
  readonly backend: string;
  readonly model?: string;
  readonly expectedModel?: string;
  readonly baseUrl?: string;
  readonly maxApiCalls?: string;
  readonly baselineProgram?: string;
  readonly candidateProgram?: string;
  readonly sourceRevision?: string;
  readonly recorded?: string;
  readonly apiKeyEnv?: string;
  readonly publishedCompatible: boolean;
  readonly video: boolean;
  readonly json: boolean;
}

export function addPongRun(pong: Command, session: Session): void {
  pong
    .command('run')
    .description('play the arms on the seeds and write every file of the protocol, as a verifiable folder')
    .option('--arms <list>', `comma list; default ${LOCAL_ARMS.join(',')}`)
    .option('--seeds <list>', 'development seeds; default 36,37,46,47')
    .option('--frames <n>', 'frames of an episode, a multiple of 4; default 2000')
    .option('--rom <file>', 'the Pong cartridge')
    .option('--cartridge <name>', 'paddle: the cartridge that comes with this program')
    .requiredOption('--out <dir>', 'a folder that does not exist yet')
    .option('--backend <name>', `for model arms: ${DECISION_BACKENDS.join(', ')} or scripted`, 'jev')
    .option('--model <id>', `default ${MODEL}`)
    .option('--expected-model <id>', 'the model that replies must name, where --model is an alias')
    .option('--base-url <url>', 'another address of the backend, such as a relay of yours')
    .option(...KEY_OPTION)
    .option('--max-api-calls <n>', 'HTTP attempts of the whole run, retries included; default 4400')
    .option('--baseline-program <file>', 'the question of jev-original')
    .option('--candidate-program <file>', 'the question of jev-vertical')
    .option('--source-revision <text>', 'enters the plan')
    .option('--recorded <path>', 'answer model arms from a model-exchanges.jsonl, or from all of a run')
    .option('--published-compatible', 'write the published versions, to compare bytes', false)
    .option('--video', 'write replay.apng for each episode, 60 frames a second', false)
    .option('--json', 'print the comparison as JSON', false)
    .action(async (options: Options) => {
      const cartridge = await cartridgeOf(options);
      const arms = armsNamed(options.arms === undefined ? LOCAL_ARMS : listOf(options.arms), {
        ...programOption('baseline', options.baselineProgram),
        ...programOption('candidate', options.candidateProgram),
      });
      const model = modelOf(options);
      const plan = makePlan({
        arms,
        ...(options.seeds === undefined
          ? {}
          : {
              seeds: listOf(options.seeds).map((text) =>
                numberOf('--seeds', text, 0, Number.MAX_SAFE_INTEGER),
              ),
            }),
        ...(options.frames === undefined ? {} : { frames: numberOf('--frames', options.frames, 1, 108_000) }),
        romSha256: cartridge.sha256,
        versions: options.publishedCompatible ? PUBLISHED_VERSIONS : ENGINE_VERSIONS,
        model,
        sourceRevision: options.sourceRevision ?? null,
      });
      const provider = plan.model === null ? null : providerOf(options, model.model);
      await freshFolder(options.out);
      const files = new FolderFiles(options.out);
      const video = options.video ? new PongVideo(files) : null;
      const started = performance.now();
      let end: ComparisonEnd;
      try {
        end = await runComparison({
          plan,
          machine: cartridge.machine,
          sha256: nodeSha256,
          provider,
          files,
          clock: () => performance.now() / 1000,
          signal: session.signal,
          onProgress: progress(started),
          ...(video === null ? {} : { onFrame: video.frame, onEpisode: video.episode }),
        });
      } finally {
        files.close();
      }
      const manifest = await writeBundle(options.out, plan, provider, end);
      if (end.error !== null && !session.signal.aborted) sayError(end.error);
      if (options.json) {
        printJson({
          out: options.out,
          status: end.status,
          plan_hash: plan.hash,
          plan_id: manifest.plan_id,
          root_digest: manifest.root_digest,
          kind: manifest.kind,
          error: end.error === null ? null : errorRecord(end.error),
          non_claims: NON_CLAIMS,
          comparison: JSON.parse(readFileSync(join(options.out, 'comparison.json'), 'utf8')),
        });
      } else sayResult(options.out, end, manifest.root_digest);
      session.exit(exitOf(end, session.signal.aborted));
    });
}

function programOption(name: 'baseline' | 'candidate', path: string | undefined): { [key: string]: Program } {
  if (path === undefined) return {};
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(readFileOf(path)));
  } catch (cause) {
    if (cause instanceof PixelproofError) throw cause;
    throw new PixelproofError('file_not_json', 'The file is not JSON.', { got: path, cause });
  }
  return { [name]: parseProgram(json) };
}

function modelOf(options: Options): ModelRequest {
  const { backend, expectedModel, maxApiCalls } = options;
  if (backend === 'openrouter' && expectedModel === undefined && options.recorded === undefined) {
    throw new PixelproofError(
      'plan_model',
      'OpenRouter answers under another model name; declare it up front.',
      {
        expected: '--expected-model typesafe/…',
        got: 'none',
      },
    );
  }
  if (backend === 'openrouter' && expectedModel !== undefined && !expectedModel.startsWith('typesafe/')) {
    throw new PixelproofError('plan_model', 'OpenRouter answers with a model of typesafe/.', {
      expected: '--expected-model typesafe/…',
      got: expectedModel,
    });
  }
  const scripted = backend === 'scripted' ? new ScriptedDecisions().description.model : MODEL;
  return {
    backend,
    model: options.model ?? scripted,
    expectedModel: expectedModel ?? null,
    ...(maxApiCalls === undefined
      ? {}
      : { maxApiCalls: numberOf('--max-api-calls', maxApiCalls, 1, 1_000_000) }),
  };
}

function providerOf(options: Options, model: string): Provider {
  const { backend, baseUrl, recorded } = options;
  if (recorded !== undefined) return new RecordedDecisions(recordedLines(recorded), { id: backend, model });
  if (backend === 'scripted') return new ScriptedDecisions();
  const name = options.apiKeyEnv ?? keyNameOf(backend);
  const key = name === null ? null : (process.env[name] ?? null);
  return decisionBackend(backend, { baseUrl: baseUrl ?? null, model, key });
}

/** Lines of an exchange file, or of every one below a folder in the order of their ids. */
function recordedLines(path: string): string[] {
  const linesOf = (bytes: Uint8Array) =>
    new TextDecoder()
      .decode(bytes)
      .split('\n')
      .filter((line) => line !== '');
  if (!existsSync(path) || !statSync(path).isDirectory()) return linesOf(readFileOf(path));
  const id = (line: string) => Number(/^\{"exchange_id": (\d+)/.exec(line)?.[1] ?? 0);
  return folderTree(path)
    .paths.filter((file) => file.endsWith('model-exchanges.jsonl'))
    .flatMap((file) => linesOf(readFileOf(join(path, file))))
    .sort((a, b) => id(a) - id(b));
}

/** Throws `output_exists` and `output_unwritable`. */
async function freshFolder(out: string): Promise<void> {
  if (existsSync(out)) {
    throw new PixelproofError('output_exists', `${out} exists already; a run writes into a new folder only.`);
  }
  await writing(out, async () => mkdirSync(out, { recursive: true }));
}

async function writeBundle(out: string, plan: ComparisonPlan, provider: Provider | null, end: ComparisonEnd) {
  const tree = folderTree(out);
  const asked = provider?.description ?? LOCAL_PLAYERS;
  const source = await treeRun(tree, plan, {
    run: `pong-controls-${randomUUID()}`,
    kind: asked.kind,
    provider: asked,
    environment: environmentRecord(),
    created_at: new Date().toISOString(),
    complete: end.status === 'complete',
    stopped: null,
  });
  const contents = bundleContents(source, outputFiles, () => leftFiles(tree));
  return writeDirectoryBundle(contents, bundleAround(out, tree));
}

/** One line on a terminal, a line an episode otherwise. */
function progress(started: number): NonNullable<Parameters<typeof runComparison>[0]['onProgress']> {
  let last = 0;
  return ({ episode, episodes, at, decision, decisions, calls }) => {
    const done = episode + decision / decisions;
    const left = done === 0 ? 0 : ((performance.now() - started) / done) * (episodes - done);
    const text = `${episode + 1} / ${episodes}  ${at.arm}, seed ${at.seed}, decision ${decision} of ${decisions}, ${calls} calls`;
    if (process.stderr.isTTY) {
      const now = performance.now();
      if (now - last < 100 && decision < decisions) return;
      last = now;
      process.stderr.write(
        `\r\u001b[K${shown(text)}, about ${Math.ceil(left / 1000)} s left${done === episodes ? '\n' : ''}`,
      );
    } else if (decision === 0) say(text);
  };
}

function exitOf({ status, error }: ComparisonEnd, cancelled: boolean): ExitCode {
  if (status === 'complete') return EXIT.complete;
  if (cancelled) return EXIT.cancelled;
  const code = error instanceof PixelproofError ? error.code : '';
  if (code === 'answer_not_recorded') return EXIT.infrastructure;
  return exitCodeOf(error) === EXIT.infrastructure ? EXIT.infrastructure : EXIT.difference;
}

function sayResult(out: string, end: ComparisonEnd, root: string): void {
  const lines = [`${out}: ${end.status}, ${end.episodes.length} episodes`, `root digest ${root}`];
  const { totals, error_type } = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8')) as {
    totals: Record<string, { reward: number; points_scored: number; points_lost: number }>;
    error_type?: string;
  };
  for (const [arm, { reward, points_scored, points_lost }] of Object.entries(totals))
    lines.push(`  ${arm}: ${points_scored} scored, ${points_lost} lost, net ${reward}`);
  if (error_type !== undefined) lines.push(`  stopped: ${error_type}; nothing may be concluded`);
  tell(...lines);
}
