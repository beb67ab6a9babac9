import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { PixelproofError } from '../src/errors';
import { bundleRun, openBundle } from '../src/evidence/bundle';
import type { JsonObject } from '../src/evidence/identity/json';
import { sha256Large } from '../src/evidence/identity/sha256';
import type { RunSource } from '../src/evidence/run';
import {
  attemptOf,
  checkFixture,
  GATES,
  receiptOf,
  receiptText,
  type VisionPlan,
} from '../src/experiments/vision-controls';
import { prepareRun } from '../src/lab/lab';
import type { RunRequest } from '../src/lab/request';
import { lendVision } from '../src/lab/vision-controls';
import { type VisionOutcome, visionOutcome } from '../src/lab/vision-outcome';
import { entriesFor } from '../src/providers/catalogue';
import { EXIT, type ExitCode } from './exit';
import { requirePlainResume } from './fitting';
import { folderBundle, prepareOutput } from './folder';
import { sayHowToGoOn } from './go-on';
import { KEY_OPTION, lendKeyFrom } from './key';
import { takeModelFolder } from './models';
import { MAX_IN_FLIGHT, MIN_INTERVAL, number } from './option';
import { errorRecord, printJson, say, tell } from './output';
import { type RunResult, runInFolder } from './run';
import type { Session } from './session';
import { readFixtureFolder } from './vision-folder';

