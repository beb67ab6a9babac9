import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import { pyToPlain } from '../src/evidence/identity/python-json';
import type { Finding } from '../src/evidence/verify/finding';
import {
  auditRun,
  checkArchive,
  ENGINE_VERSIONS,
  inspectStep,
  jsonDocument,
  type ReplayResult,
  type RunTree,
  replayEpisode,
  subtree,
} from '../src/experiments/pong-controls';
import { encodePng } from '../src/pixels/png-encode';
import { readFileOf } from './atari-rom';
import { EXIT } from './exit';
import { nodeSha256 } from './node-sha256';
import { numberOf } from './option';
import { printJson, say, tell } from './output';
import { type CartridgeOptions, cartridgeOf } from './pong-cartridge';
import { recordedAt } from './pong-folder';
import type { Session } from './session';

interface Place {
  readonly arm?: string;
  readonly seed?: string;
}

/** The episodes at a path: the one that lies there, or those of a run, narrowed by `--arm` and `--seed`. */
async function episodesAt(path: string, { arm, seed }: Place): Promise<{ name: string; tree: RunTree }[]> {
  const { kind, tree } = await recordedAt(path);
  if (kind === 'episode') return [{ name: path, tree }];
  const found = tree.paths
    .filter((one) => one.endsWith('/manifest.json'))
    .map((one) => one.slice(0, -'/manifest.json'.length))
    .filter(
      (name) =>
        (arm === undefined || name.startsWith(`${arm}/`)) &&
        (seed === undefined || name.endsWith(`/seed-${seed}`)),
    );
  if (found.length > 0) return found.map((name) => ({ name, tree: subtree(tree, name) }));
  throw new PixelproofError('pong_record', 'The run has no such episode.', {
    expected: 'an arm and a seed of the run',
    got: `${arm ?? 'any arm'}, seed ${seed ?? 'any'}`,
  });
}

export function addPongReplay(pong: Command, session: Session): void {
  pong
    .command('replay')
    .description('execute recorded actions again and compare RAM and picture of every frame')
    .argument('<path>', 'an episode or a run: folder or ZIP')
    .option('--rom <file>', 'the Pong cartridge')
    .option('--cartridge <name>', 'paddle')
    .option('--arm <name>', 'of a run: only this arm')
    .option('--seed <n>', 'of a run: only this seed')
    .option('--out <dir>', 'write verification.json there, and the pictures of a difference')
    .option('--json', 'print the reports as JSON', false)
    .action(async (path: string, options: CartridgeOptions & Place & { out?: string; json: boolean }) => {
      const cartridge = await cartridgeOf(options);
      const reports: unknown[] = [];
      let ok = true;
      for (const { name, tree } of await episodesAt(path, options)) {
        const result = await replayEpisode(tree, {
          cartridge,
          sha256: nodeSha256,
          versions: ENGINE_VERSIONS,
          source: name,
          signal: session.signal,
        });
        const report = pyToPlain(result.report) as Record<string, unknown>;
        reports.push(report);
        if (result.difference !== null) ok = false;
        if (options.out !== undefined) writeReplay(join(options.out, name === path ? '' : name), result);
        if (!options.json) sayReplay(name, result);
      }
      if (options.json) printJson(reports.length === 1 ? reports[0] : reports);
      session.exit(ok ? EXIT.complete : EXIT.difference);
    });
}

function writeReplay(folder: string, { report, difference }: ReplayResult): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'verification.json'), jsonDocument(report));
  const frame = difference?.frame ?? null;
  if (frame === null) return;
  const png = (data: Uint8Array<ArrayBuffer>) => encodePng({ width: 160, height: 210, data });
  if (frame.before !== null) writeFileSync(join(folder, 'difference-before.png'), png(frame.before));
  writeFileSync(join(folder, 'difference-replayed.png'), png(frame.picture));
}

function sayReplay(name: string, { report, difference }: ReplayResult): void {
  const relaxed = 'protocol_relaxed' in report ? ' (versions of the protocol differ)' : '';
  if (difference === null) {
    tell(`${name}: ${report.status}, ${report.raw_frames} frames equal${relaxed}`);
    return;
  }
  say(`${name}: differs at ${difference.where}`);
  say(`  expected: ${difference.expected}`);
  say(`  got:      ${difference.got}`);
}

