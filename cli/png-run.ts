import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { JsonObject } from '../src/evidence/identity/json';
import { type PreparedRun, prepareRun } from '../src/lab/lab';
import type { RunRequest } from '../src/lab/request';
import { entriesFor } from '../src/providers/catalogue';
import type { Progress } from '../src/runner/experiment';
import { EXIT, type ExitCode } from './exit';
import { requireFitting, requirePlainResume } from './fitting';
import { prepareOutput } from './folder';
import { sayHowToGoOn, sayRefusal } from './go-on';
import { KEY_OPTION, lendKeyFrom } from './key';
import { takeModel, takeModelFolder } from './models';
import { MAX_IN_FLIGHT, MIN_INTERVAL, number } from './option';
import { errorRecord, printJson, say, sayError, shown, tell } from './output';
import { type RunResult, runInFolder } from './run';
import type { Session } from './session';
import { readShardFile, runShard, SHARD_FILE, type Shard, shardOption } from './shard';

interface Options {
  readonly provider?: string;
  readonly out: string;
  readonly fixture?: string;
  readonly variants?: string;
  readonly combinedCooldown?: string;
  readonly combinedLane?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly modelFile?: string;
  readonly modelCard?: string;
  readonly modelFolder?: string;
  readonly seed?: number;
  readonly timeout?: number;
  readonly confidenceThreshold?: number;
  readonly maxCases?: number;
  readonly writePngs?: boolean;
  readonly compileReports?: boolean;
  readonly stamp?: string;
  readonly shard?: Shard;
  readonly structured?: boolean;
  readonly maxTokens?: number;
  readonly serverTemperature?: boolean;
  readonly maxInFlight?: number;
  readonly minInterval?: number;
  readonly apiKeyEnv?: string;
  readonly resume: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

export function addRun(png: Command, session: Session): void {
  const providers = entriesFor('image-text-to-text').map(({ id }) => id);
  png
    .command('run')
    .description('run the benchmark and write its output tree as a verifiable folder')
    .option('--provider <id>', `${providers.join(', ')} (needed unless --resume)`)
    .requiredOption('--out <dir>', 'output folder')
    .option('--fixture <name>', 'smoke (8 states) or canonical (112)')
    .option('--variants <list>', 'comma list, in order; default: the six of Stage 2E')
    .option('--combined-cooldown <id>', 'for combined-v1: its cooldown part')
    .option('--combined-lane <id>', 'for combined-v1: its lane part')
    .option('--base-url <url>', 'the server; default: the provider’s usual address')
    .option('--model <name>', 'default: the provider’s usual model; of Ollama qwen3.5')
    .option('--model-file <file>', 'classifier: an ONNX file of yours')
    .option('--model-card <file>', 'classifier: its card, JSON')
    .option(
      '--model-folder <dir>',
      'transformers: the folder of a model; --model then says name and precision',
    )
    .option('--seed <n>', 'default 0', number)
    .option('--timeout <seconds>', 'for each call; default 180', number)
    .option('--structured', 'hold the reply to a JSON Schema; another plan than the published one')
    .option('--max-tokens <n>', 'of a reply; default 128, as published', number)
    .option('--server-temperature', 'send no temperature, for models that take none')
    .option(...MAX_IN_FLIGHT)
    .option(...MIN_INTERVAL)
    .option(...KEY_OPTION)
    .option('--confidence-threshold <x>', '0 to 1; default 0', number)
    .option('--max-cases <n>', 'only the first n states', number)
    .option('--write-pngs', 'put the pictures into the output tree (the default)')
    .option('--no-write-pngs', 'leave the pictures out of the output tree')
    .option('--compile-reports', 'write report.json for each variant')
    .option('--stamp <stamp>', 'UTC YYYYMMDDTHHMMSSZ, enters the reference’s frame and case ids')
    .option('--shard <i/n>', 'only part i of n of the cases, for `pixelproof merge`', shardOption)
    .option('--resume', 'go on with the run in --out', false)
    .option('--force', 'replace the run in --out', false)
    .option('--json', 'print the result as JSON', false)
    .action(async (options: Options, command: Command) => {
      requireFitting(command, options.provider);
      if (options.resume && options.provider === undefined)
        requirePlainResume(command, [...Object.keys(PARAMETERS), 'variants']);
      lendKeyFrom(options.apiKeyEnv);
      if (options.modelFolder !== undefined) takeModelFolder(options.modelFolder);
      const own = await ownModelOf(options, command);
      const request = requestOf(options, command, own);
      // The plan first: a refused one must not touch what is in the folder.
      const prepared = request === null ? null : await prepareRun(request);
      await prepareOutput(options.out, options);
      const { shard } = options;
      if (shard !== undefined || (options.resume && existsSync(join(options.out, SHARD_FILE)))) {
        await part(options, prepared, session);
        return;
      }
      const result = await runInFolder({
        out: options.out,
        prepared,
        kept: options,
        signal: session.signal,
        onProgress: progressLine(),
      });
      if (result.error !== null) sayError(result.error);
      if (result.refusal !== null) sayRefusal(result.refusal);
      if (options.json) printJson(summary(options.out, result));
      else sayResult(options.out, result);
      if (result.status !== 'complete') sayHowToGoOn('png run', options);
      session.exit(exitOf(result));
    });
}

/** One part of a run. It has no report and no root digest: those are the whole run's. */
async function part(options: Options, prepared: PreparedRun | null, session: Session): Promise<void> {
  const { out, shard, resume, json } = options;
  // A folder with a whole run has nothing that a part could go on with.
  if (resume) readShardFile(out);
  const result = await runShard(out, prepared, shard ?? null, options, session.signal, progressLine());
  const { index, count, status, done, total, error } = result;
  if (error !== null) sayError(error);
  if (json) printJson({ out, ...result, error: error === null ? null : errorRecord(error) });
  else tell(`${out}: part ${index}/${count} ${status}, ${done} of ${total} cases`);
  if (status !== 'complete') sayHowToGoOn('png run', options);
  session.exit(exitOf(result));
}

/** Option names of the plan's parameters. */
const PARAMETERS = {
  fixture: 'fixture',
  combinedCooldown: 'combined_cooldown',
  combinedLane: 'combined_lane',
  baseUrl: 'base_url',
  model: 'model',
  seed: 'seed',
  timeout: 'timeout',
  confidenceThreshold: 'confidence_threshold',
  maxCases: 'max_cases',
  writePngs: 'write_pngs',
  compileReports: 'compile_reports',
  stamp: 'stamp',
  structured: 'structured',
  maxTokens: 'max_tokens',
  serverTemperature: 'server_temperature',
  maxInFlight: 'max_in_flight',
  minInterval: 'min_interval_ms',
} as const;

/** The identity of a person's own model, which is lent to the run; null where none is given. */
async function ownModelOf({ modelFile, modelCard }: Options, command: Command): Promise<string | null> {
  if (modelFile === undefined && modelCard === undefined) return null;
  if (modelFile === undefined || modelCard === undefined)
    command.error('error: --model-file and --model-card belong together');
  return takeModel(modelFile, modelCard);
}

/** Null on a resume that names no provider: everything comes from the stored plan then. */
function requestOf(options: Options, command: Command, own: string | null): RunRequest | null {
  if (options.provider === undefined) {
    if (options.resume) return null;
    command.error("error: required option '--provider <id>' not specified");
  }
  const parameters: Record<string, JsonObject[string]> = {};
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = options[option as keyof typeof PARAMETERS];
    if (value !== undefined && command.getOptionValueSource(option) === 'cli') parameters[parameter] = value;
  }
  if (options.variants !== undefined)
    parameters.variants = options.variants.split(',').map((name) => name.trim());
  if (own !== null) parameters.model = own;
  if (options.resume) parameters.resume = true;
  return {
    experiment: 'png-representation',
    parameters,
    provider: { id: options.provider ?? '', settings: {} },
  };
}

