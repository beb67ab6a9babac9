import type { Command } from 'commander';
import { PixelproofError } from '../src/errors';
import type { Plan } from '../src/evidence/run';
import { DEFAULT_LIMITS } from '../src/providers/call-policy';
import { asksServer, CATALOGUE } from '../src/providers/catalogue';

/** Options that only mean something where a server is asked. */
const SERVER_ONLY = ['structured', 'baseUrl', 'apiKeyEnv', 'maxInFlight', 'minInterval'];

/** Circumstances that a run keeps from its first start, by option. No identity knows them. */
const KEPT = {
  timeout: { name: 'timeout', usual: null },
  maxInFlight: { name: 'max_in_flight', usual: DEFAULT_LIMITS.maxInFlight },
  minInterval: { name: 'min_interval_ms', usual: DEFAULT_LIMITS.minIntervalMs },
} as const;

function typed(command: Command, options: readonly string[]): string[] {
  return options
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => flagOf(command.getOptionValue(name) === false ? `no-${name}` : name));
}

function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** An option that would be ignored is no option. Throws `provider_settings`. An unknown provider is refused elsewhere. */
export function requireFitting(command: Command, provider: string | undefined): void {
  const entry = CATALOGUE.find(({ id }) => id === provider);
  if (entry === undefined || asksServer(entry)) return;
  const idle = typed(command, SERVER_ONLY);
  if (idle.length === 0) return;
  throw new PixelproofError(
    'provider_settings',
    `${idle.join(', ')}: not for the provider ${entry.id}, which asks no server.`,
    { expected: 'the command without it', got: idle.join(', ') },
  );
}

/** A resume that names no provider takes the whole plan from the folder. Throws `resume_option`. */
export function requirePlainResume(command: Command, options: readonly string[]): void {
  const idle = typed(command, options);
  if (idle.length === 0) return;
  throw new PixelproofError(
    'resume_option',
    `${idle.join(', ')}: --resume uses the stored plan, its limits too, and would not heed this.`,
    { expected: '--resume without it, or a new run in another folder', got: idle.join(', ') },
  );
}

/** What a person typed of what a run keeps, by option. */
export type Kept = { readonly [option in keyof typeof KEPT]?: number };

/** A run goes on with the limits that it began with. Throws `resume_option` where other ones were typed. */
export function requireKept({ circumstances }: Plan, kept: Kept): void {
  for (const [option, { name, usual }] of Object.entries(KEPT)) {
    const [stored, asked] = [circumstances[name] ?? usual, kept[option as keyof Kept]];
    if (asked === undefined || asked === stored) continue;
    throw new PixelproofError(
      'resume_option',
      `${flagOf(option)}: the run in this folder goes on with the limits that it began with.`,
      { expected: `${flagOf(option)} ${stored}, or without it`, got: String(asked) },
    );
  }
}