export function addPongInspect(pong: Command): void {
  pong
    .command('inspect')
    .description('one decision: what was seen, asked, answered and done, and what the 4 px rule would do')
    .argument('<path>', 'an episode, or a run with --arm and --seed')
    .requiredOption('--decision <n>', 'counted from 0')
    .option('--arm <name>', 'of a run: the arm')
    .option('--seed <n>', 'of a run: the seed')
    .option('--json', 'print JSON (the default is a summary)', false)
    .action(async (path: string, options: Place & { decision: string; json: boolean }) => {
      const decision = numberOf('--decision', options.decision, 0, 1_000_000);
      const [episode, second] = await episodesAt(path, options);
      if (episode === undefined || second !== undefined) {
        throw new PixelproofError('usage_conflict', 'Name one episode: --arm and --seed.');
      }
      const step = await inspectStep(episode.tree, decision);
      if (options.json) {
        printJson({
          decision: pyToPlain(step.decision),
          request: pyToPlain(step.request),
          response: pyToPlain(step.response),
          input_origin: step.input_origin,
          rule_4px_action: step.rule_4px_action,
          follows_rule_4px: step.follows_rule_4px,
          frames: step.frames.map(pyToPlain),
        });
        return;
      }
      const { action, rewards, prediction } = pyToPlain(step.decision) as Record<string, unknown>;
      tell(
        `${episode.name}, decision ${decision}: action ${action}, 4 px rule ${step.rule_4px_action}` +
          `${step.follows_rule_4px ? '' : ' (differs)'}, rewards ${JSON.stringify(rewards)}, input ${step.input_origin}`,
        `prediction ${JSON.stringify(prediction)}`,
      );
    });
}

export function addPongAudit(pong: Command, session: Session): void {
  pong
    .command('audit')
    .description('recompute a whole run from its files; with the cartridge, execute every episode again')
    .argument('<path>', 'a run, published or ours: folder or ZIP')
    .option('--rom <file>', 'the Pong cartridge')
    .option('--cartridge <name>', 'paddle')
    .option('--archive-manifest <file>', 'an experiment-archive-v1 manifest that the ZIP must fit')
    .option('--json', 'print the result as JSON', false)
    .action(async (path: string, options: CartridgeOptions & { archiveManifest?: string; json: boolean }) => {
      const { kind, tree, archive, whole } = await recordedAt(path);
      if (kind !== 'run') {
        throw new PixelproofError('pong_record', 'An audit is of a whole run.', {
          expected: 'plan.json',
          got: 'one episode',
        });
      }
      const bare = options.rom === undefined && options.cartridge === undefined;
      const cartridge = bare ? null : await cartridgeOf(options);
      const findings: Finding[] = [];
      if (options.archiveManifest !== undefined) {
        const manifest: unknown = JSON.parse(new TextDecoder().decode(readFileOf(options.archiveManifest)));
        for await (const finding of checkArchive(manifest, archive ?? new Uint8Array(), whole))
          findings.push(finding);
      }
      const replay = cartridge === null ? null : { cartridge, sha256: nodeSha256, versions: ENGINE_VERSIONS };
      const audit = auditRun(tree, {
        replay,
        signal: session.signal,
        onEpisode: (done, total) => say(`${done} / ${total} episodes`),
      });
      for await (const finding of audit) findings.push(finding);
      const failures = findings.filter(({ level }) => level === 'failure');
      const ok = failures.length === 0;
      if (options.json) {
        const status = ok ? 'verified' : 'failed';
        printJson({ kind: 'pong-controls-audit-v1', status, replayed: cartridge !== null, findings });
      } else {
        for (const { where, message, expected, got } of failures) {
          say(where, `  ${message}`);
          if (expected !== undefined) say(`  expected: ${expected}`, `  got:      ${got}`);
        }
        for (const { level, message } of findings) if (level === 'warning') say(message);
        tell(
          `${path}: ${ok ? 'verified' : `NOT verified: ${failures.length} ${failures.length === 1 ? 'difference' : 'differences'}`}`,
        );
      }
      session.exit(ok ? EXIT.complete : EXIT.difference);
    });
}