/** At most ten lines a second on a terminal, and one a tenth of the run otherwise. */
function progressLine(): (progress: Progress) => void {
  let last = 0;
  let told = -1;
  return ({ done, total, now, left_ms }) => {
    const left = left_ms === null ? '' : `, about ${Math.ceil(left_ms / 1000)} s left`;
    if (process.stderr.isTTY) {
      if (Date.now() - last < 100 && done < total) return;
      last = Date.now();
      process.stderr.write(`\r\u001b[K${done} / ${total}  ${shown(now)}${left}${done === total ? '\n' : ''}`);
      return;
    }
    const tenth = Math.floor((done / total) * 10);
    if (tenth === told) return;
    told = tenth;
    say(`${done} / ${total}  ${now}${left}`);
  };
}

function exitOf({ status, error }: Pick<RunResult, 'error'> & { readonly status: string }): ExitCode {
  if (status === 'complete') return EXIT.complete;
  if (status === 'cancelled') return EXIT.cancelled;
  const plumbing = error !== null && /^(?:provider|model)_|^answer_not_recorded$/.test(error.code);
  return plumbing ? EXIT.infrastructure : EXIT.difference;
}

function summary(
  out: string,
  { status, plan_id, root_digest, done, total, calls, unfinished_calls, error, report }: RunResult,
): JsonObject {
  return {
    out,
    status,
    plan_id,
    root_digest,
    done,
    total,
    calls,
    unfinished_calls,
    error: error === null ? null : { code: error.code, message: error.message },
    kind: report.kind ?? null,
    comparison: report.comparison ?? null,
    interpretation: report.interpretation ?? null,
    published: report.published ?? null,
  };
}

function sayResult(
  out: string,
  { status, root_digest, done, total, calls, unfinished_calls, report }: RunResult,
): void {
  const lines = [`${out}: ${status}, ${done} of ${total} cases, ${calls} calls`];
  if (unfinished_calls > 0) {
    lines.push(`${unfinished_calls} of them begun and never ended: the program was stopped during the call`);
  }
  if (root_digest !== null) lines.push(`root digest ${root_digest}`);
  const comparison = report.comparison as {
    classifications: Record<string, { label: string; reasoning: string }>;
  } | null;
  for (const [variant, { label, reasoning }] of Object.entries(comparison?.classifications ?? {})) {
    lines.push(`  ${variant}: ${label} (${reasoning})`);
  }
  tell(...lines);
}
