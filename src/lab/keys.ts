let source: (provider: string) => string | null = () => null;

/** Called once by whoever has keys to lend: a page's worker, the command line. The keys stay with the lender. */
export function lendKeys(keys: (provider: string) => string | null): void {
  source = keys;
}

/** The key for a provider, by the id under which it is kept; null for none. It is sent, and stored nowhere. */
export function keyFor(provider: string): string | null {
  return source(provider);
}
