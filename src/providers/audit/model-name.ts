import { PixelproofError } from '../../errors';

/**
 * How a server may name the model that was asked, beside its exact name. Providers document these: OpenAI and OpenRouter
 * answer a name with its dated snapshot (`gpt-4o` by `gpt-4o-2024-08-06`, `gpt-4` by `gpt-4-0613`), Anthropic likewise
 * (`claude-sonnet-4-5` by `claude-sonnet-4-5-20250929`, `…-latest` by a date), Gemini by a numbered version
 * (`gemini-2.0-flash` by `gemini-2.0-flash-001`), Ollama by the tag `:latest` that it adds to a bare name.
 */
export type AliasRule = 'exact' | 'openai' | 'openrouter' | 'anthropic' | 'gemini' | 'ollama';

const SNAPSHOT: { readonly [rule in AliasRule]: RegExp | null } = {
  exact: null,
  openai: /^-(\d{4}-\d{2}-\d{2}|\d{4})$/,
  openrouter: /^-(\d{4}-\d{2}-\d{2}|\d{4}|\d{8})$/,
  anthropic: /^-\d{8}$/,
  gemini: /^-\d{3}$/,
  ollama: /^:latest$/,
};

/** Whether `named` stands for the model that was asked for. Never the other way round: a snapshot is no alias. */
export function isModel(rule: AliasRule, asked: string, named: string): boolean {
  if (named === asked) return true;
  const snapshot = SNAPSHOT[rule];
  if (snapshot === null) return false;
  const base = plain(rule, asked);
  const got = rule === 'gemini' ? named.replace(/^models\//, '') : named;
  return got === base || (got.startsWith(base) && snapshot.test(got.slice(base.length)));
}

/** Throws `provider_wrong_model` for a reply that names another model. One that names none says nothing against it. */
export function requireModel(rule: AliasRule, asked: string, named: unknown): void {
  if (named === undefined || named === null) return;
  if (typeof named === 'string' && isModel(rule, asked, named)) return;
  throw new PixelproofError('provider_wrong_model', 'The reply names another model than the one asked.', {
    expected: asked,
    got: typeof named === 'string' ? named : JSON.stringify(named).slice(0, 200),
  });
}

/** The name without what a server takes off it: a folder, a route, the word for "the newest". */
function plain(rule: AliasRule, asked: string): string {
  if (rule === 'gemini') return asked.replace(/^models\//, '');
  // A variant such as `:free` or `:nitro` chooses a route and no other model.
  if (rule === 'openrouter') return asked.replace(/:[a-z]+$/, '');
  return rule === 'anthropic' ? asked.replace(/-latest$/, '') : asked;
}
