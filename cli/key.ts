import { PixelproofError } from '../src/errors';
import { lendKeys } from '../src/lab/keys';
import { usableKey } from '../src/providers/secret';

/** What `--api-key-env` says in every command that asks a server. */
export const KEY_OPTION = [
  '--api-key-env <name>',
  'the environment variable that holds the server’s key',
] as const;

/**
 * Lends the key of this command's one provider. A command line holds no key, because others can read those. Throws
 * `key_not_set` for a variable that is not there, and `provider_settings` for a key that cannot be sent.
 */
export function lendKeyFrom(variable: string | undefined): void {
  const key = keyFrom(variable);
  lendKeys(() => key);
}

/** Null where no variable is named. Throws as `lendKeyFrom`. */
export function keyFrom(variable: string | undefined): string | null {
  if (variable === undefined) return null;
  const key = usableKey(process.env[variable] ?? null);
  if (key !== null) return key;
  throw new PixelproofError('key_not_set', 'The environment variable for the key is not set, or empty.', {
    expected: 'a variable that holds a key',
    got: variable,
  });
}