interface Options {
  readonly provider?: string;
  readonly fixture?: string;
  readonly out: string;
  readonly gate?: string;
  readonly template?: string;
  readonly annotation?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly modelFolder?: string;
  readonly timeout?: number;
  readonly nProbs?: number;
  readonly apiKeyEnv?: string;
  readonly maxInFlight?: number;
  readonly minInterval?: number;
  readonly resume: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** Options that a stored plan has already. A folder of pictures is no such: the pictures are needed again. */
const OF_THE_PLAN = [
  'gate',
  'template',
  'annotation',
  'baseUrl',
  'model',
  'timeout',
  'nProbs',
  'maxInFlight',
  'minInterval',
];
const NAMED_FIXTURES = ['demo', 'five-row', 'six-row'];
/** What an unfinished attempt leaves beside its journal: why it stopped, and the figures that there are. */
const ATTEMPT = 'attempt.json';

export function addVisionRun(vision: Command, session: Session): void {
  const providers = entriesFor('image-text-to-choices').map(({ id }) => id);
  vision
    .command('run')
    .description('run the fifteen controls and write a verifiable folder with a receipt')
    .option('--provider <id>', providers.join(', '))
    .requiredOption('--out <dir>', 'output folder')
    .option(
      '--fixture <name or folder>',
      'demo, five-row, six-row, or a folder with manifest.json; default demo',
    )
    .addOption(new Option('--gate <name>', 'which gate; default smoke').choices([...GATES]))
    .addOption(
      new Option('--template <name>', 'the native turn wrapper that is required').choices([
        'native_gemma3_turn',
        'native_gemma4_turn',
      ]),
    )
    .addOption(new Option('--annotation <how>', 'the annotation leg').choices(['picture', 'text', 'none']))
    .option('--base-url <url>', 'the server; default: the provider’s usual loopback port')
    .option('--model <id>', 'default of a local server: gemma-3-4b-it-q4km-mm')
    .option(
      '--model-folder <dir>',
      'transformers: the folder of a model; --model then says name and precision',
    )
    .option('--timeout <seconds>', 'for each call; default 900', number)
    .option('--n-probs <n>', 'candidates to list; default 256', number)
    .option(...MAX_IN_FLIGHT)
    .option(...MIN_INTERVAL)
    .option(...KEY_OPTION)
    .option('--resume', 'go on with the run in --out', false)
    .option('--force', 'replace the run in --out', false)
    .option('--json', 'print the result as JSON', false)
    .action(async (options: Options, command: Command) => {
      if (options.resume && options.provider === undefined) requirePlainResume(command, OF_THE_PLAN);
      if (options.modelFolder !== undefined) takeModelFolder(options.modelFolder);
      const request = await requestOf(options, command);
      // The plan first: a refused one must not touch what is in the folder.
      const prepared = request === null ? null : await prepareRun(request);
      await prepareOutput(options.out, options);
      await rm(join(options.out, ATTEMPT), { force: true });
      let told = -1;
      const result = await runInFolder({
        out: options.out,
        prepared,
        kept: options,
        signal: session.signal,
        onProgress: ({ done, total, now }) => {
          if (done !== told) say(`${done} / ${total}  ${now}`);
          told = done;
        },
      });
      const outcome = visionOutcome(result.status, result.error, result, result.report);
      const summary = summaryOf(options.out, result, outcome);
      if (result.status !== 'complete') await keepAttempt(options.out, summary);
      if (options.json) printJson(summary);
      else sayResult(options.out, result, outcome);
      if (result.status !== 'complete') sayHowToGoOn('vision run', options);
      session.exit(exitOf(outcome));
    });
}

/** The receipt of what was scored before the run stopped, beside why it stopped. Gone once the run is complete. */
async function keepAttempt(out: string, summary: JsonObject): Promise<void> {
  const source = await bundleRun(await openBundle(folderBundle(out)));
  const run = source as RunSource<VisionPlan>;
  const receipt = await receiptOf(run, await attemptOf(run, String(summary.result), codeOf(summary)));
  await writeFile(join(out, ATTEMPT), receiptText({ ...summary, receipt }));
}

function codeOf({ error }: JsonObject): string | null {
  const code = (error as JsonObject | null)?.code;
  return typeof code === 'string' ? code : null;
}

/** Null on a resume that names no provider: everything comes from the stored plan then. */
async function requestOf(options: Options, command: Command): Promise<RunRequest | null> {
  const { provider, fixture, apiKeyEnv } = options;
  const folder = fixture === undefined || NAMED_FIXTURES.includes(fixture) ? null : fixture;
  const manifest = await lend(folder, provider, apiKeyEnv);
  if (provider === undefined) {
    if (options.resume) return null;
    command.error("error: required option '--provider <id>' not specified");
  }
  const parameters: Record<string, JsonObject[string]> = {};
  if (provider !== 'replay') parameters.fixture = manifest ?? fixture ?? 'demo';
  else if (fixture !== undefined)
    say('The published receipt has its own fixture (six-row); --fixture is not used.');
  for (const [name, value] of [
    ['gate', options.gate],
    ['template', options.template],
    ['annotation', options.annotation],
    ['base_url', options.baseUrl],
    ['model', options.model],
    ['timeout', options.timeout],
    ['n_probs', options.nProbs],
    ['max_in_flight', options.maxInFlight],
    ['min_interval_ms', options.minInterval],
  ] as const) {
    if (value !== undefined) parameters[name] = value;
  }
  return { experiment: 'vision-controls', parameters, provider: { id: provider ?? '', settings: {} } };
}

/**
 * Makes a folder's pictures and a key known to the experiment, and gives the manifest's text; null without a folder.
 * Throws `fixture_incomplete` where a picture is missing or altered, before anything is asked: only the blind harness
 * looks at none.
 */
async function lend(
  folder: string | null,
  provider: string | undefined,
  apiKeyEnv: string | undefined,
): Promise<string | null> {
  const pictures = new Map<string, Uint8Array<ArrayBuffer>>();
  lendKeyFrom(apiKeyEnv);
  lendVision({ picture: async (sha256) => pictures.get(sha256) ?? null });
  if (folder === null) return null;
  const { manifest, files } = await readFixtureFolder(folder);
  for (const { bytes } of files) pictures.set(await sha256Large(bytes), bytes);
  const checked = await checkFixture(manifest, files);
  if (checked.error !== null) {
    const { code, message, expected, got } = checked.error;
    throw new PixelproofError(String(code), String(message), { expected, got });
  }
  const bad = checked.pictures.find(({ status }) => status !== 'ok');
  if (bad !== undefined && provider !== 'blind' && provider !== 'replay') {
    throw new PixelproofError(
      'fixture_incomplete',
      `The picture ${bad.file_name} is ${bad.status}; nothing was asked.`,
      { expected: 'every picture of the manifest, unchanged', got: bad.message ?? bad.status },
    );
  }
  return manifest;
}

function exitOf({ result }: VisionOutcome): ExitCode {
  if (result === 'pass') return EXIT.complete;
  if (result === 'cancelled') return EXIT.cancelled;
  return result === 'skip' || result === 'error' ? EXIT.infrastructure : EXIT.difference;
}

function summaryOf(out: string, result: RunResult, outcome: VisionOutcome): JsonObject {
  const { status, plan_id, root_digest, done, total, calls, error, report } = result;
  return {
    out,
    status,
    ...outcome,
    plan_id,
    root_digest,
    done,
    total,
    calls,
    error: error === null ? null : errorRecord(error),
    receipt: existsSync(join(out, 'receipt.json')) ? 'receipt.json' : null,
    ...report,
    cause: outcome.cause,
  };
}

function sayResult(out: string, result: RunResult, { result: word, cause }: VisionOutcome): void {
  const { done, total, calls, root_digest, report } = result;
  const lines = [`${out}: ${word}${cause === null ? '' : ` (${cause})`}`];
  lines.push(`${done} of ${total} controls, ${calls} calls, kind ${String(report.kind)}`);
  if (root_digest !== null) lines.push(`root digest ${root_digest}`);
  tell(...lines);
}
