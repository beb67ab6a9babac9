import type { Command } from 'commander';
import { ACTIONS, compareTrace, readTrace, recordTrace, type TraceRequest } from '../src/atari';
import { PixelproofError } from '../src/errors';
import { gameOf, readFileOf } from './atari-rom';
import { EXIT } from './exit';
import { numberOf } from './option';
import { printJson, say } from './output';
import type { Session } from './session';

interface Options {
  readonly rom: string;
  readonly against?: string;
  readonly game?: string;
  readonly script?: string;
  readonly seed?: string;
  readonly sticky: string;
  readonly frames: string;
  readonly json: boolean;
}

export function addTrace(atari: Command, session: Session): void {
  atari
    .command('trace')
    .description('run a recorded trace on a ROM and compare every frame, or record one')
    .requiredOption('--rom <file>', 'the cartridge image')
    .option('--against <file>', 'a trace to compare with; the exit code is 1 on a difference')
    .option('--game <name>', 'rules to play by when recording')
    .option(
      '--script <noop|file>',
      'what to press when recording: nothing, or a JSON list of action numbers or names',
    )
    .option('--seed <number>', 'record seeded random actions')
    .option('--sticky <probability>', 'probability that a frame repeats the action before', '0')
    .option('--frames <number>', 'frames to record', '300')
    .option('--json', 'print JSON', false)
    .action(async (options: Options) => {
      const rom = readFileOf(options.rom);
      if (options.against === undefined) {
        printJson(await recordTrace(rom, requestOf(options)));
        return;
      }
      const result = await compareTrace(rom, readTrace(readJson(options.against)));
      if (options.json) printJson(result);
      else say(`${result.frames} frames: RAM equal in ${result.ram_equal}, picture in ${result.rgb_equal}`);
      if (result.first_difference !== null) session.exit(EXIT.difference);
    });
}

function requestOf(options: Options): TraceRequest {
  return {
    game: options.game === undefined ? null : gameOf(options.game),
    frames: numberOf('--frames', options.frames, 1, 216_000),
    sticky: Number(options.sticky),
    script: scriptOf(options),
  };
}

function scriptOf({ script, seed }: Options): TraceRequest['script'] {
  if (seed !== undefined) return { seed: numberOf('--seed', seed, 0, 0xffffffff) };
  if (script === undefined || script === 'noop') return 'noop';
  const given = readJson(script);
  const names: readonly unknown[] = ACTIONS;
  const actions = Array.isArray(given)
    ? given.map((action: unknown) => (typeof action === 'number' ? action : names.indexOf(action)))
    : [];
  if (actions.length === 0 || actions.includes(-1)) {
    throw new PixelproofError('atari_script_invalid', 'A script is a list of action numbers or names.', {
      expected: ACTIONS.join(', '),
      got: given,
    });
  }
  return actions;
}

/** Throws `file_not_json`. */
function readJson(path: string): unknown {
  const text = new TextDecoder().decode(readFileOf(path));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PixelproofError('file_not_json', 'The file is not JSON.', { got: path, cause });
  }
}
