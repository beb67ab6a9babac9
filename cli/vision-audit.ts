import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type AuditPicture,
  DEMO_PROFILE,
  SABOTEURS,
  type SaboteurName,
} from '../src/experiments/vision-controls';
import { auditPictures, simulatedProvider } from '../src/lab/saboteurs';
import { auditProvider } from '../src/lab/vision-audit';
import { visionServer } from '../src/lab/vision-controls';
import type { Provider } from '../src/providers/provider';
import { EXIT } from './exit';
import { KEY_OPTION, lendKeyFrom } from './key';
import { printJson, say, tell } from './output';
import type { Session } from './session';

interface Options {
  readonly provider: string;
  readonly as?: SaboteurName;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly seed: number;
  readonly json: boolean;
}

export function addAudit(vision: Command, session: Session): void {
  vision
    .command('audit')
    .description('probe a provider for ten ways of being broken, on the demo pictures')
    .requiredOption('--provider <id>', 'simulated, or a server as for vision run')
    .addOption(new Option('--as <saboteur>', 'which way the simulated one is broken').choices([...SABOTEURS]))
    .option('--base-url <url>', 'the server; default: the provider’s usual loopback port')
    .option('--model <id>', 'default gemma-3-4b-it-q4km-mm')
    .option(...KEY_OPTION)
    .option('--seed <n>', 'the order of the probes follows from it', seed, 1)
    .option('--json', 'print the finding as JSON', false)
    .action(async (options: Options) => {
      lendKeyFrom(options.apiKeyEnv);
      const pictures = auditPictures();
      let told = -1;
      const found = await auditProvider({
        provider: providerOf(options, pictures),
        profile: DEMO_PROFILE,
        template: 'native_gemma3_turn',
        pictures,
        seed: options.seed,
        signal: session.signal,
        onProgress: (done, total) => {
          const tenth = Math.floor((done / total) * 10);
          if (tenth !== told) say(`${done} / ${total}`);
          told = tenth;
        },
      });
      if (options.json) printJson(found);
      else tell(`${found.name ?? 'nothing found'}: ${found.evidence}`);
      session.exit(found.name === null ? EXIT.complete : EXIT.difference);
    });
}

function seed(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

function providerOf(
  { provider, as, baseUrl, model, seed: modelSeed }: Options,
  pictures: readonly AuditPicture[],
): Provider {
  if (provider !== 'simulated') {
    return visionServer(provider, {
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(model === undefined ? {} : { model }),
    });
  }
  return simulatedProvider(as ?? null, pictures, modelSeed);
}
