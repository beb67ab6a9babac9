import { platform } from 'node:os';
import { type Command, Option } from 'commander';
import { PixelproofError } from '../src/errors';
import { addressOf, asksServer, CATALOGUE, entryOf } from '../src/providers/catalogue';
import { type Code, canBeAsked, examine, nextSteps, type Report, type System } from '../src/providers/doctor';
import { requireTimeout } from '../src/providers/http';
import type { Capability } from '../src/providers/provider';
import { EXIT, type ExitCode } from './exit';
import { KEY_OPTION, keyFrom } from './key';
import { printJson, say, shown, tell } from './output';
import type { Session } from './session';

interface Options {
  readonly provider: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly for?: Capability;
  readonly origin?: string;
  readonly timeout?: number;
  readonly json: boolean;
}

/** Diagnoses of what was typed, before anything was sent. */
const USAGE: readonly Code[] = ['bad_address', 'bad_key', 'key_missing', 'model_not_named'];

export function addDoctorCommand(program: Command, session: Session): void {
  program
    .command('doctor')
    .description('says whether a server can be asked; if not, why not and what to type')
    .addOption(
      new Option('--provider <P>', 'whose server it is')
        .choices(CATALOGUE.filter(asksServer).map(({ id }) => id))
        .makeOptionMandatory(),
    )
    .option('--base-url <URL>', 'its address; default: the usual one')
    .option('--model <M>', 'the model to ask; default: the usual one')
    .option(...KEY_OPTION)
    .addOption(
      new Option('--for <CAPABILITY>', 'what it will be asked; default: everything that it can').choices([
        'image-text-to-text',
        'image-text-to-choices',
        'state-to-choices',
        'text-to-image',
      ]),
    )
    .option('--origin <ORIGIN>', 'also whether a page of this origin is let in')
    .option('--timeout <S>', 'seconds for a question; default: 120', Number)
    .option('--json', 'print the report as JSON', false)
    .action(async (options: Options) => {
      const entry = entryOf(options.provider, options.for);
      const subject = {
        entry,
        baseUrl:
          options.baseUrl ??
          (options.for === undefined ? entry.baseUrl : addressOf(entry, options.for)) ??
          '',
        model: options.model ?? entry.model ?? '',
        key: keyFrom(options.apiKeyEnv),
        capability: options.for ?? null,
        ...(options.timeout === undefined ? {} : { patience: patienceOf(options.timeout) }),
      };
      const forOrigin = options.origin === undefined ? null : originIn(options.origin);
      const checking = examine(subject, { page: null, forOrigin }, session.signal);
      let step = await checking.next();
      for (; step.done !== true; step = await checking.next()) {
        const { state, title, says } = step.value;
        say(`${{ ok: 'ok     ', failed: 'failed ', unknown: 'unclear' }[state]}  ${title}: ${says}`);
      }
      const report = step.value;
      const steps = nextSteps(withNamesShown(report.diagnosis), {
        ...subject,
        system: systemHere(),
        origin: forOrigin,
        page: null,
      });
      const ok = canBeAsked(report.diagnosis);
      if (options.json) {
        const { diagnosis, ...rest } = report;
        printJson({ ok, ...diagnosis, next: steps, ...rest });
      } else tell(...textOf(report, steps));
      session.exit(exitOf(report.diagnosis.code, ok));
    });
}

/** A next step may be a name of the server's, and a step may have several lines: no name may bring its own. */
function withNamesShown({ facts, ...rest }: Report['diagnosis']): Report['diagnosis'] {
  const { installed, named, ...others } = facts;
  return {
    ...rest,
    facts: {
      ...others,
      ...(installed === undefined ? {} : { installed: installed.map(shown) }),
      ...(named === undefined ? {} : { named: shown(named) }),
    },
  };
}

function exitOf(code: Code, ok: boolean): ExitCode {
  if (ok) return EXIT.complete;
  return USAGE.includes(code) ? EXIT.usage : EXIT.infrastructure;
}

function textOf({ diagnosis, requests }: Report, steps: ReturnType<typeof nextSteps>): string[] {
  const { code, sentence, meaning, facts } = diagnosis;
  const lines = [`${code}: ${sentence}`, meaning];
  if (facts.installed !== undefined) lines.push(`It lists: ${facts.installed.join(', ') || 'nothing'}`);
  for (const { text, copy } of steps) {
    lines.push(`- ${text}`);
    for (const line of copy?.split('\n') ?? []) lines.push(`    ${line}`);
  }
  lines.push(`${requests.length} ${requests.length === 1 ? 'request' : 'requests'}:`);
  for (const { method, url, status, milliseconds, why } of requests)
    lines.push(`  ${method} ${url}  ${status ?? 'no answer'}  ${milliseconds} ms  ${why}`);
  return lines.filter((line) => line !== '');
}

/** Throws `provider_settings`. */
function originIn(text: string): string {
  try {
    const { origin } = new URL(text);
    if (/^https?:/.test(origin)) return origin;
  } catch {
    // Refused below.
  }
  throw new PixelproofError('provider_settings', 'This is no page’s origin.', {
    expected: 'a scheme, a host and perhaps a port: https://example.org',
    got: text,
  });
}

/** Throws `provider_settings`. */
function patienceOf(seconds: number): { listSeconds: number; askSeconds: number } {
  requireTimeout(seconds);
  return { listSeconds: Math.min(15, seconds), askSeconds: seconds };
}

function systemHere(): System {
  switch (platform()) {
    case 'darwin':
      return 'macos';
    case 'win32':
      return 'windows';
    default:
      return 'linux';
  }
}
